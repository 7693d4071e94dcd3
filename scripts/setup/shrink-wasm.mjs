// Makes a linked WebAssembly file smaller: Binaryen optimizes it once more, after Emscripten's last changes, functions
// that are alike are placed together, which saves gzip 4 %, and number their variables alike, which saves 1.5 %. Run by
// bindings/CMakeLists.txt:
// node shrink-wasm.mjs <wasm-opt> <file> [--names], for a file that was linked with --profiling-funcs.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { maskLocals, renumberLocals } from './similar-locals.mjs';
import { similarOrder } from './similar-order.mjs';
import { readFunctions } from './wasm-functions.mjs';

const [wasmOpt, file, ...options] = process.argv.slice(2);
const features = ['bulk-memory', 'sign-ext', 'nontrapping-float-to-int'];
// A call costs about as much as these functions do, such as std::string::size; larger ones take more bytes than calls.
const inlined = ['--always-inline-max-function-size', '6'];
const passes = ['--flatten', '--rereloop', ...inlined, '-Oz', '-Oz'];
// Makes no other change than writing a file does at -Oz.
const writing = ['-ol', '2', '-s', '2', '--generate-stack-ir', '--optimize-stack-ir'];
// Binaryen orders functions by their number of calls. The index of the first ones takes one byte in each call.
const mostCalled = 40;

const text = `${file}.wat`;
const named = `${file}.named`;

function optimize(input, args, output) {
  const enabled = features.map((feature) => `--enable-${feature}`);
  execFileSync(wasmOpt, [...enabled, input, ...args, '-o', output], { stdio: 'inherit' });
}

/** Returns the items of a module's text: the lines of each function, import, table… */
function readItems(lines) {
  const items = [];
  for (const line of lines.slice(1, lines.lastIndexOf(')'))) {
    if (/^ [(;]/.test(line)) items.push([line]);
    else items.at(-1).push(line);
  }
  return items;
}

/** Returns the name of a function as in the section of names, where it is not escaped; undefined for other items. */
function nameOf([line]) {
  const [, name] = /^ \(func \$(\S+)/.exec(line) ?? [];
  const unescape = (_, hex) => String.fromCharCode(parseInt(hex, 16));
  return name?.replace(/\\([0-9a-f]{2})/g, unescape);
}

function groupFunctions() {
  const lines = readFileSync(text, 'utf8').split('\n');
  const items = readItems(lines);
  const others = items.filter((item) => nameOf(item) === undefined);
  const functions = items.filter((item) => nameOf(item) !== undefined);
  const bodies = new Map(
    readFunctions(named).functions.map((each) => [each.name, maskLocals(each)]),
  );
  const rest = functions.splice(mostCalled);
  const order = similarOrder(rest.map((item) => bodies.get(nameOf(item))));
  const sorted = [...others, ...functions, ...order.map((position) => rest[position])];
  writeFileSync(text, [lines[0], ...sorted.flat(), ')', ''].join('\n'));
}

function numberVariables() {
  const { bytes, functions } = readFunctions(file);
  renumberLocals(functions);
  writeFileSync(file, bytes);
}

optimize(file, ['-g', ...passes, '-S'], text);
optimize(text, ['-g', ...writing], named);
groupFunctions();
optimize(text, [...(options.includes('--names') ? ['-g'] : []), ...writing], file);
numberVariables();
rmSync(text);
rmSync(named);
