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

/** Prints the gzip sizes by part, once per process: parts that are always loaded, then parts loaded on use. */
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
