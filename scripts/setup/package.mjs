// Builds the npm package in dist/: for each WebAssembly module its file and a JavaScript module that contains it; the
// entries with the code that they share, once for most runtimes and once, in edge/, for those that only import compiled
// modules; the command; the same as CommonJS; the declarations; the notices of works that are compiled in.
// Nothing is minified, so that stack traces can be read: the bundlers of the package's users do that.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readComponents } from '../../bindings/compiled-in/components.mjs';
import { thirdPartyNotices } from '../../bindings/compiled-in/notices.mjs';
import { billOfMaterials } from '../../bindings/compiled-in/sbom.mjs';
import { wasmPreset } from './cmake.mjs';
import { SetupError, root, run, step } from './run.mjs';
import { printSizes } from './sizes.mjs';
import { filesBelow, hashFiles, isFresh, packageSources, setStamp } from './stamp.mjs';

const dist = join(root, 'dist');
const bindings = `build/${wasmPreset}/bindings`;
/** The modules of bindings/CMakeLists.txt, which the sources import as `#talk`, `#templates` and `#check`. */
export const modules = ['talk', 'templates', 'check'];
// The entries of package.json.
const entries = {
  index: 'web/index.ts',
  templates: 'web/templates/index.ts',
  check: 'web/check/index.ts',
  gateway: 'web/gateway/index.ts',
  mcp: 'web/agent/mcp/index.ts',
  remote: 'web/remote/index.ts',
  stores: 'web/stores/index.ts',
  testing: 'web/emulator/index.ts',
  citations: 'web/citations/index.ts',
  telemetry: 'web/telemetry/index.ts',
  worker: 'web/worker/package.ts',
  node: 'web/server/index.ts',
  'ai-sdk': 'web/adapters/ai-sdk/index.ts',
  'ai-sdk-ui': 'web/adapters/ai-sdk/ui.ts',
  react: 'web/adapters/react/index.ts',
  reader: 'web/adapters/react/reader.ts',
};
// What dist/ has as it is.
const copies = {
  'schemas/manifest.json': 'src/layers/manifest.schema.json',
  'schemas/variables.json': 'templates/variables.schema.json',
  'SKILL.md': 'docs/SKILL.md',
  'starter/worker.mjs': 'docs/starter/worker.mjs',
  'starter/wrangler.json': 'docs/starter/wrangler.json',
};
const common = {
  format: 'esm',
  target: 'es2022',
  absWorkingDir: root,
  logLevel: 'silent',
  charset: 'utf8',
};

function inputs() {
  const settings = ['package.json', 'tsconfig.json', 'tsconfig.types.json'];
  const built = modules.flatMap((name) => [`${name}.mjs`, `${name}.wasm`]);
  const files = [...built, 'unpack.wasm'].map((file) => `${bindings}/${file}`);
  const notices = filesBelow('bindings/compiled-in');
  const tables = filesBelow('build/generated', ['.js', '.d.ts']);
  const others = ['scripts/setup/package.mjs', ...Object.values(copies)];
  return [...files, ...packageSources(), ...settings, ...notices, ...others, ...tables];
}

const write = (file, text) => writeFileSync(join(dist, file), text);
const wasmOf = (name) => readFileSync(join(root, bindings, `${name}.wasm`));

// Bundles with rolldown, which drops what nothing calls.
async function writeBundle(options, output) {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: root,
    platform: 'neutral',
    makeAbsoluteExternalsRelative: false,
    ...options,
  });
  await bundle.write({ format: common.format, ...output });
  await bundle.close();
}

// The glue code of a module, and its file as `loader` has it. The glue never finds the file itself.
async function bundleModule(name, file, loader) {
  const text = `export { default as create } from './${bindings}/${name}.mjs';\n${loader}`;
  const options = {
    input: { [name]: name },
    external: /\.wasm\?module$/,
    plugins: [
      {
        name: 'loader',
        resolveId: {
          filter: { id: new RegExp(`^${name}$`) },
          handler: () => join(root, `${name}.js`),
        },
        load: { filter: { id: new RegExp(`${name}\\.js$`) }, handler: () => text },
      },
    ],
    transform: {
      target: common.target,
      define: { document: 'undefined', fetch: 'undefined', XMLHttpRequest: 'undefined' },
    },
  };
  const minify = { compress: true, mangle: false, codegen: false };
  await writeBundle(options, { file: join(dist, file), minify });
}

/** Compresses with LZMA, a sixth smaller than gzip. There is no header: bindings/unpack.cpp knows these settings. */
export function compress(bytes) {
  const settings = '--lzma1=preset=9e,nice=273,lc=4,lp=0,pb=0';
  return execFileSync('xz', ['--format=raw', settings, '--stdout'], { input: bytes });
}

async function writeModule(name) {
  const bytes = wasmOf(name);
  // Not cpSync: Emscripten marks its output as executable.
  write(`${name}.wasm`, bytes);
  const packed = JSON.stringify({
    text: compress(bytes).toString('base64'),
    size: bytes.length,
    unpacker: wasmOf('unpack').toString('base64'),
  });
  await bundleModule(
    name,
    `wasm/${name}.js`,
    `import { unpack } from './web/sdk/core/unpack.js';\nexport const wasm = () => unpack(${packed});`,
  );
  // These runtimes do not compile bytes: there, the import of the file is a compiled module.
  await bundleModule(
    name,
    `edge/wasm/${name}.js`,
    `import module from '../../${name}.wasm?module';\nexport const wasm = () => module;`,
  );
}

const externals = (name, filter, pathOf) => ({
  name,
  setup(build) {
    build.onResolve({ filter }, ({ path }) => ({ path: pathOf(path), external: true }));
  },
});

