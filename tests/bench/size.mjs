// Measures what the entries weigh, where the bytes of their WebAssembly files are, and what the template engine
// adds: by linking the modules once more, with the names of their functions, and templates without the engine.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rooms } from '../../scripts/rooms.mjs';
import { buildPreset, wasmPreset } from '../../scripts/setup/cmake.mjs';
import { root } from '../../scripts/setup/run.mjs';
import { modules } from '../../scripts/setup/package.mjs';
import { entrySizes, sizeLimits } from '../../scripts/setup/sizes.mjs';
import { readFunctions } from './wasm-functions.mjs';

const gzipped = (bytes) => gzipSync(bytes, { level: 9 }).length;
const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const built = (module) => join(root, 'build', wasmPreset, 'bindings', `${module}.wasm`);

function sizesOf(file) {
  const bytes = readFileSync(file);
  return [bytes.length, gzipped(bytes)];
}

const partSize = ({ parts }, part) => (part in parts ? kB(parts[part]) : '');

function entries() {
  const sizes = entrySizes();
  const parts = Object.keys(sizes[0].parts);
  return {
    title: 'Download size',
    about:
      'What a browser downloads before the first request, minified by esbuild, each file with gzip -9. ' +
      '`module` is the WebAssembly file, compressed in JavaScript, with its glue code. Plugins, the code that runs tools, MCP and the emulator are loaded on use. The gateway runs on servers.',
    head: ['gzip -9', ...sizes.map(({ name }) => name)],
    rows: [
      ...parts.map((part) => [part, ...sizes.map((entry) => partSize(entry, part))]),
      ['total', ...sizes.map(({ total }) => kB(total))],
      ['a test allows', ...sizes.map(({ name }) => `${sizeLimits.entries[name].most} kB`)],
    ],
    verdicts: sizes
      .map((entry) => ({ ...entry, ...sizeLimits.entries[entry.name] }))
      .filter(({ goal }) => goal !== undefined)
      .map(({ name, total, goal }) => ({
        ok: total <= goal * 1000,
        text: `${name} takes ${kB(total)}; the goal is at most ${goal} kB`,
      })),
  };
}

// Functions of the core are in the namespace of their room, those of base directly in strata.
function groupOf(name) {
  const [, space, next] = /strata::(?:\(anonymous namespace\)::)?(\w+)(::)?/.exec(name) ?? [];
  if (space === 'bindings') return 'bindings';
  if (space !== undefined) return next && space in rooms.src ? space : 'base';
  return /emscripten|embind|val::/.test(name) ? 'embind' : 'libraries';
}

/** Returns `{ group: [bytes, gzip] }` of a module, with its tables and texts as `data`. */
function groupsOf(module) {
  const { functions, data, others } = readFunctions(built(`${module}_names`));
  const groups = new Map();
  for (const { name, body } of functions) {
    const group = groupOf(name);
    groups.set(group, [...(groups.get(group) ?? []), body]);
  }
  groups.set('data: messages, tables', [data]);
  groups.set('types, imports, exports', [others]);
  const sizes = [...groups].map(([group, bodies]) => {
    const bytes = Buffer.concat(bodies);
    return [group, [bytes.length, gzipped(bytes)]];
  });
  return new Map(sizes);
}

function breakdown() {
  const groups = modules.map(groupsOf);
  const all = new Set(groups.flatMap((each) => [...each.keys()]));
  const largest = (name) => Math.max(...groups.map((each) => each.get(name)?.[1] ?? 0));
  const names = [...all].sort((a, b) => largest(b) - largest(a));
  const cells = (size) => (size ? size.map(kB) : ['', '']);
  return {
    title: 'Where the bytes of the WebAssembly files are',
    about:
      'The functions of each room (docs/architecture.md), compressed on their own. The linker moves a function ' +
      'that has one caller into that caller, so `bindings` holds code of all rooms. `libraries` is the standard ' +
      'library and memory allocation.',
    head: ['', ...modules.flatMap((name) => [name, `${name}, gzip -9`])],
    rows: names.map((name) => [name, ...groups.flatMap((each) => cells(each.get(name)))]),
  };
}

function minijinja() {
  const entry = createRequire(import.meta.url).resolve('minijinja-js');
  return join(dirname(entry), 'minijinja_js_bg.wasm');
}

function engine() {
  const whole = sizesOf(built('templates'));
  const without = sizesOf(built('templates_without_jinja'));
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
      ['templates.wasm', ...whole.map(kB)],
      ['without the engine', ...without.map(kB)],
      ['the engine', ...added.map(kB)],
      ['minijinja-js 2.11.0', ...sizesOf(minijinja()).map(kB)],
    ],
    verdicts: [
      {
        ok: added[1] <= sizeLimits.templateEngine.goal * 1000,
        text: `the engine adds ${kB(added[1])} gzip; the goal is at most ${sizeLimits.templateEngine.goal} kB`,
      },
    ],
  };
}

/** Returns three tables. */
export async function run() {
  const named = modules.map((name) => `${name}_names`);
  await buildPreset(wasmPreset, 'templates_without_jinja', ...named);
  return [entries(), breakdown(), engine()];
}
