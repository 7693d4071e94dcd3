// Measures what a browser downloads of the package, minified and compressed, and prints it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './run.mjs';

/** The limits of tests/gates/sizes.json. */
export const sizeLimits = JSON.parse(readFileSync(join(root, 'tests/gates/sizes.json'), 'utf8'));

let printed = false;

const gzipped = (bytes) => gzipSync(bytes, { level: 9 }).length;
const sum = (numbers) => numbers.reduce((total, n) => total + n, 0);

/** Returns the outputs of esbuild that `entry` imports statically, including itself. */
export function loadedWith(outputs, entry) {
  const found = new Set([entry]);
  for (const file of found) {
    for (const { path, kind } of outputs[file].imports) {
      if (kind === 'import-statement' && path in outputs) found.add(path);
    }
  }
  return found;
}

function printRow(name, bytes, note = '') {
  console.log(`    ${name.padEnd(26)}${(bytes / 1000).toFixed(1).padStart(7)} kB${note}`);
}

const partName = (entryPoint) =>
  entryPoint.replace(/^dist\/(emulator\/)?|(-[0-9A-Z]{8})?\.js$/g, '');

const entries = [
  { name: 'prompt-strata', file: 'index', module: 'talk' },
  { name: 'prompt-strata/templates', file: 'templates', module: 'templates' },
  { name: 'prompt-strata/check', file: 'check', module: 'check' },
  { name: 'prompt-strata/gateway', file: 'gateway', module: 'check' },
  { name: 'prompt-strata/ai-sdk', file: 'ai-sdk', module: 'talk' },
  // These load no WebAssembly.
  { name: 'prompt-strata/remote', file: 'remote' },
  { name: 'prompt-strata/ai-sdk/ui', file: 'ai-sdk-ui' },
  { name: 'prompt-strata/telemetry', file: 'telemetry' },
  { name: 'prompt-strata/citations', file: 'citations' },
  { name: 'prompt-strata/react', file: 'react' },
  { name: 'prompt-strata/reader', file: 'reader' },
];

// A page imports one of the entries, perhaps with mcp, so each is bundled alone, and the shared code is not split for others.
const applications = entries.map(({ file }) =>
  file === 'index' ? ['index', 'mcp', 'node'] : [file],
);

// Bundles and minifies dist/ as an application does; the modules, whose text is compressed already, are files of their
// own. Synchronous, because tests are registered with the result.
function minify() {
  const esbuild = createRequire(import.meta.url)('esbuild');
  const common = {
    absWorkingDir: root,
    format: 'esm',
    target: 'es2022',
    minify: true,
    write: false,
  };
  const moduleSize = (name) =>
    gzipped(
      esbuild.buildSync({ ...common, entryPoints: [`dist/wasm/${name}.js`] }).outputFiles[0]
        .contents,
    );
  const bundles = applications.map((files) =>
    esbuild.buildSync({
      ...common,
      entryPoints: files.map((file) => `dist/${file}.js`),
      bundle: true,
      splitting: true,
      external: ['./wasm/*', 'node:*', '@modelcontextprotocol/*', '@opentelemetry/*', 'react'],
      logLevel: 'silent',
      outdir: 'build/sizes',
      metafile: true,
    }),
  );
  const outputs = Object.assign({}, ...bundles.map(({ metafile }) => metafile.outputs));
  const outputFiles = bundles.flatMap((bundle) => bundle.outputFiles);
  const bytes = new Map(
    outputFiles.map(({ path, contents }) => [path.slice(root.length + 1), contents]),
  );
  return { outputs, moduleSize, sizeOf: (file) => gzipped(bytes.get(file)) };
}

const outputOf = ({ file }) => `build/sizes/${file}.js`;

function measure({ outputs, moduleSize, sizeOf }) {
  return entries.map((entry) => {
    const shell = [...loadedWith(outputs, outputOf(entry))].map(sizeOf);
    // The WebAssembly file in JavaScript, with its glue code.
    const module = entry.module && { module: moduleSize(entry.module) };
    const parts = { ...module, shell: sum(shell) };
    return { name: entry.name, parts, total: sum(Object.values(parts)) };
  });
}

/**
 * Returns the gzip sizes in bytes of what an entry downloads in a browser after minification.
 *
 * @returns {{ name: string, parts: { [part: string]: number }, total: number }[]}
 */
export const entrySizes = () => measure(minify());

/** Prints the gzip sizes, once per process: each entry, then the parts of `prompt-strata` that are loaded on use. */
export function printSizes() {
  if (printed) return;
  printed = true;
  const minified = minify();
  for (const { name, parts, total } of measure(minified)) {
    console.log(`  gzip sizes of ${name}, minified`);
    for (const [part, bytes] of Object.entries(parts)) printRow(part, bytes);
    printRow('total', total, `, at most ${sizeLimits.entries[name].most} kB`);
  }
  const { outputs, sizeOf } = minified;
  const loaded = new Set(entries.flatMap((entry) => [...loadedWith(outputs, outputOf(entry))]));
  for (const [file, { entryPoint }] of Object.entries(outputs)) {
    if (!entryPoint || loaded.has(file)) continue;
    const chunks = [...loadedWith(outputs, file)].filter((chunk) => !loaded.has(chunk));
    printRow(`on use: ${partName(entryPoint)}`, sum(chunks.map(sizeOf)));
  }
}
