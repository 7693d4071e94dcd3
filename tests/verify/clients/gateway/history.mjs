// Compares the history in a request with what the scripted model gave: signatures, ids, and the places of Parts.
import { isDeepStrictEqual } from 'node:util';

/** Placeholders that Google documents. https://ai.google.dev/gemini-api/docs/thought-signatures */
const documented = new Set(
  ['context_engineering_is_the_way_to_go', 'skip_thought_signature_validator'].flatMap((text) => [
    text,
    btoa(text),
  ]),
);

const signatureOf = (part) => part.thoughtSignature ?? part.thought_signature;
const isModel = ({ role }) => role === 'model';

/** The neighbors of a list that have the same key, as lists. */
function groups(items, keyOf) {
  const all = [];
  for (const item of items) {
    const last = all.at(-1);
    if (last && keyOf(last[0]) === keyOf(item)) last.push(item);
    else all.push([item]);
  }
  return all;
}

/** A run of texts: one item for each signature, and one for the whole text. */
function textItems(parts) {
  const items = [];
  let text = '';
  for (const part of parts) {
    text += part.text;
    const signature = signatureOf(part);
    if (signature !== undefined) items.push({ text, signature });
  }
  return items.at(-1)?.text === text ? items : [...items, { text }];
}

function partItems(parts) {
  const said = parts.filter((part) => part.thought !== true);
  return groups(said, (part) => 'text' in part).flatMap((group) => {
    if ('text' in group[0]) return textItems(group);
    return group.map((part) => {
      const { id, name, args } = part.functionCall ?? {};
      return { call: { name, args }, id, signature: signatureOf(part) };
    });
  });
}

function geminiItems(contents) {
  return groups(contents, isModel)
    .filter(([first]) => isModel(first))
    .flatMap((group) => partItems(group.flatMap(({ parts }) => parts ?? [])));
}

const googleSignature = (from) => from.extra_content?.google?.thought_signature;

function openAiItems(messages) {
  return messages.flatMap((message) => {
    if (message.role !== 'assistant') return [];
    const said = message.content
      ? [{ text: message.content, signature: googleSignature(message) }]
      : [];
    const calls = (message.tool_calls ?? []).map((each) => {
      const { name, arguments: text } = each.function;
      return {
        call: { name, args: JSON.parse(text) },
        id: each.id,
        signature: googleSignature(each),
      };
    });
    return [...said, ...calls];
  });
}

/** The model's calls and texts in a request of the Gemini API or in OpenAI's form, in their order. */
const itemsOf = (body) => (body.messages ? openAiItems(body.messages) : geminiItems(body.contents));

/** A text that was asked for as JSON has the form of the trial's schema. */
const isSame = (expected, item) =>
  expected.call
    ? isDeepStrictEqual(item.call, expected.call)
    : item.text === expected.text || item.text === JSON.stringify({ answer: expected.text });

const stateOf = ({ signature }, expected) => {
  if (signature === undefined) return 'lost';
  return signature === expected ? 'kept' : 'wrong';
};

/**
 * Compares the signatures in a request with those that the model gave for the same Parts, in their order. Returns each
 * signed call and text with its `state` (absent: the request does not have the Part), and `foreign`: the signatures that the model did not give there.
 */
export function compareSignatures(body, answers) {
  const items = itemsOf(body);
  const real = new Set();
  const found = [];
  let next = 0;
  for (const expected of answers.flat()) {
    const index = items.findIndex((item, i) => i >= next && isSame(expected, item));
    if (index >= 0) next = index + 1;
    if (expected.signature === undefined) continue;
    const state = index < 0 ? 'absent' : stateOf(items[index], expected.signature);
    if (state === 'kept') real.add(index);
    found.push({ ...expected, state });
  }
  const others = items.filter(({ signature }, i) => signature && !real.has(i));
  return { found, foreign: others.map(({ signature }) => signature) };
}

const hasResults = ({ parts }) => (parts ?? []).some((part) => part.functionResponse);
const hasNeighbors = (contents, test) =>
  contents.some((content, i) => i > 0 && test(content) && test(contents[i - 1]));

function hasRepeatedResults({ parts }) {
  const ids = (parts ?? []).flatMap((part) => part.functionResponse?.id ?? []);
  return new Set(ids).size < ids.length;
}

/** What a client did to the history, in words for a table; empty if nothing. */
export function describeChanges(body, answers) {
  const { found, foreign } = compareSignatures(body, answers);
  const countOf = (name, kind) => {
    const all = found.filter((each) => kind in each);
    const absent = all.filter(({ state }) => state === 'absent').length;
    const lost = all.filter(({ state }) => state === 'lost' || state === 'wrong').length;
    return [
      ...(lost > 0 ? [`${lost} of ${all.length} signatures of ${name} lost`] : []),
      ...(absent > 0 ? [`${absent} of ${all.length} ${name} lost with their signatures`] : []),
    ];
  };
  const placeholders = foreign.filter((signature) => documented.has(signature)).length;
  const others = foreign.length - placeholders;
  const contents = body.contents ?? [];
  const withoutIds = itemsOf(body).some((item) => item.call && item.id === undefined);
  return [
    ...countOf('calls', 'call'),
    ...countOf('texts', 'text'),
    ...(placeholders > 0 ? [`${placeholders} placeholders added`] : []),
    ...(others > 0 ? [`${others} false signatures added`] : []),
    ...(withoutIds ? ['ids lost'] : []),
    ...(hasNeighbors(contents, isModel) ? ['answers split'] : []),
    ...(hasNeighbors(contents, hasResults) ? ['results split'] : []),
    ...(contents.some(hasRepeatedResults) ? ['results sent twice'] : []),
  ];
}
