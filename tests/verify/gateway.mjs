// The part "gateway": unmodified clients have a conversation with tools, without and with the gateway.
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from '../support/install-packages.mjs';
import { prepare as preparePackage } from '../../scripts/setup/prepare.mjs';
import { root, run } from '../../scripts/setup/run.mjs';
import { filesBelow, hashFiles } from '../../scripts/setup/stamp.mjs';
import { setBlock } from './blocks.mjs';
import { runTrial } from './gateway/trial.mjs';

const folder = join(root, 'build', 'verify', 'gateway');
const trials = join(root, 'tests', 'verify', 'gateway');

/** The clients: their packages, of which the first gives a client its name, and how they are used. */
const clients = {
  'google-genai': {
    packages: { '@google/genai': '3.1.0' },
    uses: ['chat', 'chat, streamed', 'automatic calls'],
  },
  'generative-ai': {
    packages: { '@google/generative-ai': '0.24.1' },
    uses: ['chat', 'chat, streamed'],
  },
  'langchain-google-genai': {
    packages: { '@langchain/google-genai': '2.3.2', '@langchain/core': '1.4.0' },
    uses: ['invoke', 'stream'],
  },
  'langchain-google': {
    packages: { '@langchain/google': '0.2.6', '@langchain/core': '1.4.0' },
    uses: ['invoke', 'stream'],
  },
  'ai-sdk': {
    packages: { ai: '7.0.173', '@ai-sdk/google': '4.0.121' },
    uses: ['generateText', 'streamText'],
  },
  genkit: {
    packages: { genkit: '1.42.0', '@genkit-ai/google-genai': '1.42.0' },
    uses: ['generate', 'generateStream'],
  },
  firebase: {
    packages: { '@firebase/ai': '2.16.0', '@firebase/app': '0.15.1' },
    uses: ['chat', 'chat, streamed'],
  },
  'gemini-cli': {
    packages: { '@google/gemini-cli': '0.61.0' },
    uses: ['`--prompt`, `--resume`', '`--acp`'],
  },
  openai: {
    packages: { openai: '7.57.0', zod: '4.6.7' },
    uses: ['chat', 'stream', 'runTools', 'parse'],
  },
  python: { packages: {}, uses: ['program'] },
};

const isTrial = (name) => /\.(?:mjs|py)$/.test(name);

/** Installs the clients. The package must be built. */
export async function prepareBuilt() {
  const dependencies = Object.assign({}, ...Object.values(clients).map((each) => each.packages));
  await installPackages(folder, dependencies);
  const files = readdirSync(trials).filter(isTrial);
  for (const name of files) cpSync(join(trials, name), join(folder, name));
  const hash = createHash('sha256').update(JSON.stringify(clients));
  hash.update(hashFiles([...filesBelow('dist'), 'package.json']));
  for (const name of files) hash.update(readFileSync(join(trials, name)));
  return { key: hash.digest('hex').slice(0, 12), context: await readTools() };
}

/** Reads what the trials need of the package. */
async function readTools() {
  const { createEmulator } = await import('prompt-strata');
  const { serve } = await import('prompt-strata/node');
  const { createGateway } = await import('prompt-strata/gateway');
  return { createEmulator, serve, createGateway };
}

async function prepare() {
  await preparePackage('package');
  return prepareBuilt();
}

/** Runs a use of a client in a process of its own. */
async function runClient(client, use, baseUrl) {
  const text = await run(process.execPath, ['run.mjs', client, use, baseUrl], { cwd: folder });
  return JSON.parse(/^result (.*)$/m.exec(text)[1]);
}

async function pythonVersion() {
  const [, version] = /Python ([\d.]+)/.exec(await run('python3', ['--version']));
  return version;
}

function casesOf([client, { packages, uses }]) {
  return uses.map((use) => {
    const [[name, version] = ['Python, standard library']] = Object.entries(packages);
    const title = version ? `\`${name}\`` : name;
    return {
      name: `${name}, ${use}`,
      async run(tools) {
        const trial = { client, use, run: (baseUrl) => runClient(client, use, baseUrl) };
        const { without, changes } = await runTrial(tools, trial);
        return [
          title,
          version ?? (await pythonVersion()),
          use,
          changes.join('; ') || '–',
          without,
          'passes',
        ];
      },
    };
  });
}

const head = ['Client', 'Version', 'Used as', 'What it changes', 'Without', 'Through the gateway'];

// The errors are in docs/verification.md; a reader of the README wants to know which requests fail.
const shorten = (without) => /^request \d+: \d+/.exec(without)?.[0] ?? without;

function publish(results) {
  const rows = results.map(({ cells }) => [...cells.slice(0, 4), shorten(cells[4]), cells[5]]);
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  setBlock(join(root, 'README.md'), 'gateway', lines.join('\n'));
}

/** @type {import('./run-part.mjs').Part} */
export default {
  title: 'Gateway',
  about:
    'Each row: an unmodified client in a process of its own makes two steps of two parallel calls and two further ' +
    'turns, against the emulator with the rules of `gemini-3.8-flash`. What it changes: compared with what the ' +
    'model gave, in its last request. Without: sent to the model directly. Through the gateway: every request ' +
    'reached the model with all real signatures at their Parts, none with a placeholder or a false one, and was ' +
    'accepted.',
  head,
  cases: Object.entries(clients).flatMap(casesOf),
  prepare,
  publish,
};
