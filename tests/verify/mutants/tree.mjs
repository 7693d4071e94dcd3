// Copies the native sources to build/verify/mutants/tree, where mutants are built, so that no source file changes.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../../scripts/setup/run.mjs';
import { filesBelow } from '../../../scripts/setup/stamp.mjs';

const folder = join('build', 'verify', 'mutants', 'tree');

/** The folder of the copy. */
export const treeFolder = join(root, folder);

const cppFiles = ['.cpp', '.h', 'CMakeLists.txt'];

/** Returns the files that the native suites are built from or read. */
export function nativeFiles() {
  const sources = [...filesBelow('src'), ...filesBelow('tests', cppFiles)];
  const read = [
    ...filesBelow('tests/cases'),
    ...filesBelow('tests/fuzz/cpp'),
    ...filesBelow('templates'),
    ...filesBelow('docs', ['.md']),
  ];
  // What CMake reads, and what writes its tables.
  const build = ['CMakeLists.txt', 'package.json', 'scripts/rooms.json'];
  build.push('scripts/setup/write-changed.mjs');
  return [...new Set([...sources, ...read, ...build])].sort();
}

function writeIfChanged(path, bytes) {
  if (existsSync(path) && readFileSync(path).equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}

/** Makes the copy equal to the sources, also after an interrupted run. Unchanged files keep their times. */
export function updateTree() {
  const files = nativeFiles();
  const copied = filesBelow(folder).map((file) => file.slice(folder.length + 1));
  const wanted = new Set(files);
  for (const file of copied.filter((each) => !wanted.has(each))) rmSync(join(treeFolder, file));
  for (const file of files) writeIfChanged(join(treeFolder, file), readFileSync(join(root, file)));
}

/** Applies a mutant to the copy while `work` runs. */
export async function withMutant({ file, at, end, after }, work) {
  const path = join(treeFolder, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, source.slice(0, at) + after + source.slice(end));
  try {
    return await work();
  } finally {
    writeFileSync(path, source);
  }
}
