// Reads src/catalogue/examples.json: one failing and one fixed input per rule, as values, bytes and text for docs.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = fileURLToPath(new URL('examples.json', import.meta.url));

/** The content of src/catalogue/examples.json. */
export const { model, now, kinds, examples, withoutExample } = JSON.parse(
  readFileSync(path, 'utf8'),
);

const lineWidth = 100;
const shownRepeats = 2;
const isObject = (value) => typeof value === 'object' && value !== null;
const isRepeat = (value) => isObject(value) && '$repeat' in value;
/** Whether an input is text, and not a value. */
export const isText = (value) => isObject(value) && '$text' in value;

/** Returns a copy in which each `$repeat` is its text. */
function expand(value) {
  if (isRepeat(value)) return value.$repeat[0].repeat(value.$repeat[1]);
  if (Array.isArray(value)) return value.map(expand);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, expand(each)]));
}

const bytesOf = (piece) =>
  piece.$byte === undefined ? Buffer.from(expand(piece)) : Buffer.of(piece.$byte);

/** Returns an input as it is passed on: bytes if it is a `$text`, else a JSON value. */
export function inputOf(value) {
  return isText(value) ? new Uint8Array(Buffer.concat(value.$text.map(bytesOf))) : expand(value);
}

// Docs

function shownRepeat([text, count]) {
  return `${text.repeat(shownRepeats).trim()}… (${count.toLocaleString('en')} times)`;
}

function shownPiece(piece) {
  if (isRepeat(piece)) return shownRepeat(piece.$repeat);
  if (typeof piece === 'string') return piece;
  return `\\x${piece.$byte.toString(16).toUpperCase()}`;
}

/** Returns JSON with a line for each member that does not fit into one line. */
function layOut(value, indent = '') {
  if (isRepeat(value)) return JSON.stringify(shownRepeat(value.$repeat));
  if (!isObject(value)) return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const [open, close] = isArray ? '[]' : '{}';
  const members = (inner) =>
    Object.entries(value).map(
      ([name, each]) => `${isArray ? '' : `${JSON.stringify(name)}: `}${layOut(each, inner)}`,
    );
  const inOneLine = members('').join(', ');
  const isShort = !inOneLine.includes('\n') && inOneLine.length + indent.length < lineWidth;
  if (isShort) return isArray || inOneLine === '' ? open + inOneLine + close : `{ ${inOneLine} }`;
  const inner = `${indent}  `;
  const lines = members(inner).map((member) => `${inner}${member}`);
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

/** Returns an input as text, in full: the text itself, or indented JSON. Bytes that are not UTF-8 are lost. */
export function inputText(value) {
  if (isText(value)) return Buffer.from(inputOf(value)).toString();
  return JSON.stringify(expand(value), null, 2);
}

/** Returns an input as a fenced block of Markdown. */
export function shownInput(value) {
  if (isText(value)) return `\`\`\`text\n${value.$text.map(shownPiece).join('')}\n\`\`\``;
  return `\`\`\`json\n${layOut(value)}\n\`\`\``;
}

// Probe

/** Returns why `prompt-strata probe` does not send an example; undefined if it does. */
export function reasonNotProbed({ kind, noProbe }) {
  return noProbe ?? kinds[kind].noProbe;
}

const maxOutputTokens = 1;

// A request of a probe costs one output token, unless the example is about that field.
function withTokenLimit(body) {
  return { ...body, generationConfig: { maxOutputTokens, ...body.generationConfig } };
}

/** Returns the body that `probe` sends for an input: JSON text, or bytes in base64 if it is not UTF-8. */
export function probeBody(value) {
  if (!isText(value)) return JSON.stringify(withTokenLimit(expand(value)));
  const limit = Buffer.from(`{${JSON.stringify(withTokenLimit({})).slice(1, -1)},`);
  const bytes = Buffer.concat([limit, inputOf(value).subarray(1)]);
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : { base64: bytes.toString('base64') };
}
