// Why this file exists: the package's weight is a promise, so every build says what each part weighs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './run.mjs';

const metafilePath = join(root, 'build', 'package.meta.json');
let printed = false;

const gzipped = (file) => gzipSync(readFileSync(join(root, file)), { level: 9 }).length;
const sum = (numbers) => numbers.reduce((total, n) => total + n, 0);

// The outputs that `entry` imports statically, itself included.
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
 * Keeps what the bundler knows of its outputs, so that sizes can be told without bundling anew.
 * @param {import('esbuild').Metafile} metafile of the shell's bundle
 */
export function saveMetafile(metafile) {
  writeFileSync(metafilePath, JSON.stringify(metafile));
}

const partName = (entryPoint) => entryPoint.replace(/^web\/(sdk\/)?|(\/index)?\.ts$/g, '');

/** Prints gzip sizes by part, once: what every user loads, then what is loaded when it is used. */
export function printSizes() {
  if (printed) return;
  printed = true;
  const { outputs } = JSON.parse(readFileSync(metafilePath, 'utf8'));
  const shell = loadedWith(outputs, 'dist/index.js');
  const parts = {
    glue: gzipped('dist/core.js'),
    shell: sum([...shell].map(gzipped)),
    WebAssembly: gzipped('dist/core.wasm'),
  };
  console.log('  gzip sizes');
  for (const [name, bytes] of Object.entries(parts)) printRow(name, bytes);
  printRow('total', sum(Object.values(parts)));
  for (const [file, { entryPoint }] of Object.entries(outputs)) {
    if (!entryPoint || shell.has(file)) continue;
    const chunks = [...loadedWith(outputs, file)].filter((chunk) => !shell.has(chunk));
    printRow(`on use: ${partName(entryPoint)}`, sum(chunks.map(gzipped)));
  }
}
