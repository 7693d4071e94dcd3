// Finds, replaces and removes thought signatures in texts; all other characters stay as they are.
import type { TextRange } from './lint-result.js';
import { isObject } from '../../sdk/internal/json.js';
import {
  isEmulated,
  isPlaceholder,
  placeholderSignature,
} from '../../sdk/internal/placeholder-signature.js';

// JSON may stand in a string of JSON, as in HAR files, or in quotes of cmd.exe.
const field =
  /([\\^]{0,8}")(thoughtSignature|thought_signature|signature)\1(\s{0,8}:\s{0,8})\1([^"]*?)\1/g;

// Only a thought step names its signature so shortly: a tool may have an argument of that name.
function collectSteps(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) for (const one of value) collectSteps(one, found);
  if (typeof value === 'string' && value.startsWith('{')) collectTexts(value, found);
  if (!isObject(value)) return;
  if (value['type'] === 'thought' && typeof value['signature'] === 'string')
    found.add(value['signature']);
  for (const one of Object.values(value)) collectSteps(one, found);
}

// A text is JSON, or has JSON on each line.
function collectTexts(text: string, found: Set<string>): void {
  try {
    collectSteps(JSON.parse(text), found);
  } catch {
    const lines = text.split('\n').filter((line) => line !== '');
    if (lines.length > 1) for (const line of lines) collectTexts(line, found);
  }
}

function stepSignatures(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  if (/"signature[\\^]{0,8}"/.test(text)) collectTexts(text, found);
  return found;
}

/** Returns a text in which the placeholder that Google accepts takes the place of some thought signatures. */
export function replaceSignatures(
  text: string,
  isReplaced: (signature: string) => boolean = () => true,
): string {
  const steps = stepSignatures(text);
  return text.replace(field, (match, quote: string, name: string, colon: string, old: string) => {
    if (name === 'signature' && !steps.has(old)) return match;
    if (old === placeholderSignature || !isReplaced(old)) return match;
    return `${quote}${name}${quote}${colon}${quote}${placeholderSignature}${quote}`;
  });
}

/** Returns the places of the emulator's signatures in a text, in any quotes. */
export function emulatedIn(text: string): TextRange[] {
  return [...text.matchAll(/(?<![\w+/-])[\w+/-]{40,}={0,2}/g)]
    .filter(([signature]) => isEmulated(signature))
    .map(({ index, 0: { length } }) => ({ from: index, to: index + length }));
}

/** Returns a text that Google takes: without the emulator's signatures. */
export const forGoogle = (text: string): string => replaceSignatures(text, isEmulated);

/** Returns a text that the emulator takes: only with its own signatures. */
export const forEmulator = (text: string): string =>
  replaceSignatures(text, (signature) => !isEmulated(signature) && !isPlaceholder(signature));

const written = /"thoughtSignature"\s*:\s*"([^"]*)"/g;
// Thought steps of the Interactions API have their signature under a shorter name.
const shownField = /"(?:thoughtSignature|signature)"\s*:\s*"([^"]*)"/g;
const removed = new RegExp(`,\\s*${written.source}|${written.source}\\s*,?\\s*`, 'g');

export const signaturesIn = (json: string): string[] =>
  [...json.matchAll(shownField)].map(([, signature = '']) => signature);

/** Returns the JSON text without signatures. All other characters are unchanged. */
export const withoutSignatures = (json: string): string => json.replace(removed, '');

/** Splits JSON text at its signatures: every second piece is one. */
export function splitSignatures(json: string): string[] {
  const pieces: string[] = [];
  let end = 0;
  for (const match of json.matchAll(shownField)) {
    const [whole, signature = ''] = match;
    const start = match.index + whole.length - signature.length - 1;
    pieces.push(json.slice(end, start), signature);
    end = start + signature.length;
  }
  return [...pieces, json.slice(end)];
}
