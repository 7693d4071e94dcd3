// The tools of `prompt-strata mcp`: what each takes, does and answers.
import type { Backend, Wire } from '../../index.js';
import type { Checker, Diagnostic } from '../../check/index.js';
import { googleErrorIn } from '../../requests/google-error.js';
import { withoutSecrets } from '../../requests/remove-secrets.js';
import { readRequests } from '../../requests/requests.js';
import { decodeDocument } from '../../sdk/internal/bytes.js';
import { parseLenient } from '../../sdk/internal/json-text.js';
import { isObject } from '../../sdk/internal/json.js';
import { UsageError } from '../arguments.js';
import { checkRequests, type Checked } from '../lint.js';
import { jsonReport, repairedFile, textReport } from '../output.js';
import { colorsFor } from '../terminal.js';
import { models, routes } from '#generated/models';
import { ruleSources } from '#generated/rule-sources';
import { ruleTexts } from '#generated/rule-texts';
import { rules } from '#generated/sarif-rules';

/** Arguments that fit the schema of their tool. */
export interface Arguments {
  request?: string;
  model?: string;
  backend?: Backend;
  now?: string;
  dummySignatures?: boolean;
  to?: Wire;
  code?: string;
  message?: string;
}

/** What a tool answers: for people, and for programs. */
export interface Answer {
  text: string;
  data: object;
}

/** A tool. `run` throws errors whose messages the agent reads. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  /** The JSON Schema of its arguments, which are checked before it runs. */
  schema: { [keyword: string]: unknown };
  run: (checker: Checker, args: Arguments, signal: AbortSignal) => Answer | Promise<Answer>;
}

const schemaOf = (properties: { [name: string]: object }, ...required: string[]) => ({
  ...{ type: 'object', properties, required, additionalProperties: false },
});

const text = (description: string) => ({ type: 'string', description });
const body =
  'The text as it is, not shortened: a JSON body of generateContent or of the Interactions API, an array of Contents or steps';
const request = text(`${body}, JSON Lines, a HAR file, or a cURL command`);
const target = {
  model: text('The model, if the request does not name one, such as gemini-3.8-flash'),
  backend: { enum: ['gemini', 'vertex'], description: 'The service. Default: gemini' },
  now: text('The time whose rules hold, RFC 3339. Default: now'),
};

// An agent reads each of them.
const mostFindings = 40;
const noColors = colorsFor({});
const taskOf = ({ model, backend, now, dummySignatures }: Arguments, repair: boolean) => ({
  ...{ model, backend, repair, dummySignatures: dummySignatures === true },
  now: now ?? new Date().toISOString(),
});

