// Builds the npm package in dist/: for each WebAssembly module its file, the Emscripten glue and one loader per
// runtime; the bundled shell and one entry per kind of runtime; the command; the same as CommonJS; the declarations;
// the notices of works that are compiled in.
// Nothing is minified, so that stack traces can be read: the bundlers of the package's users do that.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readComponents } from '../../bindings/compiled-in/components.mjs';
import { thirdPartyNotices } from '../../bindings/compiled-in/notices.mjs';
import { billOfMaterials } from '../../bindings/compiled-in/sbom.mjs';
import { wasmPreset } from './cmake.mjs';
import { SetupError, root, run, step } from './run.mjs';
import { printSizes } from './sizes.mjs';
import { filesBelow, hashFiles, isFresh, packageSources, setStamp } from './stamp.mjs';

const dist = join(root, 'dist');
const bindings = `build/${wasmPreset}/bindings`;
// The modules of bindings/CMakeLists.txt: `glue` and `loaders` are where "imports" of package.json expects them.
const modules = [
  { name: 'core', glue: 'core.js', loaders: 'wasm' },
  { name: 'lite', glue: 'lite-core.js', loaders: 'lite-wasm' },
  { name: 'gateway', glue: 'gateway-core.js', loaders: 'gateway-wasm' },
];
// What the entries share. Code that only one file of these uses stays in that file.
const shells = {
  shell: 'web/index.ts',
  'lite-shell': 'web/lite.ts',
  'gateway-shell': 'web/gateway/index.ts',
  mcp: 'web/agent/mcp/index.ts',
  remote: 'web/remote/index.ts',
  node: 'web/server/index.ts',
};
// Each entry of package.json chooses a loader and exports a shell. `server` is for all runtimes that are not
// browsers: "imports" of package.json has a loader for each. In `inline`, the loader replaces any other.
const entriesOf = (prefix, shell, loaders, imports) => [
  { file: `${prefix || 'index'}.js`, shell, loader: `./${loaders}/url.js`, loaders },
  { file: `${prefix && `${prefix}-`}server.js`, shell, loader: imports, loaders },
  {
    ...{ file: `${prefix && `${prefix}-`}inline.js`, shell, loaders },
    ...{ loader: `./${loaders}/inline.js`, final: true },
  },
];
const entries = [
  ...entriesOf('', 'shell', 'wasm', '#wasm'),
  ...entriesOf('lite', 'lite-shell', 'lite-wasm', '#lite-wasm'),
  ...entriesOf('gateway', 'gateway-shell', 'gateway-wasm', '#gateway-wasm'),
];
// What the package holds below schemas/.
const schemas = {
  'manifest.json': 'src/layers/manifest.schema.json',
  'variables.json': 'templates/variables.schema.json',
};
const common = {
  format: 'esm',
  target: 'es2022',
  absWorkingDir: root,
  logLevel: 'silent',
  charset: 'utf8',
  // Only the loaders of Deno and Bun use them.
  supported: { 'import-source': true, 'import-attributes': true },
};

function inputs() {
  const settings = ['package.json', 'tsconfig.json', 'tsconfig.types.json'];
  const built = modules.flatMap(({ name }) => [`${name}.mjs`, `${name}.wasm`]);
  const files = built.map((file) => `${bindings}/${file}`);
  const notices = filesBelow('bindings/compiled-in');
  const tables = filesBelow('build/generated', ['.js', '.d.ts']);
  return [
    ...files,
    ...packageSources(),
    ...settings,
    ...notices,
    'scripts/setup/package.mjs',
    ...tables,
    ...Object.values(schemas),
  ];
}

const write = (file, text) => writeFileSync(join(dist, file), text);
const wasmOf = (name) => readFileSync(join(root, bindings, `${name}.wasm`));

async function copyModule(esbuild, { name, glue }) {
  // Not cpSync: Emscripten marks its output as executable.
  write(`${name}.wasm`, wasmOf(name));
  const entryPoints = [`${bindings}/${name}.mjs`];
  await esbuild.build({ ...common, entryPoints, outfile: `dist/${glue}` });
}

// The loaders in web/sdk/core/wasm name core.wasm; each module gets a copy that names its own file.
async function copyLoaders(esbuild, { name, loaders }) {
  const sources = filesBelow('web/sdk/core/wasm', ['.ts', '.js']).filter(
    (file) => !file.endsWith('.d.ts'),
  );
  const inlined = gzipSync(wasmOf(name), { level: 9 }).toString('base64');
  const { target, supported, charset } = common;
  const define = { INLINE_WASM: JSON.stringify(inlined) };
  mkdirSync(join(dist, loaders), { recursive: true });
  for (const source of sources) {
    const text = readFileSync(join(root, source), 'utf8').replaceAll('core.wasm', `${name}.wasm`);
    const options = { loader: extname(source).slice(1), target, supported, charset, define };
    const { code } = await esbuild.transform(text, options);
    write(`${loaders}/${basename(source).replace(/\.ts$/, '.js')}`, code);
  }
}

// Glue and loader are files of their own. All shells share one loader of each module: the one that an entry chose.
const ownFiles = {
  '#core': './core.js',
  '#wasm': './wasm/provided.js',
  '#lite-core': './lite-core.js',
  '#lite-wasm': './lite-wasm/provided.js',
  '#gateway-core': './gateway-core.js',
  '#gateway-wasm': './gateway-wasm/provided.js',
};

const externals = (name, filter, pathOf) => ({
  name,
  setup(build) {
    build.onResolve({ filter }, ({ path }) => ({ path: pathOf(path), external: true }));
  },
});

