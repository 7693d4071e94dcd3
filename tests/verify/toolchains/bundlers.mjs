// Bundlers that write files, which then run in Chromium or in a folder without node_modules.
import { join } from 'node:path';
import { pageScript, pageWith, turnInFolder } from '../../support/turn-page.mjs';
import { turnFrom } from '../../support/turn-source.mjs';
import { installFolder } from './folder.mjs';

const programScript = `
import { turn } from './turn.mjs';
turn().then(console.log, (error) => {
  console.error(error);
  process.exitCode = 1;
});
`;

const moduleTag = (src) => `<script type="module" src="${src}"></script>`;
const scriptTag = (src) => `<script src="${src}"></script>`;
const commonJsTag = (src) => `<script>var module = { exports: {} };</script>${scriptTag(src)}`;

async function runInPage(folder, { page, file }) {
  if (page) folder.write({ 'out/index.html': pageWith(page(file.replace(/^out\//, './'))) });
  return turnInFolder(join(folder.path, 'out'));
}

// `main` is the file to run, if `file` is a folder.
const runAlone = (folder, { file, main = file }) => folder.alone(file).node(main);

/**
 * Returns cases of one bundler. `file` is what the build writes. With `page`, which returns the tag of a script, or
 * `hasPage`, if the bundler writes the page, it runs in Chromium, else alone in Node.
 */
function casesOf({ tool, name, packages }, uses) {
  return uses.map(({ use, files = {}, build, ...output }) => {
    const inPage = Boolean(output.page ?? output.hasPage);
    return {
      ...{ tool, use, runsIn: inPage ? 'Chromium' : 'Node' },
      async run(context) {
        const folder = await installFolder(name, context, { tools: packages });
        folder.write({
          'turn.mjs': turnFrom(),
          'main.mjs': inPage ? pageScript : programScript,
          ...files,
        });
        await build(folder);
        const text = await (inPage ? runInPage : runAlone)(folder, output);
        return { text, version: folder.versionOf(Object.keys(packages)[0]) };
      },
    };
  });
}

const esbuild = (...args) => {
  return (folder) => folder.bin('esbuild', 'main.mjs', '--bundle', ...args);
};

const esbuildCases = casesOf(
  { tool: 'esbuild', name: 'esbuild', packages: { esbuild: '0.28.2' } },
  [
    {
      ...{ use: 'browser, ESM', page: moduleTag, file: 'out/page.js' },
      build: esbuild('--format=esm', '--outfile=out/page.js'),
    },
    {
      ...{ use: 'browser, CommonJS', page: commonJsTag, file: 'out/page-cjs.js' },
      build: esbuild('--format=cjs', '--outfile=out/page-cjs.js'),
    },
    {
      ...{ use: 'browser, IIFE', page: scriptTag, file: 'out/page-iife.js' },
      build: esbuild('--format=iife', '--outfile=out/page-iife.js'),
    },
    {
      ...{ use: 'Node, ESM', file: 'node.mjs' },
      build: esbuild('--platform=node', '--format=esm', '--outfile=node.mjs'),
    },
    {
      ...{ use: 'Node, CommonJS', file: 'node.cjs' },
      build: esbuild('--platform=node', '--format=cjs', '--outfile=node.cjs'),
    },
    {
      ...{ use: 'Node, IIFE', file: 'node-iife.cjs' },
      build: esbuild('--platform=node', '--format=iife', '--outfile=node-iife.cjs'),
    },
  ],
);

const rollup = (folder) =>
  folder.bin('rollup', 'main.mjs', '-p', '@rollup/plugin-node-resolve', '-d', 'out', '-f', 'es');

const rollupCases = casesOf(
  {
    ...{ tool: 'Rollup', name: 'rollup' },
    packages: { rollup: '4.68.7', '@rollup/plugin-node-resolve': '16.0.3' },
  },
  [
    { use: 'browser', page: moduleTag, file: 'out/main.js', build: rollup },
    { use: 'Node', file: 'out', main: 'out/main.js', build: rollup },
  ],
);

const rolldown = (platform) => (folder) =>
  folder.bin('rolldown', 'main.mjs', '--platform', platform, '-d', 'out', '-f', 'esm');

const rolldownCases = casesOf(
  { tool: 'Rolldown', name: 'rolldown', packages: { rolldown: '1.3.2' } },
  [
    {
      ...{ use: 'browser', page: moduleTag, file: 'out/main.js' },
      build: rolldown('browser'),
    },
    { use: 'Node', file: 'out', main: 'out/main.js', build: rolldown('node') },
  ],
);

// The options that every build needs.
const packConfig = (target) => `
export default {
  mode: 'production',
  entry: './main.mjs',
  target: '${target}',
  output: { path: import.meta.dirname + '/out', filename: 'main.cjs', clean: true },
};
`;

const packCases = (bundler, command) => {
  const build = (folder) => folder.bin(command, 'build', '-c', 'pack.config.mjs');
  return casesOf(bundler, [
    {
      ...{ use: 'browser', page: scriptTag, file: 'out/main.cjs', build },
      files: { 'pack.config.mjs': packConfig('web') },
    },
    {
      ...{ use: 'Node', file: 'out', main: 'out/main.cjs', build },
      files: { 'pack.config.mjs': packConfig('node') },
    },
  ]);
};

const parcelCases = casesOf({ tool: 'Parcel', name: 'parcel', packages: { parcel: '2.16.4' } }, [
  {
    ...{ use: 'browser', hasPage: true },
    files: { 'index.html': pageWith(moduleTag('./main.mjs')) },
    build: (folder) =>
      folder.bin('parcel', 'build', 'index.html', '--dist-dir', 'out', '--no-cache'),
  },
]);

const bun = (target, file) => (folder) =>
  folder.bin('bun', 'build', 'main.mjs', `--target=${target}`, `--outdir=${file}`);

const bunCases = casesOf({ tool: 'Bun', name: 'bun', packages: { bun: '1.4.5' } }, [
  {
    ...{ use: '`bun build`, browser', page: moduleTag, file: 'out/main.js' },
    build: bun('browser', 'out'),
  },
  {
    ...{ use: '`bun build`, Node', file: 'out-node', main: 'out-node/main.js' },
    build: bun('node', 'out-node'),
  },
]);

export const bundlerCases = [
  ...esbuildCases,
  ...rollupCases,
  ...rolldownCases,
  ...packCases(
    {
      ...{ tool: 'webpack', name: 'webpack' },
      packages: { webpack: '5.112.2', 'webpack-cli': '7.3.1' },
    },
    'webpack',
  ),
  ...packCases(
    {
      ...{ tool: 'Rspack', name: 'rspack' },
      packages: { '@rspack/core': '2.3.2', '@rspack/cli': '2.2.8' },
    },
    'rspack',
  ),
  ...parcelCases,
  ...bunCases,
];
