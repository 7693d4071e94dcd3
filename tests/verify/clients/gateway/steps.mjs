// Compares the steps in a request of the Interactions API with those that the model gave.

const isOfUser = ({ type }) => type === 'user_input' || type === 'function_result';
const textsOf = (list = []) => list.map(({ text = '' }) => text).join('');

/** Returns the steps of a request. */
const inputOf = ({ input }) => (Array.isArray(input) ? input : []);

/** Returns the parts of a request that are the user's, in the form of generateContent as far as the script reads it. */
export function userPartsOf({ input }) {
  if (typeof input === 'string') return [{ text: input }];
  const partOf = (each) => (each.type === 'function_result' ? { functionResponse: each } : each);
  return inputOf({ input })
    .filter(isOfUser)
    .flatMap((step) => (step.type === 'user_input' ? step.content : [step]))
    .map(partOf);
}

/** Returns the steps that end an interaction: those of its last answer. */
export const answerIn = (steps) => steps.slice(steps.findLastIndex(isOfUser) + 1);

/** Adds up the events of a stream. */
export function stepsOfStream(text) {
  const steps = [];
  const argumentsOf = new Map();
  for (const [, data] of text.matchAll(/^data: (\{.*)$/gm)) {
    const { event_type: type, step, delta = {} } = JSON.parse(data);
    if (type === 'step.start') steps.push({ ...step });
    const last = steps.at(-1);
    if (delta.type === 'text') (last.content ??= [{ text: '' }])[0].text += delta.text;
    if (delta.type === 'thought_summary') (last.summary ??= []).push(delta.content);
    if (delta.type === 'thought_signature') last.signature = delta.signature;
    if (delta.type === 'arguments_delta')
      argumentsOf.set(last, (argumentsOf.get(last) ?? '') + delta.arguments);
  }
  for (const [step, json] of argumentsOf) step.arguments = JSON.parse(json);
  return steps;
}

/** The model's steps between those of the user, as lists. */
function turnsIn(steps) {
  const turns = [];
  steps.forEach((step, index) => {
    if (isOfUser(step)) return;
    if (index === 0 || isOfUser(steps[index - 1])) turns.push([]);
    turns.at(-1).push(step);
  });
  return turns;
}

/**
 * What counts of a turn: signatures, calls and texts, in their order. A signature that opens a turn and stands in it
 * again counts once, and so do texts with nothing else between them.
 */
function essenceOf(turn) {
  const items = [];
  for (const { type, signature, id, name, arguments: args, content } of turn) {
    const last = items.at(-1);
    if (type === 'thought') {
      if (signature && !items.some((item) => item.signature === signature))
        items.push({ signature });
    } else if (type === 'function_call') items.push({ call: { name, args }, id });
    else if (last && 'text' in last) last.text += textsOf(content);
    else items.push({ text: textsOf(content) });
  }
  return items;
}

/** Returns what counts of the turns that the model gave, and of those in a request. */
export const essences = (body, answers) => ({
  given: answers.map(essenceOf),
  sent: turnsIn(inputOf(body)).map(essenceOf),
});

/** How many of a list are not in another, each used once. */
function missing(expected, present) {
  const left = [...present];
  return expected.filter((each) => {
    const index = left.indexOf(each);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  }).length;
}

const placeholder = /^(?:skip_thought_signature_validator|context_engineering_is_the_way_to_go)$/;

function signatureChanges(given, sent) {
  const signatures = (items) => items.flatMap(({ signature = [] }) => signature);
  const lost = missing(signatures(given), signatures(sent));
  const added = signatures(sent).filter((each) => !signatures(given).includes(each));
  const placeholders = added.filter((each) => placeholder.test(each)).length;
  const others = added.length - placeholders;
  return [
    ...(lost > 0 ? [`${lost} of ${signatures(given).length} signatures lost`] : []),
    ...(placeholders > 0 ? [`${placeholders} placeholders added`] : []),
    ...(others > 0 ? [`${others} false signatures added`] : []),
  ];
}

function summaryChanges(given, sent) {
  const summaries = (steps) => steps.map(({ summary }) => textsOf(summary)).filter(Boolean);
  const lost = missing(summaries(given), summaries(sent));
  return lost > 0 ? [`${lost} of ${summaries(given).length} summaries lost`] : [];
}

function itemChanges(given, sent) {
  const calls = (items) => items.flatMap(({ call }) => (call ? JSON.stringify(call) : []));
  const texts = (items) => items.flatMap(({ text = [] }) => text);
  const ids = (items) => items.flatMap(({ id = [] }) => id);
  const callsLost = missing(calls(given), calls(sent));
  const textsLost = missing(texts(given), texts(sent));
  return [
    ...(callsLost > 0 ? [`${callsLost} of ${calls(given).length} calls lost`] : []),
    ...(callsLost === 0 && missing(ids(given), ids(sent)) > 0 ? ['ids lost'] : []),
    ...(textsLost > 0 ? [`${textsLost} of ${texts(given).length} texts lost`] : []),
  ];
}

/** Whether what is left stands in another order. */
function isReordered(given, sent) {
  const keys = given.map((item) => JSON.stringify(item));
  let next = 0;
  return sent
    .map((item) => JSON.stringify(item))
    .filter((key) => keys.includes(key))
    .some((key) => {
      const index = keys.indexOf(key, next);
      next = index + 1;
      return index < 0;
    });
}

function resultChanges(input) {
  const results = ({ content = [] }) => content.filter(({ type }) => type === 'function_result');
  const nested = input.filter(({ type }) => type === 'user_input').flatMap(results);
  const all = [...nested, ...input.filter(({ type }) => type === 'function_result')];
  return [
    ...(nested.length > 0 ? ['results inside `user_input`'] : []),
    ...(all.some(({ name }) => !name) ? ['names of results lost'] : []),
    ...(all.some(({ call_id: id }) => !id) ? ['ids of results lost'] : []),
  ];
}

/** What a client did to the history, in words for a table; empty if nothing. */
export function describeStepChanges(body, answers) {
  const { given, sent } = essences(body, answers);
  const items = [given.flat(), sent.flat()];
  return [
    ...signatureChanges(...items),
    ...summaryChanges(answers.flat(), inputOf(body)),
    ...itemChanges(...items),
    ...(isReordered(...items) ? ['another order'] : []),
    ...resultChanges(inputOf(body)),
  ];
}
