// Gives every option that the core reads a value of the wrong type, and every object of options an unknown name. The
// table of options is made from the public types (../option-table.mjs), so an option without a reader in the core fails here.
import { equal, ok } from './assert.mjs';
import { options as table } from './option-table.mjs';

const model = 'gemini-3.8-flash';
const now = '2026-11-21T10:00:00Z';
const hello = { role: 'user', parts: [{ text: 'hi' }] };

/** Returns the assembler of a complete answer. */
function complete(strata) {
  const response = strata.response();
  const candidates = [
    { content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP' },
  ];
  response.push(new TextEncoder().encode(JSON.stringify({ candidates })));
  return response;
}

/** How each type is passed: a call with the options, and where the options are in the caller's. */
const callOf = ({ load }, { strata, checker, templates }) => {
  const thread = strata.thread({ model });
  return {
    LoadOptions: { call: load },
    LintOptions: { call: (given) => checker.lint({ contents: [hello] }, given) },
    ImportOptions: { call: (given) => checker.import([hello], given) },
    RepairOptions: { call: (given) => checker.repair({ contents: [hello] }, given) },
    BodyTimelineOptions: { call: (given) => checker.timeline({ contents: [hello] }, given) },
    SchemaOptions: { call: (given) => strata.schema({ type: 'string' }, given) },
    ThreadOptions: { call: (given) => strata.thread(given) },
    TurnMeta: { call: (given) => strata.thread({ model }).append(hello, given), path: '/meta' },
    AppendOptions: { call: (given) => strata.thread({ model }).append(hello, undefined, given) },
    FinishOptions: { call: (given) => complete(strata).finish(given) },
    Replacement: { call: (given) => thread.rewrite([given]), path: '/0' },
    TimelineOptions: { call: (given) => thread.timeline(given) },
    MaskOptions: { call: (given) => thread.maskOutputs(given) },
    ShortenOptions: { call: (given) => thread.shortenOutputs(given) },
    BudgetOptions: { call: (given) => thread.historyBudget(given) },
    AssembleInput: { call: (given) => thread.assemble(withTexts(given)) },
    TemplateOptions: { call: (given) => templates.template('x', given) },
    EstimateOptions: { call: (given) => strata.estimateTokens('x', given) },
    CacheRequest: { call: (given) => strata.planCache(given) },
    PromptInput: { call: (given) => templates.compile(given) },
    ArgumentSources: { call: (given) => templates.promptArguments(given) },
  };
};

/** A text layer is finished text or a template, so each case has one. */
const withText = (layer) =>
  typeof layer === 'object' &&
  layer !== null &&
  !Array.isArray(layer) &&
  !('text' in layer) &&
  !('template' in layer)
    ? { text: 'x', ...layer }
    : layer;
const withTexts = (given) => ({
  ...given,
  ...('static' in given && { static: withText(given.static) }),
  ...('dynamic' in given && { dynamic: withText(given.dynamic) }),
});

/** Objects with any names: data of templates, records of other systems, what is passed on unchanged. */
const anyNames = [
  'ThreadOptions/limits',
  'ArgumentSources/assistant',
  'ArgumentSources/conversation',
  'ArgumentSources/session',
  'ArgumentSources/message',
  'ArgumentSources/user',
  'ArgumentSources/variables',
];
/** Prompts take null as not given. */
const nullIsUnset = /^(PromptInput|ArgumentSources)\//;
/** Data in which the core looks for what it knows. */
const data = ['ArgumentSources/history', 'LoadOptions/wasm', 'CacheRequest/state'];
/** Required by its type, but accepted without it. */
const alsoOptional = ['PromptInput/skills/active'];
/** Options that may also be JSON text. */
const jsonText = ['AssembleInput/static/variables', 'AssembleInput/dynamic/variables'];

const samples = { string: 'x', number: 1, boolean: true, array: [], object: {}, function: () => 1 };

/** A valid value of a row. */
function valid(row, name = '') {
  if (name === 'now' && row.kinds[0] === 'string') return now;
  if (name === 'code') return 'text.empty';
  if (row.words) return row.words[0];
  return row.members ? required(row.members) : samples[row.kinds[0]];
}

function required(members) {
  const given = Object.entries(members).filter(([, row]) => row.required);
  return Object.fromEntries(given.map(([name, row]) => [name, valid(row, name)]));
}

/** Values that a row does not accept. */
function wrongValues({ kinds, words }, name) {
  const all = { number: 5, string: 'no such word', boolean: true, array: [[]] };
  const accepted = jsonText.includes(name) ? [...kinds, 'string', 'array'] : kinds;
  const wrong = Object.entries(all).filter(([kind]) => !accepted.includes(kind));
  const chosen = kinds.includes('any') ? [] : wrong.map(([, value]) => value);
  return words && !nullIsUnset.test(name) ? [...chosen, null] : chosen;
}

/** Each case: the changed options, the code, and the path that the error names. */
function* casesOf(members, build, path, name) {
  if (data.includes(name)) return;
  if (!anyNames.includes(name)) {
    yield [
      build({ ...required(members), noSuchOption: 1 }),
      'field.unknown',
      `${path}/noSuchOption`,
    ];
  }
  for (const [option, row] of Object.entries(members)) {
    const inner = `${name}/${option}`;
    const place = `${path}/${option}`;
    const wrap = (value) => build({ ...required(members), [option]: value });
    if (data.includes(inner)) continue;
    for (const wrong of wrongValues(row, inner)) yield [wrap(wrong), 'field.invalid', place];
    if (row.required && !alsoOptional.includes(inner)) {
      const { [option]: left, ...rest } = required(members);
      if (left !== undefined) yield [build(rest), 'field.invalid', place];
    }
    if (row.members) yield* casesOf(row.members, wrap, place, inner);
    if (row.element) yield* elementCases(row.element, wrap, place, inner);
  }
}

function* elementCases(element, wrap, path, name) {
  const wrapFirst = (value) => wrap([value]);
  for (const wrong of wrongValues(element, name))
    yield [wrapFirst(wrong), 'field.invalid', `${path}/0`];
  if (element.members) yield* casesOf(element.members, wrapFirst, `${path}/0`, name);
}

/** The error of a call, or undefined. */
async function errorOf(work) {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
}

const suites = Object.entries(table).map(([type, { members }]) => ({
  name: `${type}: every option refuses a wrong value, and every object an unknown name`,
  async run(pkg) {
    const strata = await pkg.load();
    const checker = await pkg.check.loadChecker();
    const templates = await pkg.templates.loadTemplates();
    const { call, path = '' } = callOf(pkg, { strata, checker, templates })[type];
    let count = 0;
    for (const [given, code, place] of casesOf(members, (value) => value, path, type)) {
      const what = `${type} ${place} ${JSON.stringify(given)}`;
      const error = await errorOf(() => call(given));
      ok(error, `${what}: nothing was thrown`);
      equal(error.name, 'StrataError', `${what}: ${error}`);
      // Text of its own, such as `tools`, is JSON or not.
      const codes = code === 'field.invalid' ? [code, 'json.invalid'] : [code];
      ok(codes.includes(error.code), `${what}: ${error.code}, not ${code}: ${error.message}`);
      const named = error.diagnostics[0].path;
      equal(named, place, `${what}: ${error.message}`);
      ok(error.message.includes(place), error.message);
      count++;
    }
    ok(count >= Object.keys(members).length, `${count} cases`);
    const fine = await errorOf(() => call(required(members)));
    ok(!fine || fine.name !== 'StrataError' || type === 'Replacement', `${type}: ${fine}`);
  },
}));

export default suites;
