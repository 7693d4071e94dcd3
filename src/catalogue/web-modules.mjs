// Picks from the catalogue what the programs in web/ show: each imports only its own rows, as #generated/<name>.
import {
  examples,
  inputText,
  isText,
  kinds,
  model as exampleModel,
  probeBody,
  reasonNotProbed,
  shownInput,
  withoutExample,
} from './examples.mjs';
import {
  modelNames,
  modelPrices,
  modelRoutes,
  namesOf,
  table,
  unservedModels,
} from './model-rows.mjs';
import { errors, googleTexts, rules } from './rules.mjs';

const exampleOf = (code) => examples.find((example) => example.code === code);
const byCode = (rows, rowOf) => Object.fromEntries(rows.map((row) => [row.code, rowOf(row)]));
// The command and the playground check requests, not answers.
const ofRequests = rules.filter(({ scope }) => scope !== 'answer');

// The codes as types. Editors suggest them, and a misspelled one does not compile.
function codeTypes() {
  const union = (rows) => rows.map(({ code }) => `  | '${code}'`).join('\n');
  return `/** The code of a rule: docs/diagnostics.md. */
export type RuleCode =
${union(rules)};

/** The code of a diagnostic: that of a rule, or of an error that no rule covers. */
export type DiagnosticCode =
  | RuleCode
${union(errors)};

/** The \`code\` of an error: that of a diagnostic, or \`api.\` followed by the API's status or the HTTP status. */
export type ErrorCode = DiagnosticCode | \`api.\${string}\`;
`;
}

// The core's tables leave the explanations out.
const sarifRules = () =>
  byCode(ofRequests, ({ message, explanation, fix }) => ({
    ...{ message, explanation, ...(fix ? { fix } : {}) },
  }));

// What `probe` sends: the bodies of the examples; and why it sends no others.
function probes() {
  const sent = examples.filter((example) => reasonNotProbed(example) === undefined);
  const unsent = examples.filter((example) => !sent.includes(example));
  const missing = rules.filter(({ code }) => !exampleOf(code));
  return {
    probes: sent.map(({ code, options, failing, fixed }) => ({
      code,
      model: options?.model ?? exampleModel,
      failing: probeBody(failing),
      fixed: probeBody(fixed),
    })),
    notProbed: {
      ...byCode(unsent, reasonNotProbed),
      ...byCode(missing, ({ code }) => withoutExample[code] ?? 'It has no example.'),
    },
  };
}

// What the view Lint can be told about a request besides its text.
const liveOptions = ['model', 'backend', 'dummySignatures'];
const maxLiveLength = 50_000;

/** Returns whether the view Lint shows the finding of an example: it is text, not too long, with no other options. */
function isLive({ kind, options = {}, failing }) {
  if (kind !== 'body') return false;
  const others = Object.keys(options).filter((name) => !liveOptions.includes(name));
  if (others.length > 0) return false;
  const hasBytes = isText(failing) && failing.$text.some(({ $byte }) => $byte !== undefined);
  return !hasBytes && inputText(failing).length < maxLiveLength;
}

// An example's inputs: as they are if Lint shows them, else shortened.
function pageExample(code) {
  const example = exampleOf(code);
  if (!example) return { without: withoutExample[code] ?? 'It has no example.' };
  const { kind, options = {}, fixedOptions = {}, failing, fixed } = example;
  const live = isLive(example);
  const text = (value) =>
    live ? inputText(value) : shownInput(value).replace(/^```\w+\n|\n```$/g, '');
  return {
    isLive: live,
    kind: kinds[kind].title,
    reads: kinds[kind].reads,
    model: options.model ?? exampleModel,
    backend: options.backend ?? 'gemini',
    ...(fixedOptions.model ? { fixedModel: fixedOptions.model } : {}),
    failing: text(failing),
    fixed: text(fixed),
  };
}

/** Returns the pages of the rules in the playground: what each rule says, its failing example and the repaired one. */
export const rulePages = () =>
  rules.map((row) => {
    const { code, scope, message, explanation, fix } = row;
    const text = { code, scope, message, why: explanation, google: googleTexts(row) };
    return { ...text, ...(fix ? { fix } : {}), example: pageExample(code) };
  });

/** Returns what the dashboard says about each code that a finding can have. */
export const dashboardRules = () => [
  ...rules.map(({ code, message, explanation, fix }) => ({
    ...{ code, texts: [message, explanation, ...(fix ? [`Repair: ${fix}.`] : [])] },
  })),
  ...errors.map(({ code, meaning, do: advice }) => ({ code, texts: [meaning, advice] })),
];

const typed = (type, path) => `import type { ${type} } from '../../web/${path}';`;

const withoutSources = (row) => ({ ...row, sources: undefined });

/** Returns the modules by name: their types, and the values that they export. */
export const webModules = () => ({
  codes: { types: codeTypes(), values: {} },
  'model-names': {
    types: `/** The names of models that Google lists. */
export declare const modelNames: readonly string[];
/** The starts of names that generateContent does not serve: the day of the shutdown, or the API that does. */
export declare const unservedModels: readonly (readonly [id: string, end: string])[];`,
    values: { modelNames: modelNames(), unservedModels: unservedModels() },
  },
  prices: {
    types: `/** The day since 1970 from which it holds; USD per million tokens: input, output, read from a cache; above 200,000 tokens. */
export type PriceCells = readonly number[];
export declare const prices: readonly (readonly [id: string, ...prices: PriceCells[]])[];
/** The name, the model that serves it, the day from which it does, and the backend if it is one only. */
export declare const routes: readonly (readonly [name: string, to: string, from: number, backend?: string])[];`,
    values: { prices: modelPrices(), routes: modelRoutes() },
  },
  models: {
    types: `/** The rows of src/catalogue/models.json that have a name, without their sources. */
export declare const models: readonly { readonly id: string; readonly [field: string]: unknown }[];
export declare const routes: readonly { readonly name: string; readonly to: string; readonly [field: string]: unknown }[];`,
    values: {
      models: table.models.filter((row) => namesOf(row).some(Boolean)).map(withoutSources),
      routes: table.routes.map(withoutSources),
    },
  },
  'sarif-rules': {
    types:
      'export declare const rules: { [code: string]: { message: string; explanation: string; fix?: string } };',
    values: { rules: sarifRules() },
  },
  probes: {
    types: `${typed('ProbeBody', 'cli/probe/verdict.js')}
export declare const probes: readonly { code: string; model: string; failing: ProbeBody; fixed: ProbeBody }[];
export declare const notProbed: { [code: string]: string };`,
    values: probes(),
  },
  'rule-texts': {
    types: `${typed('RuleText', 'playground/engine/rule-text.js')}
export declare const ruleTexts: { [code: string]: RuleText };`,
    values: {
      ruleTexts: byCode(ofRequests, (row) => ({
        ...{ scope: row.scope, why: row.explanation, google: googleTexts(row) },
        evidence: row.evidence,
      })),
    },
  },
  // A third of the texts: the page loads it when a finding is opened.
  'rule-sources': {
    types: `${typed('RuleSource', 'playground/engine/rule-text.js')}
export declare const ruleSources: { [code: string]: RuleSource[] };`,
    values: { ruleSources: byCode(ofRequests, ({ sources }) => sources) },
  },
  'rule-pages': {
    types: `${typed('Rule', 'playground/lint/rules/rule.js')}
export declare const rules: readonly Rule[];`,
    values: { rules: rulePages() },
  },
});
