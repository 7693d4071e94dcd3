// Tests the table of the parts of `npm run verify`, which is read from the blocks of docs/verification.md.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../../scripts/setup/run.mjs';
import { lastRunOf, page, timeSince, withOverview } from '../verify/overview.mjs';
import { parts } from '../verify/parts.mjs';

const pageText = `# Verification

<!-- verify: parts -->
<!-- /verify -->

## First part

<!-- verify: first -->
Last run: 2026-11-22, \`npm run verify -- first --count 3\`, CPU × 2, Linux 6.1, Node 20.1.2. 3 of 3 cases passed in 2 minutes.
<!-- /verify -->

## Other

<!-- verify: other -->
<!-- /verify -->
`;
const twoParts = { first: { about: 'one thing' }, other: { about: 'another thing' } };

test('reads the last run of a part, and none of a part that has not run', () => {
  assert.deepEqual(
    { ...lastRunOf(pageText, 'first') },
    {
      date: '2026-11-22',
      command: 'npm run verify -- first --count 3',
      machine: 'CPU × 2, Linux 6.1, Node 20.1.2',
      result: '3 of 3 cases passed in 2 minutes',
    },
  );
  assert.equal(lastRunOf(pageText, 'other'), undefined);
});

test('writes a row for each part, with a link to its section', () => {
  const text = withOverview(pageText, twoParts);
  const rows = text.match(/^\| .*$/gm).slice(1);
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim())).slice(1);
  assert.deepEqual(
    cells.map((row) => row.slice(1, 5)),
    [
      ['[first](#first-part)', 'one thing', '2026-11-22', '3 of 3 cases passed in 2 minutes'],
      ['[other](#other)', 'another thing', 'not yet', '–'],
    ],
  );
  assert.equal(withOverview(text, twoParts), text);
});

test('refuses a part without a block', () => {
  assert.throws(() => withOverview(pageText, { ...twoParts, third: { about: '' } }), {
    message: `${page} has no block "verify: third" below a heading`,
  });
});

test('says how long ago a run was', () => {
  const now = new Date('2026-11-23T10:00:00Z');
  assert.equal(timeSince('2026-11-23', now), 'today');
  assert.equal(timeSince('2026-11-22', now), 'yesterday');
  assert.equal(timeSince('2026-11-02', now), '21 days ago');
});

test('every block of the page belongs to a part', () => {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/^<!-- verify: ([\w-]+) -->$/gm)].map(([, name]) => name);
  assert.deepEqual(blocks.sort(), ['parts', ...Object.keys(parts)].sort());
});
