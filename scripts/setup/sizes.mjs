// Prints the gzip sizes of the package.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './run.mjs';

const metafilePath = join(root, 'build', 'package.meta.json');
let printed = false;

const gzipped = (file) => gzipSync(readFileSync(join(root, file)), { level: 9 }).length;
const sum = (numbers) => numbers.reduce((total, n) => total + n, 0);

// Returns the outputs that `entry` imports statically, including itself.
function loadedWith(outputs, entry) {
  const found = new Set([entry]);
  for (const file of found) {
    for (const { path, kind } of outputs[file].imports) {
      if (kind === 'import-statement' && path in outputs) found.add(path);
    }
  }
  return found;
}

function printRow(name, bytes) {
  console.log(`    ${name.padEnd(26)}${(bytes / 1000).toFixed(1).padStart(7)} kB`);
}

/**
 * Saves the metafile of the bundler, so that sizes can be printed without bundling again.
 * @param {import('esbuild').Metafile} metafile of the shell's bundle
 */
export function saveMetafile(metafile) {
  writeFileSync(metafilePath, JSON.stringify(metafile));
}

const partName = (entryPoint) => entryPoint.replace(/^web\/(sdk\/)?|(\/index)?\.ts$/g, '');

const entries = [
  { name: 'prompt-strata', file: 'dist/index.js', glue: 'dist/core.js', wasm: 'dist/core.wasm' },
  {
    name: 'prompt-strata/lite',
    file: 'dist/lite.js',
    glue: 'dist/lite-core.js',
    wasm: 'dist/lite.wasm',
  },
];

/**
 * Returns the gzip sizes in bytes of what an entry downloads in a browser.
 *
 * @returns {{ name: string, parts: { [part: string]: number }, total: number }[]}
 */
export function entrySizes() {
  const { outputs } = JSON.parse(readFileSync(metafilePath, 'utf8'));
  return entries.map(({ name, file, glue, wasm }) => {
    const shell = [...loadedWith(outputs, file)].map(gzipped);
    const parts = { WebAssembly: gzipped(wasm), glue: gzipped(glue), shell: sum(shell) };
    return { name, parts, total: sum(Object.values(parts)) };
  });
}

/** Prints the gzip sizes, once per process: each entry, then the parts of `prompt-strata` that are loaded on use. */
export function printSizes() {
  if (printed) return;
  printed = true;
  for (const { name, parts, total } of entrySizes()) {
    console.log(`  gzip sizes of ${name}`);
    for (const [part, bytes] of Object.entries(parts)) printRow(part, bytes);
    printRow('total', total);
  }
  const { outputs } = JSON.parse(readFileSync(metafilePath, 'utf8'));
  const loaded = new Set(entries.flatMap(({ file }) => [...loadedWith(outputs, file)]));
  for (const [file, { entryPoint }] of Object.entries(outputs)) {
    if (!entryPoint || loaded.has(file)) continue;
    const chunks = [...loadedWith(outputs, file)].filter((chunk) => !loaded.has(chunk));
    printRow(`on use: ${partName(entryPoint)}`, sum(chunks.map(gzipped)));
  }
}
