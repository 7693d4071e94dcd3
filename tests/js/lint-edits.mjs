// Compares the edits of `lint` with what `repair` does, for failing examples and for recorded requests that a seed
// breaks.
import assert from 'node:assert/strict';
import { examples, inputOf, isText, model, now } from '../../src/catalogue/examples.mjs';
import { exchanges, judgedAt, requestOf, servedAs } from './traffic.mjs';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns the same numbers below `n` for the same seed. */
function randomOf(seed) {
  let state = seed * 2654435761 + 1;
  return (n) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return state % n;
  };
}

const pick = (list, random) => list[random(list.length)];
const words = ['שלום 🐢 עולם', 'مرحبا', 'e\u0301 👩‍👩‍👧 ', '\ud83d', 'a "b" \\ c', ''];

/** Each changes a Content, or the list of Contents, in a way that clients do. */
const faults = [
  ({ contents, at }) => contents.splice(at, 1),
  ({ contents, at }) => contents.splice(at, 0, structuredClone(contents[at])),
  ({ contents, at }) => contents.splice(at, 0, { role: 'user', parts: [] }),
  ({ content, random }) => (content.role = pick(['assistant', 'MODEL', 'tool', 'system'], random)),
  ({ content }) => delete content.role,
  ({ content }) => (content.parts = content.parts?.[0] ?? {}),
  ({ content }) => (content.unknownField = 1),
  ({ parts, random }) => parts.splice(random(parts.length + 1), 0, { text: '' }),
  ({ parts, random }) => parts.splice(random(parts.length + 1), 0, {}),
  ({ parts, random }) => parts.splice(random(parts.length + 1), 0, { text: pick(words, random) }),
  ({ parts, random }) => parts.splice(random(parts.length), 1),
  ({ parts }) => parts.reverse(),
  ({ contents, content, at, parts }) =>
    contents.splice(at + 1, 0, { ...content, parts: parts.splice(parts.length >> 1) }),
  ({ part }) => delete part.thoughtSignature,
  ({ part }) => (part.thoughtSignature = 'not base64!'),
  ({ part, random }) => (part[pick(words, random)] = true),
  ({ part }) => part.functionCall && (part.functionCall.thoughtSignature = 'c2ln'),
  ({ part }) => part.functionCall && (part.functionCall.args = []),
  ({ part }) => part.functionCall && (part.functionCall.id = 'other'),
  ({ part }) => part.functionResponse && (part.functionResponse.response = 'text'),
  ({ part }) => part.functionResponse && (part.functionResponse.name = 'other'),
  ({ part }) => part.functionResponse && delete part.functionResponse.id,
  ({ parts, part }) => part.functionResponse && parts.push(structuredClone(part)),
  ({ body }) => (body.tools = [{}, ...[body.tools ?? []].flat()]),
  ({ body }) => (body.tool_config = { functionCallingConfig: {} }),
  ({ body }) => (body.cachedContent = 'cachedContents/1'),
];

function breakOnce(body, random) {
  const contents = [body.contents ?? []].flat();
  body.contents = contents;
  const at = random(Math.max(contents.length, 1));
  const content = contents[at];
  if (!content) return;
  const parts = Array.isArray(content.parts) ? content.parts : [];
  const part = pick(parts, random) ?? {};
  pick(faults, random)({ body, contents, content, at, parts, part, random });
}

/** What only Google's parser takes, in one text of four. */
function written(body, random) {
  const text = JSON.stringify(body, null, random(3));
  return random(4) === 0 ? text.replace(/([\]}])(\s*[\]}])/, '$1,$2') : text;
}

/** Returns the failing examples that are bodies. */
export const failingExamples = () =>
  examples
    .filter(
      ({ kind, code, failing }) => kind === 'body' && !isText(failing) && code !== 'size.too_large',
    )
    .map(({ code, failing, options }) => ({
      name: code,
      text: JSON.stringify(inputOf(failing), null, 1),
      options: { model, now, ...options },
    }));

const accepted = exchanges.filter(
  (exchange) => exchange.status === 200 && requestOf(exchange)?.contents,
);

/** Returns a recorded request that seed `seed` breaks in up to four ways. */
export function brokenRequest(seed) {
  const random = randomOf(seed);
  const exchange = pick(accepted, random);
  const body = structuredClone(requestOf(exchange));
  for (let i = random(4); i >= 0; i--) breakOnce(body, random);
  const { backend } = exchange;
  const options = { model: servedAs(exchange), backend, now: judgedAt(exchange) };
  return { name: `seed ${seed}: ${exchange.id}`, text: written(body, random), options };
}

/** Returns the value at a JSON Pointer, or else its nearest parent. */
function nearest(value, pointer) {
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null) break;
    const key = Object.keys(value).find((each) => each.toWellFormed() === name);
    if (key === undefined) break;
    value = value[key];
  }
  return value;
}

function checkRanges(text, diagnostics) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  for (const found of diagnostics) {
    for (const { path, range } of [found, ...(found.places ?? [])])
      assert.deepEqual(JSON.parse(text.slice(...range)), nearest(value, path), path);
  }
}

const start = ({ range: [from] }) => from;

/** Returns all edits of findings, in the order of the text: those of two findings are the same or do not touch. */
function allEdits(diagnostics) {
  const edits = new Map();
  for (const edit of diagnostics.flatMap((found) => found.edits ?? [])) {
    assert.deepEqual(edits.get(start(edit)) ?? edit, edit);
    edits.set(start(edit), edit);
  }
  const sorted = [...edits.values()].sort((a, b) => start(a) - start(b));
  for (const [i, { range }] of sorted.entries())
    assert.ok(i === 0 || sorted[i - 1].range[1] < range[0], `${range} touches the edit before it`);
  return sorted;
}

const apply = (text, { range: [from, to], text: fixed }) =>
  text.slice(0, from) + fixed + text.slice(to);

/** Checks the edits of one body. Returns how many there are. */
export function checkEdits(checker, { name, text, options }) {
  const asked = { ...options, dummySignatures: true, positions: 'utf16' };
  try {
    const { diagnostics } = checker.lint(text, asked);
    checkRanges(text, diagnostics);
    const edits = allEdits(diagnostics);
    const { body, diagnostics: all } = checker.repair(text, asked);
    // From the end on, so that the places of the others stay.
    assert.equal(edits.reduceRight(apply, text), decoder.decode(body));
    assert.deepEqual(allEdits(all.filter(({ repaired }) => repaired)), edits);
    const bytes = Buffer.from(text);
    const { diagnostics: inBytes } = checker.lint(bytes, { ...asked, positions: 'bytes' });
    const ranges = allEdits(inBytes).map(({ range }) => range);
    assert.deepEqual(
      ranges.map(([from]) => bytes.subarray(0, from).toString().length),
      edits.map(start),
    );
    return edits.length;
  } catch (error) {
    error.message = `${name}: ${error.message}\n${text.slice(0, 2000)}`;
    throw error;
  }
}
