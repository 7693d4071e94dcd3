// tests/fuzz/cpp/libfuzzer.mjs: what a search counts as a finding, and how long it ran.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { search } from '../fuzz/cpp/libfuzzer.mjs';

const folder = mkdtempSync(join(tmpdir(), 'fuzz-search-'));
after(() => rmSync(folder, { recursive: true }));

const program = join(folder, 'program.sh');

function searchWith(source) {
  writeFileSync(program, `#!/bin/bash\n${source}`, { mode: 0o755 });
  return search('json', { seconds: 1, folder, program });
}

// A program with the options of libFuzzer that finds `input`, and that fails again or not.
const programThatFinds = (input, { again }) => `
prefix=$(printf '%s\\n' "$@" | sed -n 's/^-artifact_prefix=//p')
[ -n "$prefix" ] || exit ${again ? 70 : 0}
echo "stat::number_of_executed_units: 7"
file="$prefix"${input}
touch "$file"
echo "Test unit written to $file"
exit 70
`;

test('a failed input is a finding', async () => {
  const found = await searchWith(programThatFinds('crash-1', { again: false }));
  assert.equal(found.finding, join(folder, 'findings', 'crash-1'));
  assert.equal(found.executions, 7);
});

test('a timeout is a finding if the input fails once more', async () => {
  const found = await searchWith(programThatFinds('timeout-1', { again: true }));
  assert.equal(found.finding, join(folder, 'findings', 'timeout-1'));
});

test('a timeout of a busy machine is none', async () => {
  const found = await searchWith(programThatFinds('timeout-2', { again: false }));
  assert.equal(found.finding, undefined);
  assert.equal(found.executions, 7);
  assert.equal(existsSync(join(folder, 'findings', 'timeout-2')), false);
});

test('seconds are those of the processor', async () => {
  const { seconds } = await searchWith('sleep 1.1');
  assert.ok(seconds < 1, `${seconds}`);
});
