// Reads from docs/verification.md when each part last ran, lists that, and writes the table of all parts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setBlockIn } from '../support/blocks.mjs';
import { table } from '../support/table.mjs';
import { SetupError, root } from '../../scripts/setup/run.mjs';

/** The page with the blocks of all parts, relative to the root. */
export const page = 'docs/verification.md';

/** The block of the table. No part may have this name. */
const block = 'parts';

const head = ['Part', 'What it checks', 'Last run', 'Result', 'Command', 'Machine'];

/** The last run of a part. */
const lastRun =
  /^Last run: (?<date>\d{4}-\d\d-\d\d), `(?<command>[^`]+)`, (?<machine>.+?)\. (?<result>.+)\.$/m;

/** Returns the text of a part's block and its heading, or undefined. */
function sectionOf(text, name) {
  const found = new RegExp(`<!-- verify: ${name} -->\n([\\s\\S]*?)<!-- /verify -->`).exec(text);
  if (!found) return undefined;
  const [heading] =
    text
      .slice(0, found.index)
      .match(/^## .+$/gm)
      ?.slice(-1) ?? [];
  return { block: found[1], heading: heading?.slice(3) };
}

/**
 * Returns when a part last ran, how, on what machine and with what result, or undefined.
 * @param {string} text the text of the page
 * @param {string} name
 * @returns {{ date: string, command: string, machine: string, result: string } | undefined}
 */
export const lastRunOf = (text, name) =>
  lastRun.exec(sectionOf(text, name)?.block ?? '')?.groups ?? undefined;

function rowOf(text, name, about) {
  const section = sectionOf(text, name);
  if (!section?.heading)
    throw new SetupError(`${page} has no block "verify: ${name}" below a heading`);
  const anchor = section.heading.toLowerCase().replaceAll(' ', '-');
  const run = lastRunOf(text, name);
  const command = `\`${run?.command ?? `npm run verify -- ${name}`}\``;
  const cells = [run?.date ?? 'not yet', run?.result ?? '–', command, run?.machine ?? '–'];
  return [`[${name}](#${anchor})`, about, ...cells];
}

/**
 * Returns the page with the table of all parts.
 * @param {string} text
 * @param {Record<string, { about: string }>} parts
 */
export function withOverview(text, parts) {
  const rows = Object.entries(parts).map(([name, { about }]) => rowOf(text, name, about));
  return setBlockIn(text, block, table(head, rows), page);
}

const dayLength = 24 * 60 * 60 * 1000;

/** Returns how long ago a date was, in words. */
export function timeSince(date, now = new Date()) {
  const days = Math.floor((now - new Date(date)) / dayLength);
  if (days < 1) return 'today';
  return days === 1 ? 'yesterday' : `${days} days ago`;
}

/**
 * Returns a line for each part: how long ago it ran, and with what result.
 * @param {Record<string, unknown>} parts
 */
export function lastRuns(parts) {
  const text = readFileSync(join(root, page), 'utf8');
  const lines = Object.keys(parts).map((name) => {
    const run = lastRunOf(text, name);
    const shown = run ? `${timeSince(run.date).padEnd(14)} ${run.result}` : 'not yet';
    return `  ${name.padEnd(14)} ${shown}`;
  });
  return `Last runs (${page}):\n${lines.join('\n')}`;
}
