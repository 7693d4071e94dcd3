// Runtimes and test runners: Node, Bun, Deno, workerd, Vitest, Jest.
import { run } from '../../../scripts/setup/run.mjs';
import { turnFrom } from '../../support/turn-source.mjs';
import { environment, installFolder } from './folder.mjs';

const main = "import { turn } from './turn.mjs';\nconsole.log(await turn());\n";

const commonJsMain = `
const { Conversation, GeminiClient, load } = require('prompt-strata');
const { createEmulator } = require('prompt-strata/testing');
const { loadChecker } = require('prompt-strata/check');
${turnFrom()
  .replace(/^import .*\n/gm, '')
  .replace('export async', 'async')}
`;

const jestMain = `
${commonJsMain}
const { connect } = require('prompt-strata');
const { emulatorPerTest } = require('prompt-strata/testing');
`;

// With the emulator of each test, whose hooks are global in Jest.
const testOf = (before, hooks) => `
${before}
const gemini = emulatorPerTest(${hooks});
test('a turn is answered', async () => {
  const text = await turn();
  expect(text).toMatch(/^answered/);
  console.log(text);
});
test('a written answer is read', async () => {
  gemini.answer('Written here.');
  const client = new GeminiClient({ fetch: gemini });
  const chat = await connect({ client, model: 'gemini-3.8-flash' });
  expect((await chat.ask('Hello')).text).toBe('Written here.');
  expect(gemini.lastRequest.body).toMatchObject({ contents: [{ parts: [{ text: 'Hello' }] }] });
});
`;

const vitestMain = `
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GeminiClient, connect } from 'prompt-strata';
import { emulatorPerTest } from 'prompt-strata/testing';
import { turn } from './turn.mjs';
`;

const imported = { use: '`import`', args: ['main.mjs'] };
const required = { use: '`require`', args: ['required.cjs'] };
const withoutModules = {
  use: '`require` without ES modules (before Node 20.19)',
  args: ['--no-experimental-require-module', 'required.cjs'],
};

// The Node that runs this, which is the oldest one that the package supports, or a newer one from npm.
const nodeCaseOf =
  (version) =>
  ({ use, args }) => {
    const major = version?.split('.')[0];
    return {
      ...{ tool: 'Node', major, use, runsIn: 'Node' },
      async run(context) {
        const tools = version ? { node: version } : {};
        const folder = await installFolder(`node${major ?? ''}`, context, { tools });
        folder.write({
          ...{ 'turn.mjs': turnFrom(), 'main.mjs': main },
          'required.cjs': `${commonJsMain}turn().then(console.log);\n`,
        });
        const start = (...given) =>
          version ? folder.bin('node', ...given) : folder.node(...given);
        const used = await start('-p', 'process.versions.node');
        return { text: await start(...args), version: used.trim() };
      },
    };
  };

const nodeCases = [
  ...[imported, required, withoutModules].map(nodeCaseOf()),
  ...['22.23.3', '24.21.0', '26.10.0'].flatMap((version) =>
    [imported, required].map(nodeCaseOf(version)),
  ),
];

async function bunFolder(context) {
  const folder = await installFolder('bun', context, { tools: { bun: '1.4.5' } });
  folder.write({ 'turn.mjs': turnFrom(), 'main.mjs': main });
  return { folder, version: folder.versionOf('bun') };
}

const bunCases = [
  {
    use: '`bun run`',
    run: ({ folder }) => folder.bin('bun', 'run', 'main.mjs'),
  },
  {
    use: '`bun build --target=bun`',
    async run({ folder }) {
      await folder.bin('bun', 'build', 'main.mjs', '--target=bun', '--outdir=out-bun');
      // In another working folder than that of the bundle.
      return run(`${folder.path}/node_modules/.bin/bun`, ['out-bun/main.js'], {
        cwd: folder.alone('out-bun').path,
      });
    },
  },
  {
    use: '`bun build --compile`',
    async run({ folder }) {
      await folder.bin('bun', 'build', 'main.mjs', '--compile', '--outfile=program');
      const alone = folder.alone('program');
      return run(`${alone.path}/program`, [], { cwd: alone.path });
    },
  },
].map(({ use, run: runIn }) => ({
  ...{ tool: 'Bun', use, runsIn: 'Bun' },
  async run(context) {
    const made = await bunFolder(context);
    return { text: await runIn(made), version: made.version };
  },
}));

const denoCase = {
  ...{ tool: 'Deno', use: '`deno run` without permissions', runsIn: 'Deno' },
  async run(context) {
    const folder = await installFolder('deno', context, { tools: { deno: '2.9.5' } });
    folder.write({ 'turn.mjs': turnFrom(), 'main.mjs': main });
    const options = ['--quiet', '--no-lock', '--no-prompt', '--node-modules-dir=manual'];
    const text = await folder.bin('deno', 'run', ...options, 'main.mjs');
    return { text, version: folder.versionOf('deno') };
  },
};

const worker = `
import { turn } from './turn.mjs';
export default { fetch: async () => new Response(await turn()) };
`;

// The bundle of a deployment, in the workerd of Miniflare.
const wranglerCase = {
  ...{ tool: 'Wrangler', use: '`wrangler deploy`', runsIn: 'workerd' },
  async run(context) {
    const folder = await installFolder('wrangler', context, { tools: { wrangler: '4.86.0' } });
    folder.write({
      'turn.mjs': turnFrom(),
      'worker.mjs': worker,
      'wrangler.json': JSON.stringify({
        ...{ name: 'turn', main: 'worker.mjs', compatibility_date: '2026-04-01' },
      }),
      'serve.mjs': serveWorker,
    });
    await folder.bin('wrangler', 'deploy', '--dry-run', '--outdir', 'out');
    return { text: await folder.node('serve.mjs'), version: folder.versionOf('wrangler') };
  },
};

const serveWorker = `
import { Miniflare } from 'miniflare';
const miniflare = new Miniflare({
  host: '127.0.0.1', port: 0, cf: false, compatibilityDate: '2026-04-01',
  modules: true, modulesRoot: 'out', scriptPath: 'out/worker.js',
  modulesRules: [{ type: 'ESModule', include: ['**/*.js'] }, { type: 'CompiledWasm', include: ['**/*.wasm'] }],
});
const response = await miniflare.dispatchFetch('http://localhost/');
console.log(await response.text());
await miniflare.dispose();
`;

const testCases = [
  {
    ...{ tool: 'Vitest', use: 'default configuration', runsIn: 'Node' },
    async run(context) {
      const folder = await installFolder('vitest', context, { tools: { vitest: '4.1.12' } });
      const text = testOf(vitestMain, '{ beforeEach, afterEach }');
      folder.write({ 'turn.mjs': turnFrom(), 'turn.test.mjs': text });
      return { text: await folder.bin('vitest', 'run'), version: folder.versionOf('vitest') };
    },
  },
  {
    ...{ tool: 'Jest', use: 'default configuration (CommonJS)', runsIn: 'Node' },
    async run(context) {
      const options = { tools: { jest: '30.5.2' }, type: 'commonjs' };
      const folder = await installFolder('jest', context, options);
      folder.write({ 'turn.test.js': testOf(jestMain, '') });
      const text = await run(folder.path + '/node_modules/.bin/jest', [], {
        cwd: folder.path,
        env: environment,
      });
      return { text: text.replace(/^ +(?=answered)/gm, ''), version: folder.versionOf('jest') };
    },
  },
];

export const runtimeCases = [...nodeCases, ...bunCases, denoCase, wranglerCase, ...testCases];
