// Builds the npm package in dist/: for each WebAssembly module its file, the minified Emscripten glue and one loader
// per runtime; the bundled shell, the command and the type declarations.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { wasmPreset } from './cmake.mjs';
import { SetupError, root, run, step } from './run.mjs';
import { printSizes, saveMetafile } from './sizes.mjs';
import { filesBelow, hashFiles, isFresh, setStamp } from './stamp.mjs';

const dist = join(root, 'dist');
// The entry points in "exports" of package.json.
const entries = ['web/index.ts', 'web/lite.ts', 'web/mcp.ts', 'web/node.ts'];
const bindings = `build/${wasmPreset}/bindings`;
// The modules of bindings/CMakeLists.txt: `glue` and `loaders` are where "imports" of package.json expects them.
const modules = [
  { name: 'core', glue: 'core.js', loaders: 'wasm' },
  { name: 'lite', glue: 'lite-core.js', loaders: 'lite-wasm' },
];
const external = [
  '#core',
  '#wasm',
  '#lite-core',
  '#lite-wasm',
  'node:*',
  '@modelcontextprotocol/*',
];
const common = {
  format: 'esm',
  target: 'es2022',
  minify: true,
  absWorkingDir: root,
  logLevel: 'silent',
  // Only Deno's loader uses it.
  supported: { 'import-source': true },
};

function inputs() {
  const folders = ['web/sdk', 'web/emulator', 'web/cli'];
  const sources = [...entries, ...folders.flatMap((folder) => filesBelow(folder))];
  const settings = ['package.json', 'tsconfig.json', 'tsconfig.types.json'];
  const built = modules.flatMap(({ name }) => [`${name}.mjs`, `${name}.wasm`]);
  const files = built.map((file) => `${bindings}/${file}`);
  return [...files, ...sources, ...settings, 'scripts/setup/package.mjs'];
}

async function copyModule(esbuild, { name, glue }) {
  // Not cpSync: Emscripten marks its output as executable.
  writeFileSync(join(dist, `${name}.wasm`), readFileSync(join(root, bindings, `${name}.wasm`)));
  const entryPoints = [`${bindings}/${name}.mjs`];
  await esbuild.build({ ...common, entryPoints, outfile: `dist/${glue}` });
}

// Modules and loaders stay external: "imports" of package.json maps them to files for each runtime.
async function bundleShell(esbuild) {
  const { metafile } = await esbuild.build({
    ...common,
    entryPoints: entries,
    bundle: true,
    splitting: true,
    external,
    outdir: 'dist',
    chunkNames: '[name]-[hash]',
    sourcemap: 'linked',
    metafile: true,
  });
  saveMetafile(metafile);
}

// The command imports dist/index.js instead of bundling it.
async function bundleCommand(esbuild) {
  const externalIndex = {
    name: 'external-index',
    setup(build) {
      build.onResolve({ filter: /^(\.\.\/)+index\.js$/ }, () => ({
        path: './index.js',
        external: true,
      }));
    },
  };
  await esbuild.build({
    ...common,
    entryPoints: ['web/cli/main.ts'],
    bundle: true,
    platform: 'node',
    plugins: [externalIndex],
    outfile: 'dist/cli.js',
  });
}

// The loaders in web/sdk/core/wasm name core.wasm; each module gets a copy that names its own file.
async function copyLoaders(esbuild, { name, loaders }) {
  const sources = filesBelow('web/sdk/core/wasm', ['.ts', '.js']).filter(
    (f) => !f.endsWith('.d.ts'),
  );
  mkdirSync(join(dist, loaders));
  for (const source of sources) {
    const text = readFileSync(join(root, source), 'utf8').replaceAll('core.wasm', `${name}.wasm`);
    const { target, minify, supported } = common;
    const loader = extname(source).slice(1);
    const { code } = await esbuild.transform(text, { loader, target, minify, supported });
    writeFileSync(join(dist, loaders, basename(source).replace(/\.ts$/, '.js')), code);
  }
}

async function bundle() {
  const esbuild = await import('esbuild');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  for (const module of modules) {
    await copyModule(esbuild, module);
    await copyLoaders(esbuild, module);
  }
  await bundleShell(esbuild);
  cpSync(join(root, 'web', 'sdk', 'schemas'), join(dist, 'schemas'), { recursive: true });
  await bundleCommand(esbuild);
}

async function emitTypes() {
  const tsc = 'node_modules/typescript/bin/tsc';
  await run(process.execPath, [tsc, '-p', 'tsconfig.types.json']);
}

/** Builds dist/ from the output of the WebAssembly preset, unless it is up to date. */
export async function buildPackage() {
  const hash = hashFiles(inputs());
  if (isFresh('package', hash) && existsSync(join(dist, 'index.d.ts'))) return;
  await step('bundle the package', () =>
    bundle().catch((error) => {
      throw new SetupError(error.message);
    }),
  );
  await step('emit type declarations', emitTypes);
  printSizes();
  setStamp('package', hash);
}
