// Reads the records of `prompt-strata probe --output` in src/catalogue/probed/: what the API did with the examples.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('probed', import.meta.url));
const services = { gemini: 'Gemini API', vertex: 'Vertex AI' };

/**
 * Returns a record, parsed.
 *
 * @param {string} name for error messages
 * @throws Error if it is no record, or one of the emulator, which proves nothing about the API
 */
export function readRecord(text, name) {
  const record = JSON.parse(text);
  if (record.format !== 'prompt-strata/probe' || record.version !== 1) {
    throw new Error(`${name} is not a record of prompt-strata probe, version 1.`);
  }
  if (record.emulator) {
    throw new Error(`${name} is a record of the emulator, which is no evidence. Remove it.`);
  }
  return record;
}

/** Returns the records of a folder by file name; none if it does not exist. */
export function readRecords(path = folder) {
  if (!existsSync(path)) return [];
  const files = readdirSync(path).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => readRecord(readFileSync(join(path, file), 'utf8'), file));
}

function outcomeText({ predicted, outcome, message, words }) {
  if (outcome === predicted && words !== 'other') return '';
  return message === undefined ? outcome : `${outcome}, \`\`${message}\`\``;
}

function lineOf({ at, backend }, { model, verdict, failing, fixed }) {
  const said = [
    ['this example', outcomeText(failing)],
    ['the fixed one', outcomeText(fixed)],
  ].flatMap(([which, text]) => (text ? [`${which} is ${text}`] : []));
  const about = `${at.slice(0, 10)}, ${services[backend]}, ${model}`;
  return `- Probed: ${about}: ${[verdict, ...said].join('; ')}`;
}

/** Returns a line of Markdown for each time a rule was probed with a decision. */
export function probedLines(code, records = readRecords()) {
  return records.flatMap((record) =>
    record.rules
      .filter((rule) => rule.code === code && rule.verdict !== 'undecided')
      .map((rule) => lineOf(record, rule)),
  );
}
