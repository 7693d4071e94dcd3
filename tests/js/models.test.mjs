// Checks what `npm run models` prints, and that it names rows which should be checked again.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { cellsOf, table } from '../../src/catalogue/model-rows.mjs';
import { root } from '../../scripts/setup/run.mjs';

const print = (today) =>
  execFileSync(process.execPath, [join(root, 'src', 'catalogue', 'print-models.mjs'), today], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
/** Returns the date that is `days` days after the release date. */
const after = (days) =>
  new Date(Date.parse(table.asOf) + days * 86_400_000).toISOString().slice(0, 10);

test('npm run models prints each row with its sources and its age', () => {
  const text = print(after(3));
  for (const row of table.models) {
    assert.ok(text.includes(`\n${cellsOf(row).id} `), row.id);
    assert.ok(text.includes(`checked ${row.checked}, `), row.id);
    for (const title of row.sources) assert.ok(text.includes(table.sources[title].url), title);
  }
  assert.match(text, /gemini-2\.5-pro → gemini-3\.8-flash from 2026-12-01 \(gemini only\)/);
  assert.match(text, /Every row was checked in the last 60 days\.\n$/);
});

test('npm run models names the rows older than 60 days', () => {
  const [, names] = /Older than 60 days, to be checked again: (.*)\n$/.exec(print(after(61))) ?? [];
  const expected = [
    ...table.models.map((row) => cellsOf(row).id),
    ...table.routes.map(({ name }) => name),
  ];
  assert.deepEqual(names.split(', '), expected);
});
