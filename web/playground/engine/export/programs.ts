// Writes a request as a program: with prompt-strata, @google/genai, or google-genai. The key is an environment variable.
import type { Backend, Wire } from '../../../index.js';
import { isObject, type JsonFields } from '../../../sdk/internal/json.js';
import { configOf, itemsOf, laidOut, membersOf, objectOf } from './json-layout.js';

export interface ExportedRequest {
  model: string;
  backend: Backend;
  /** The API that the body is for. Default: generateContent. */
  wire?: Wire;
  /** The body: the text of a JSON object, as the API receives it. */
  body: string;
}

// In a shell, in JSON and in a path, these characters stand for themselves.
const escapeCharacter = (character: string) =>
  [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');

/** Returns the name of a model without its collection. */
export const plainName = ({ model }: ExportedRequest): string => model.replace(/^models\//, '');

/** Whether the body is for the Interactions API. */
export const isInteraction = ({ wire }: ExportedRequest): boolean => wire === 'interactions';

/** Returns the URL that takes the body. `project` stands in place of a Google Cloud project. */
export function urlOf(request: ExportedRequest, project: string): string {
  const isGemini = request.backend === 'gemini';
  const place = isGemini
    ? 'https://generativelanguage.googleapis.com/v1beta'
    : `https://aiplatform.googleapis.com/v1/projects/${project}/locations/global`;
  if (isInteraction(request)) return `${place}/interactions`;
  const name = plainName(request).replace(/[^\w.-]/gu, escapeCharacter);
  const models = isGemini ? 'models' : 'publishers/google/models';
  return `${place}/${models}/${name}:generateContent`;
}

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
function splitHistory(items: readonly unknown[]) {
  const whole = { history: items, message: '' };
  const last = items.at(-1);
  if (!isObject(last)) return whole;
  const isStep = last['type'] === 'user_input';
  const parts = isStep ? last['content'] : last['role'] === 'model' ? undefined : last['parts'];
  if (!Array.isArray(parts) || parts.some((part) => Object(part).functionResponse !== undefined))
    return whole;
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

const words: { [word: string]: string } = { null: 'None', true: 'True', false: 'False' };

// Numbers stay as they are. A string as JSON.stringify writes it is also one of Python.
const pythonToken = (token: string) =>
  token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : (words[token] ?? token);

/** Returns JSON as a Python literal. */
const pythonLiteral = (json: string, indent = ''): string =>
  laidOut(json, { step: '    ', indent, lastComma: true, write: pythonToken });

/** Returns the program. The models of the library read JSON, because signatures are base64 there. */
export function pythonCode(request: ExportedRequest): string {
  const { backend, body } = request;
  const client =
    backend === 'gemini'
      ? 'genai.Client(api_key=os.environ["GEMINI_API_KEY"])'
      : 'genai.Client(vertexai=True, project=os.environ["GOOGLE_CLOUD_PROJECT"], location="global")';
  if (isInteraction(request))
    return `import os

from google import genai

client = ${client}
interaction = client.interactions.create(**${pythonLiteral(body)})
print(interaction.model_dump_json(indent=2, exclude_none=True))
`;
  const { contents, config, others } = configOf(body);
  const extra =
    others.size > 0
      ? `# Members that the library has no names for.
config.http_options = types.HttpOptions(extra_body=${pythonLiteral(objectOf(others))})
`
      : '';
  return `import json
import os

from google import genai
from google.genai import types

contents = ${pythonLiteral(contents)}
config = types.GenerateContentConfig.model_validate_json(
    json.dumps(${pythonLiteral(objectOf(config), '    ')})
)
${extra}
client = ${client}
response = client.models.generate_content(
    model=${JSON.stringify(plainName(request))},
    contents=[types.Content.model_validate_json(json.dumps(one)) for one in contents],
    config=config,
)
print(response.model_dump_json(indent=2, exclude_none=True))
`;
}