// The files of what `prompt-strata` loads at its start: a source goes into the first one whose condition holds for the
// entries that load it, too. They are few, because Node takes half a millisecond for each and bundlers make files of
// their own of them; and what an entry loads is not together with what it does not: bundlers can't always leave that out.
const shared = {
  base: (loads) => loads('mcp') || (loads('remote') && loads('check')),
  cost: (loads) => loads('telemetry'),
  network: (loads) => loads('remote') && loads('gateway'),
  module: (loads) => loads('templates'),
  service: (loads) => loads('gateway'),
  stream: (loads) => loads('remote'),
  core: () => true,
};

// The sources that an entry imports statically.
function sourcesOf(entry, graph) {
  const sources = new Set([join(root, entries[entry])]);
  for (const source of sources) {
    for (const imported of graph.getModuleInfo(source)?.importedIds ?? []) sources.add(imported);
  }
  return sources;
}

// The same for rolldown, where a source takes along those that it imports, unless an earlier group has them.
function sharedGroups() {
  let sources;
  const belongsTo = (name, source, graph) => {
    sources ??= Object.fromEntries(
      Object.keys(entries).map((entry) => [entry, sourcesOf(entry, graph)]),
    );
    return sources.index.has(source) && shared[name]((entry) => sources[entry].has(source));
  };
  return Object.keys(shared).map((name, i, { length }) => ({
    debugName: name,
    name: (source, graph) => (belongsTo(name, source, graph) ? name : null),
    priority: length - i,
  }));
}

async function bundleEntries(dir) {
  const options = {
    input: entries,
    external: [/^node:/, /^@modelcontextprotocol\//, /^@opentelemetry\//, 'react'],
    plugins: [
      {
        name: 'modules',
        resolveId: {
          filter: { id: /^#(talk|templates|check)$/ },
          handler: (id) => ({ id: `./wasm/${id.slice(1)}.js`, external: true }),
        },
      },
    ],
    transform: { target: common.target },
    treeshake: { moduleSideEffects: false },
  };
  await writeBundle(options, {
    dir: join(root, dir),
    sourcemap: true,
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: sharedGroups() },
  });
}

// The command imports the package's entries instead of bundling them.
async function bundleCommand(esbuild) {
  await esbuild.build({
    ...common,
    entryPoints: { cli: 'web/cli/main.ts' },
    bundle: true,
    splitting: true,
    chunkNames: 'cli-[name]-[hash]',
    platform: 'node',
    plugins: [
      externals('external-index', /^(\.\.\/)+index\.js$/, () => './index.js'),
      externals('external-entries', /^(\.\.\/)+(check|gateway)\/index\.js$/, (path) =>
        path.replace(/^.*\/(\w+)\/index\.js$/, './$1.js'),
      ),
      externals('external-emulator', /^(\.\.\/)+emulator\/index\.js$/, () => './testing.js'),
    ],
    outdir: 'dist',
  });
}

const commonJs = {
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  charset: 'utf8',
  // Jest runs CommonJS without dynamic import.
  supported: { 'dynamic-import': false },
};

// CommonJS for Jest, and for `require` in versions of Node that cannot require ES modules.
async function writeCommonJs(esbuild) {
  const isShared = (file) => /^dist\/(wasm\/)?[^/]+\.js$/.test(file);
  mkdirSync(join(dist, 'cjs/wasm'), { recursive: true });
  for (const file of filesBelow('dist', ['.js']).filter(isShared)) {
    const text = readFileSync(join(root, file), 'utf8').replace(/^\/\/# sourceMappingURL.*/m, '');
    const { code } = await esbuild.transform(text, commonJs);
    write(`cjs/${file.slice('dist/'.length)}`, code);
  }
  write('cjs/package.json', '{ "type": "commonjs" }\n');
}

// The works of others that the package contains.
function writeComponents() {
  const components = readComponents();
  const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  write('THIRD-PARTY-NOTICES.txt', thirdPartyNotices(components));
  write('sbom.cdx.json', billOfMaterials(components, project));
}

/** Writes what the playground needs of dist/: it bundles the sources itself. */
export async function writeModules() {
  mkdirSync(dist, { recursive: true });
  for (const name of modules) await writeModule(name);
  writeComponents();
}

async function bundle() {
  const esbuild = await import('esbuild');
  await writeModules();
  await bundleEntries('dist');
  await writeCommonJs(esbuild);
  await bundleEntries('dist/edge');
  for (const [name, file] of Object.entries(copies)) cpSync(join(root, file), join(dist, name));
  await bundleCommand(esbuild);
}

async function emitTypes() {
  const tsc = 'node_modules/typescript-native/bin/tsc';
  await run(process.execPath, [tsc, '-p', 'tsconfig.types.json']);
}

function completeTypes() {
  // The package has no #generated/codes.
  cpSync(join(root, 'build/generated/codes.d.ts'), join(dist, 'sdk/types/codes.d.ts'));
  // TypeScript reads the kind of a module from the package.json next to its declarations.
  for (const file of filesBelow('dist', ['.d.ts'])) {
    cpSync(join(root, file), join(dist, 'cjs', file.slice('dist/'.length)));
  }
}

/** Builds dist/ from the output of the WebAssembly preset, unless it is up to date. */
export async function buildPackage() {
  const hash = hashFiles(inputs());
  if (isFresh('package', hash) && existsSync(join(dist, 'index.d.ts'))) return;
  await step('bundle the package and its types', async () => {
    rmSync(dist, { recursive: true, force: true });
    await Promise.all([bundle(), emitTypes()]).catch((error) => {
      throw new SetupError(error.message);
    });
    completeTypes();
  });
  printSizes();
  setStamp('package', hash);
}
