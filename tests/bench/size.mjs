// Measures how much the template engine adds to the WebAssembly file: links the file without the engine and compares
// the sizes after gzip -9.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildPreset, wasmPreset } from '../../scripts/setup/cmake.mjs';
import { root } from '../../scripts/setup/run.mjs';

const maxKilobytes = 40;

function sizesOf(file) {
  const bytes = readFileSync(file);
  return [bytes.length, gzipSync(bytes, { level: 9 }).length];
}

const built = (module) => join(root, 'build', wasmPreset, 'bindings', `${module}.wasm`);

function minijinja() {
  const entry = createRequire(import.meta.url).resolve('minijinja-js');
  return join(dirname(entry), 'minijinja_js_bg.wasm');
}

const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

export async function run() {
  await buildPreset(wasmPreset, 'core_without_jinja');
  const whole = sizesOf(built('core'));
  const without = sizesOf(built('core_without_jinja'));
  const added = whole.map((size, i) => size - without[i]);
  return {
    title: 'Size of the template engine',
    about:
      'The WebAssembly file as it is, and linked without the engine, that is, without everything ' +
      'that only templates need, including Unicode tables and messages. No single part ' +
      'dominates: reading and resolving templates, running them, and the filters, tests, methods ' +
      'and formatting languages have sizes of about 3 : 3 : 4, and the conformance cases need ' +
      'all of them. minijinja-js is a complete file that contains only an engine.',
    head: ['WebAssembly', 'bytes', 'gzip -9'],
    rows: [
      ['core.wasm', ...whole.map(kB)],
      ['without the engine', ...without.map(kB)],
      ['the engine', ...added.map(kB)],
      ['minijinja-js 2.11.0', ...sizesOf(minijinja()).map(kB)],
    ],
    verdicts: [
      {
        ok: added[1] < maxKilobytes * 1000,
        text: `the engine adds ${kB(added[1])} gzip; the goal is less than ${maxKilobytes} kB`,
      },
    ],
  };
}
