// Builds the npm package in dist/: the minified Emscripten glue, the WebAssembly file, the bundled shell, one
// loader per runtime, the command and the type declarations.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wasmPreset } from './cmake.mjs';
import { SetupError, root, run, step } from './run.mjs';
import { printSizes, saveMetafile } from './sizes.mjs';
import { filesBelow, hashFiles, isFresh, setStamp } from './stamp.mjs';

const dist = join(root, 'dist');
// The entry points in "exports" of package.json.
const entries = ['web/index.ts', 'web/mcp.ts', 'web/node.ts'];
const core = `build/${wasmPreset}/bindings/core`;
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
  return [`${core}.mjs`, `${core}.wasm`, ...sources, ...settings, 'scripts/setup/package.mjs'];
}

async function minifyGlue(esbuild) {
  // Not cpSync: Emscripten marks its output as executable.
  writeFileSync(join(dist, 'core.wasm'), readFileSync(join(root, `${core}.wasm`)));
  await esbuild.build({ ...common, entryPoints: [`${core}.mjs`], outfile: 'dist/core.js' });
}

// #core and #wasm stay external: "imports" of package.json maps them to the loader of each runtime.
async function bundleShell(esbuild) {
  const { metafile } = await esbuild.build({
    ...common,
    entryPoints: entries,
    bundle: true,
    splitting: true,
    external: ['#core', '#wasm', 'node:*', '@modelcontextprotocol/*'],
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

async function copyLoaders(esbuild) {
  const loaders = filesBelow('web/sdk/core/wasm', ['.ts', '.js']).filter(
    (f) => !f.endsWith('.d.ts'),
  );
  await esbuild.build({ ...common, entryPoints: loaders, outdir: 'dist/wasm' });
}

async function bundle() {
  const esbuild = await import('esbuild');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  await minifyGlue(esbuild);
  await copyLoaders(esbuild);
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