// esbuild names a class that mentions itself `_Name`, which stack traces would show.
function restoreClassNames({ path, text }) {
  const names = [...text.matchAll(/\bvar (\w+) = class _\1\b/g)].map(([, name]) => name);
  const restored = names.reduce((all, name) => {
    return all.replace(new RegExp(`\\b_${name}\\b`, 'g'), name);
  }, text);
  writeFileSync(path, restored);
}

async function bundleShells(esbuild) {
  const { outputFiles } = await esbuild.build({
    ...common,
    entryPoints: shells,
    bundle: true,
    splitting: true,
    external: ['node:*', '@modelcontextprotocol/*'],
    plugins: [externals('own-files', /^#(core|wasm|lite-|gateway-)/, (path) => ownFiles[path])],
    outdir: 'dist',
    chunkNames: '[name]-[hash]',
    sourcemap: 'linked',
    write: false,
  });
  outputFiles.forEach(restoreClassNames);
}

const entryText = ({ shell, loader, loaders, final }) =>
  [
    '// Chooses where the WebAssembly file is, and exports the package.',
    `import { wasm } from '${loader}';`,
    `import { provide } from './${loaders}/provided.js';`,
    `provide(wasm${final ? ', true' : ''});`,
    `export * from './${shell}.js';\n`,
  ].join('\n');

// The command imports the package's entries instead of bundling them.
async function bundleCommand(esbuild) {
  await esbuild.build({
    ...common,
    entryPoints: ['web/cli/main.ts'],
    bundle: true,
    platform: 'node',
    plugins: [
      externals('external-index', /^(\.\.\/)+index\.js$/, () => './server.js'),
      externals('external-gateway', /^\.\.\/gateway\.js$/, () => './gateway-server.js'),
    ],
    outfile: 'dist/cli.js',
  });
}

const commonJs = {
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  charset: 'utf8',
  // Jest runs CommonJS without dynamic import.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'importMetaUrl' },
};

// The loader of Node, in a folder that is one level deeper.
async function copyCommonJsLoader(esbuild, { name, loaders }) {
  mkdirSync(join(dist, 'cjs', loaders), { recursive: true });
  for (const file of ['provided.js', 'node.js']) {
    const text = readFileSync(join(dist, loaders, file), 'utf8')
      .replace(`../${name}.wasm`, `../../${name}.wasm`)
      .replace('./inline.js', `../../${loaders}/inline.js`);
    const banner = "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;";
    const options = { ...commonJs, banner: text.includes('import.meta') ? banner : '' };
    const { code } = await esbuild.transform(text, options);
    write(`cjs/${loaders}/${file}`, code);
  }
}

// CommonJS for Jest, and for `require` in versions of Node that cannot require ES modules.
async function writeCommonJs(esbuild) {
  const own = new Set(['dist/cli.js', ...entries.map(({ file }) => `dist/${file}`)]);
  const isShared = (file) => /^dist\/[^/]+\.js$/.test(file) && !own.has(file);
  mkdirSync(join(dist, 'cjs'));
  for (const file of filesBelow('dist', ['.js']).filter(isShared)) {
    const text = readFileSync(join(root, file), 'utf8').replace(/^\/\/# sourceMappingURL.*/m, '');
    const { code } = await esbuild.transform(text, commonJs);
    write(`cjs/${basename(file)}`, code);
  }
  for (const module of modules) await copyCommonJsLoader(esbuild, module);
  for (const entry of entries.filter(({ loader }) => loader.endsWith('/url.js'))) {
    const text = entryText({ ...entry, loader: `./${entry.loaders}/node.js` });
    const { code } = await esbuild.transform(text, commonJs);
    write(`cjs/${entry.file}`, code);
  }
  write('cjs/package.json', '{ "type": "commonjs" }\n');
}

// For <link integrity> and fetch(url, { integrity }).
function writeIntegrity() {
  const hashOf = (name) => createHash('sha384').update(wasmOf(name)).digest('base64');
  const hashes = modules.map(({ name }) => [`${name}.wasm`, `sha384-${hashOf(name)}`]);
  write('integrity.json', `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`);
}

// The works of others that the package contains.
function writeComponents() {
  const components = readComponents();
  const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  write('THIRD-PARTY-NOTICES.txt', thirdPartyNotices(components));
  write('sbom.cdx.json', billOfMaterials(components, project));
}

async function writeModules(esbuild, chosen) {
  for (const module of chosen) {
    await copyModule(esbuild, module);
    await copyLoaders(esbuild, module);
  }
}

/** Writes what the playground needs of dist/: it bundles the shell itself. */
export async function writeCore() {
  mkdirSync(dist, { recursive: true });
  await writeModules(await import('esbuild'), [modules[0]]);
  writeComponents();
}

async function bundle() {
  const esbuild = await import('esbuild');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  await writeModules(esbuild, modules);
  await bundleShells(esbuild);
  for (const entry of entries) write(entry.file, entryText(entry));
  await writeCommonJs(esbuild);
  writeIntegrity();
  writeComponents();
  for (const [name, file] of Object.entries(schemas))
    cpSync(join(root, file), join(dist, 'schemas', name));
  await bundleCommand(esbuild);
}

async function emitTypes() {
  const tsc = 'node_modules/typescript/bin/tsc';
  await run(process.execPath, [tsc, '-p', 'tsconfig.types.json']);
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
  await step('bundle the package', () =>
    bundle().catch((error) => {
      throw new SetupError(error.message);
    }),
  );
  await step('emit type declarations', emitTypes);
  printSizes();
  setStamp('package', hash);
}
