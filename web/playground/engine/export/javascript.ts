// Writes a request as a JavaScript program: with prompt-strata, or with @google/genai. The key is an environment variable.
import { isObject, type JsonFields } from '../../../sdk/internal/json.js';
import { isInteraction, plainName, type ExportedRequest } from './exported-request.js';
import { configOf, itemsOf, laidOut, membersOf, objectOf } from './json-layout.js';

type Options = (readonly [name: string, code: string | undefined])[];

const indented = (json: string, indent: string) => laidOut(json, { step: '  ', indent });

/** Returns an object with an option on each line, without those that are undefined. */
function optionsCode(options: Options, indent: string): string {
  const lines = options.flatMap(([name, code]) =>
    code === undefined ? [] : [`${indent}  ${name}: ${code},\n`],
  );
  return `{\n${lines.join('')}${indent}}`;
}

// Numbers that JavaScript cannot hold stay in a text, which the package reads as JSON.
const isExact = (json: string) =>
  (json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '').match(/-?\d[\d.eE+-]*/g) ?? []).every(
    (token) => /[.eE]/.test(token) || Number.isSafeInteger(Number(token)),
  );

const historyCode = (json: string) =>
  isExact(json) ? indented(json, '  ') : `\`${json.replace(/[\\`]|\$\{/g, String.raw`\$&`)}\``;

// The package writes schemas of JSON Schema, whose types are in small letters, in the form that the model takes.
function jsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(jsonSchema);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, one]) => [
    name,
    name === 'type' && typeof one === 'string' ? one.toLowerCase() : jsonSchema(one),
  ]);
  return Object.fromEntries(members) as JsonFields;
}

function toolCode({ name, description, parameters, parametersJsonSchema }: JsonFields): string {
  const schema = jsonSchema(parametersJsonSchema ?? parameters ?? { type: 'object' });
  const options: Options = [
    ['name', JSON.stringify(name)],
    ['description', description === undefined ? undefined : JSON.stringify(description)],
    ['schema', indented(JSON.stringify(schema), '      ')],
    [
      'run',
      `(args) => ({ answer: ${JSON.stringify(`Write here what ${String(name)} returns.`)} })`,
    ],
  ];
  return `    tool(${optionsCode(options, '    ')}),\n`;
}

// Both APIs: tools that hold functionDeclarations, or one function each. Others are passed as they are.
function toolsCode(json: string | undefined): string | undefined {
  const tools: unknown = JSON.parse(json ?? '[]');
  const list = Array.isArray(tools) ? tools.filter(isObject) : [];
  const codes = list.flatMap((one) => {
    const { functionDeclarations: declared, type, ...own } = one;
    if (Array.isArray(declared)) return declared.filter(isObject).map(toolCode);
    if (type === 'function') return [toolCode(own)];
    return [`    ${indented(JSON.stringify(one), '    ')},\n`];
  });
  return codes.length === 0 ? undefined : `[\n${codes.join('')}  ]`;
}

function instructionCode(json: string | undefined): string | undefined {
  const value: unknown = json === undefined ? undefined : JSON.parse(json);
  if (typeof value === 'string') return JSON.stringify(value);
  const parts =
    isObject(value) && Array.isArray(value['parts']) ? value['parts'].filter(isObject) : [];
  const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return texts.length === 0 ? undefined : JSON.stringify(texts.join('\n'));
}

// Splits a history before the last message of the user: its Parts, or the content of its step.
function splitHistory(items: readonly unknown[]): {
  history: readonly unknown[];
  message: unknown;
} {
  const last = items.at(-1);
  if (!isObject(last)) return { history: items, message: '' };
  const isStep = last['type'] === 'user_input';
  const parts = isStep ? last['content'] : last['role'] === 'model' ? undefined : last['parts'];
  if (!Array.isArray(parts) || parts.some((part) => Object(part).functionResponse !== undefined))
    return { history: items, message: '' };
  const text: unknown = Object(parts[0]).text;
  const isText = parts.length === 1 && typeof text === 'string';
  return { history: items.slice(0, -1), message: isText ? text : isStep ? [last] : parts };
}

const clientCode = `new GeminiClient({
    vertexai: {
      project: process.env.GOOGLE_CLOUD_PROJECT,
      location: 'global',
      token: process.env.GOOGLE_ACCESS_TOKEN,
    },
  })`;

const taken = [
  ...['contents', 'input', 'model', 'stream', 'store', 'tools', 'generationConfig'],
  ...['systemInstruction', 'system_instruction', 'safetySettings', 'toolConfig', 'labels'],
];

/** Returns a program with prompt-strata, which continues the conversation of the request. */
export function promptStrataCode(request: ExportedRequest): string {
  const members = membersOf(request.body);
  const tools = toolsCode(members.get('tools'));
  const given = members.get('contents') ?? members.get('input') ?? '[]';
  const value: unknown = JSON.parse(given);
  const { history, message } = splitHistory(Array.isArray(value) ? value : [value]);
  const others = new Map([...members].filter(([name]) => !taken.includes(name)));
  const isGemini = request.backend === 'gemini';
  const plain = (name: string) => {
    const json = members.get(name);
    return [name, json === undefined ? undefined : indented(json, '  ')] as const;
  };
  const options: Options = [
    isGemini ? ['apiKey', 'process.env.GEMINI_API_KEY'] : ['client', clientCode],
    ['model', JSON.stringify(plainName(request))],
    ['wire', isInteraction(request) ? "'interactions'" : undefined],
    [
      'systemInstruction',
      instructionCode(members.get('systemInstruction') ?? members.get('system_instruction')),
    ],
    ...['generationConfig', 'toolConfig', 'safetySettings', 'labels'].map(plain),
    ['extra', others.size === 0 ? undefined : indented(objectOf(others), '  ')],
    ['tools', tools],
    ['history', history.length === 0 ? undefined : historyCode(historyOf(given, history.length))],
  ];
  const names = ['connect', ...(tools?.includes('tool(') ? ['tool'] : [])];
  if (!isGemini) names.push('GeminiClient');
  return `import { ${names.join(', ')} } from 'prompt-strata';

const chat = await connect(${optionsCode(options, '')});
const { text } = await chat.ask(${indented(JSON.stringify(message), '')});
console.log(text);
`;
}

const historyOf = (json: string, length: number) => `[${itemsOf(json).slice(0, length).join(',')}]`;

/** Returns a program with @google/genai. */
export function googleGenaiCode(request: ExportedRequest): string {
  const client =
    request.backend === 'gemini'
      ? '{ apiKey: process.env.GEMINI_API_KEY }'
      : "{\n  vertexai: true,\n  project: process.env.GOOGLE_CLOUD_PROJECT,\n  location: 'global',\n}";
  const start = `import { GoogleGenAI } from '@google/genai';

const ai = new GoogleGenAI(${client});
`;
  if (isInteraction(request))
    return `${start}const interaction = await ai.interactions.create(${indented(request.body, '')});
console.log(JSON.stringify(interaction, null, 2));
`;
  const { contents, config, others } = configOf(request.body);
  if (others.size > 0) config.set('httpOptions', `{"extraBody":${objectOf(others)}}`);
  const options: Options = [
    ['model', JSON.stringify(plainName(request))],
    ['contents', indented(contents, '  ')],
    ['config', config.size === 0 ? undefined : indented(objectOf(config), '  ')],
  ];
  return `${start}const response = await ai.models.generateContent(${optionsCode(options, '')});
console.log(response.text);
`;
}
