// Why this file exists: the rooms of the design stay rooms only while nobody includes across them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { includesOf } from './cpp-includes.mjs';
import { SetupError, root } from './setup/run.mjs';
import { filesBelow } from './setup/stamp.mjs';

// "A: B" says that A includes B. A room includes itself, and nothing else.
const cppArrows = {
  json: [],
  jinja: ['json'],
  rules: ['json'],
  history: ['rules', 'json'],
  tokens: ['json'],
  stream: ['json'],
  cache: ['rules'],
  layers: ['jinja', 'history', 'tokens', 'cache', 'json'],
};

// `#core` and `#wasm` are bindings/ as JavaScript sees it; `index` is the face of the package, which a
// Worker or a page uses as any user does.
const webArrows = {
  sdk: ['#core', '#wasm'],
  emulator: ['sdk'],
  index: ['sdk', 'emulator'],
  node: ['sdk'],
  mcp: ['sdk'],
  cli: ['sdk', 'index'],
  worker: ['sdk', 'index'],
  playground: ['sdk', 'index'],
};

// The core does no I/O, has no clock, no randomness, and does not know that WebAssembly exists.
const forbiddenInCore =
  /^(emscripten.*|iostream|fstream|filesystem|cstdio|stdio\.h|chrono|ctime|time\.h|random|thread|mutex)$/;

function cppFindings(file) {
  const room = file.split('/')[1];
  const allowed = [room, ...(cppArrows[room] ?? [])];
  return includesOf(file).flatMap(({ quoted, system }) => {
    if (system !== undefined) {
      return forbiddenInCore.test(system) ? [`${file}: <${system}> has no place in the core`] : [];
    }
    const target = quoted.split('/')[0];
    return allowed.includes(target)
      ? []
      : [`${file}: "${quoted}" (${room} may not include ${target})`];
  });
}

function webTarget(file, specifier) {
  if (specifier === 'prompt-strata') return 'index';
  if (!specifier.startsWith('.')) return specifier;
  const path = join(file, '..', specifier);
  return path === 'web/index.js' ? 'index' : path.replace(/^web\//, '').split('/')[0];
}

// What ships has no run-time dependencies; each loader of sdk/wasm is for one runtime, the command is
// for Node, and what needs more has an entry of its own.
const outside = {
  'web/sdk/stores/file.ts': /^node:/,
  'web/sdk/tools/mcp-connection.ts': /^@modelcontextprotocol\/sdk\//,
};

function isOutside(room, file, target) {
  if (file.startsWith('web/sdk/wasm/') || outside[file]?.test(target)) return true;
  if (room === 'cli') return target.startsWith('node:');
  return (room === 'worker' || room === 'playground') && !(target in webArrows);
}

function webFindings(typescript, file) {
  const room = file.split('/')[1].replace(/\.ts$/, '');
  const allowed = [room, ...(webArrows[room] ?? [])];
  const { importedFiles } = typescript.preProcessFile(readFileSync(join(root, file), 'utf8'));
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((specifier) => {
      const target = webTarget(file, specifier);
      return !allowed.includes(target) && !isOutside(room, file, target);
    })
    .map((specifier) => `${file}: '${specifier}' (${room} may not import it)`);
}

/** Throws with every include and import that is not an arrow of the design. */
export async function checkIncludes() {
  const { default: typescript } = await import('typescript');
  const findings = [
    ...filesBelow('src', ['.cpp', '.h']).flatMap(cppFindings),
    ...filesBelow('web', ['.ts']).flatMap((file) => webFindings(typescript, file)),
  ];
  if (findings.length > 0) throw new SetupError(findings.join('\n'));
}