async function checkAll(
  checker: Checker,
  args: Arguments,
  repair: boolean,
  signal: AbortSignal,
): Promise<{ checked: Checked[]; notes: string[] }> {
  const source = { name: 'request', bytes: new TextEncoder().encode(args.request) };
  const notes: string[] = [];
  const requests = readRequests(checker, source, (note) => notes.push(note));
  const checked: Checked[] = [];
  for (const one of checkRequests(checker, requests, taskOf(args, repair))) {
    checked.push(one);
    // So that the agent can cancel a long file.
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
  return { checked, notes };
}

function reportOf(checked: Checked[], notes: string[], repair = false): Answer {
  const all = checked.flatMap(({ findings }) => findings).length;
  let left = mostFindings;
  const shown = checked.map((one) => {
    const findings = one.findings.slice(0, left);
    left -= findings.length;
    return { ...one, findings };
  });
  const more =
    all > mostFindings ? `The first ${mostFindings} of ${all} findings are shown.\n` : '';
  const report =
    textReport(shown, noColors, { repair }) + more + notes.map((note) => `${note}\n`).join('');
  const data = { ...JSON.parse(withoutSecrets(jsonReport(shown))), allFindings: all, notes };
  return { text: withoutSecrets(report), data };
}

const lint: Tool = {
  name: 'lint',
  title: 'Check a Gemini request',
  description:
    'Says whether the Gemini API would refuse a request, and for each fault the rule, the line and column, the words ' +
    'of Google and what to do. Nothing is sent.',
  schema: schemaOf({ request, ...target }, 'request'),
  async run(checker, args, signal) {
    const { checked, notes } = await checkAll(checker, args, false, signal);
    return reportOf(checked, notes);
  },
};

const repair: Tool = {
  name: 'repair',
  title: 'Repair a Gemini request',
  description:
    'Repairs what can be repaired without guessing, and returns the whole repaired text with what was done and what ' +
    'is left. Bytes that need no repair stay as they are, thought signatures too.',
  schema: schemaOf(
    {
      request: text(`${body}, or JSON Lines; of a HAR file or a cURL command the body alone`),
      ...target,
      dummySignatures: {
        type: 'boolean',
        description:
          "Replace missing thought signatures with Google's placeholder, which may reduce the quality of answers",
      },
    },
    'request',
  ),
  async run(checker, args, signal) {
    const { checked, notes } = await checkAll(checker, args, true, signal);
    const { text: report, data } = reportOf(checked, notes, true);
    const repaired = decodeDocument(repairedFile(checked));
    return { text: `${report}\n${repaired}`, data: { ...data, repaired } };
  },
};

/** Returns a document as a body of the Gemini API: histories of other clients become Contents. */
function bodyOf(checker: Checker, document: string): { body: string; found: Diagnostic[] } {
  const value = parseLenient(document);
  const isGemini = isObject(value) && ('contents' in value || 'input' in value);
  if (isGemini) return { body: document, found: [] };
  const messages = isObject(value) && 'messages' in value ? value['messages'] : value;
  const { contentsJson, systemText, diagnostics } = checker.import(JSON.stringify(messages));
  const system =
    systemText && `"systemInstruction":${JSON.stringify({ parts: [{ text: systemText }] })},`;
  return { body: `{${system}"contents":${decodeDocument(contentsJson)}}`, found: diagnostics };
}

const lineOf = ({ severity, code, path, message }: Diagnostic) =>
  `${severity} ${code} ${path || '/'}: ${message}\n`;

const convert: Tool = {
  name: 'convert',
  title: 'Convert a conversation to an API of Gemini',
  description:
    'Converts a request between generateContent and the Interactions API, or the messages of OpenAI, AI SDK, LangChain ' +
    'and google-genai for Python to either. Signatures go along; what the other API does not have is named.',
  schema: schemaOf(
    {
      request: text('The JSON text of the request, or of the list of messages'),
      to: { enum: ['generateContent', 'interactions'], description: 'The API that is sent to' },
      model: target.model,
      backend: target.backend,
    },
    'request',
    'to',
    'model',
  ),
  run(checker, { request: document = '', to = 'generateContent', model = '', backend }) {
    const { body, found } = bodyOf(checker, document);
    const options = { to, model, ...(backend ? { backend } : {}) };
    const converted = checker.convert(body, options);
    const diagnostics = [...found, ...converted.diagnostics];
    const result = decodeDocument(converted.body);
    const words = withoutSecrets(diagnostics.map(lineOf).join(''));
    return {
      text: `${words}\n${result}`,
      data: {
        ok: converted.ok,
        converted: result,
        findings: JSON.parse(withoutSecrets(JSON.stringify(diagnostics))),
      },
    };
  },
};

function explained(code: string) {
  const { [code]: rule } = rules;
  if (!rule) throw new UsageError(`There is no rule ${code}. The field code of a finding has one.`);
  const { google = [], evidence } = ruleTexts[code] ?? {};
  return { code, ...rule, google, evidence, sources: ruleSources[code] ?? [] };
}

function ruleText({
  code,
  message,
  explanation,
  fix,
  google,
  sources,
}: ReturnType<typeof explained>) {
  return [
    `${code}: ${message}`,
    explanation,
    ...google.map((words) => `Google answers: ${words}`),
    ...(fix ? [`Repair: ${fix}.`] : []),
    ...sources.map(({ text: title, url = '' }) => `Source: ${title} ${url}`.trimEnd()),
  ].join('\n');
}

function codesFor(message: string): string[] {
  const { codes = [] } = googleErrorIn(message, ruleTexts) ?? {};
  if (codes.length > 0) return codes;
  throw new UsageError(
    'No rule has these words. Google answers many faults with "Request contains an invalid argument." alone: ' +
      'lint the request itself.',
  );
}

const explainRule: Tool = {
  name: 'explain_rule',
  title: 'Explain a rule or an error message of Google',
  description:
    "Says what a rule of the Gemini API is, why, what Google answers, how it is repaired, and the rule's sources. Takes " +
    'the code of a finding, or an error message of Google, as text or as JSON.',
  schema: {
    ...schemaOf({
      code: text('The code of a finding, such as signature.missing'),
      message: text('What Google answered'),
    }),
    oneOf: [{ required: ['code'] }, { required: ['message'] }],
  },
  run(_, { code, message = '' }) {
    const found = (code === undefined ? codesFor(message) : [code]).map(explained);
    return { text: found.map(ruleText).join('\n\n'), data: { rules: found } };
  },
};

const listModels: Tool = {
  name: 'models',
  title: 'List the models of Gemini',
  description:
    'Lists the models that are known: limits in tokens, thinking, caches, prices in USD per million tokens, when they ' +
    'were released and end, and which model serves a retired name. With a model: what holds for it at a time.',
  schema: schemaOf(target),
  run(checker, { model, backend = 'gemini', now }) {
    if (model === undefined) {
      const data = { models, routes };
      return { text: models.map((row) => JSON.stringify(row)).join('\n'), data };
    }
    const data = checker.modelLimits(model, { backend, ...(now ? { now } : {}) });
    return { text: JSON.stringify(data, null, 2), data };
  },
};

/** The tools, in the order in which an agent sees them. */
export const tools: readonly Tool[] = [lint, repair, convert, explainRule, listModels];
