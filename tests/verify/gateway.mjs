// The part "gateway": unmodified clients have a conversation with tools, without and with the gateway.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { hashClients, installClients, packageOf, versions } from '../support/pinned-clients.mjs';
import { prepare as preparePackage } from '../../scripts/setup/prepare.mjs';
import { run } from '../../scripts/setup/run.mjs';
import { filesBelow, hashFiles } from '../../scripts/setup/stamp.mjs';
import { runTrial } from './clients/gateway/trial.mjs';

const usesOfInteractions = [
  'interactions',
  'interactions, streamed',
  'interactions, thoughts not kept',
  'interactions, stored',
];

/** The clients: the package that gives each its name, and how it is used; clients/gateway has their trials. */
const clients = {
  'google-genai': {
    name: '@google/genai',
    uses: ['chat', 'chat, streamed', 'automatic calls'],
  },
  'google-genai-interactions': { name: '@google/genai', uses: usesOfInteractions },
  'google-genai-newest': { name: '@google/genai-newest', uses: usesOfInteractions },
  'generative-ai': { name: '@google/generative-ai', uses: ['chat', 'chat, streamed'] },
  'langchain-google-genai': { name: '@langchain/google-genai', uses: ['invoke', 'stream'] },
  'langchain-google': { name: '@langchain/google', uses: ['invoke', 'stream'] },
  'ai-sdk': {
    name: 'ai',
    uses: [
      ...['generateText', 'streamText'],
      ...['interactions, generateText', 'interactions, streamText', 'interactions, stored'],
    ],
  },
  genkit: { name: 'genkit', uses: ['generate', 'generateStream'] },
  'genkit-interactions': {
    name: 'genkit',
    uses: ['interactions, Antigravity agent', 'interactions, Deep Research agent, stored'],
  },
  firebase: { name: '@firebase/ai', uses: ['chat', 'chat, streamed'] },
  'gemini-cli': { name: '@google/gemini-cli', uses: ['`--prompt`, `--resume`', '`--acp`'] },
  openai: { name: 'openai', uses: ['chat', 'stream', 'runTools', 'parse'] },
  python: { uses: ['program'] },
};

/** Reads what the trials need of the package. */
async function readTools() {
  const { createEmulator } = await import('prompt-strata/testing');
  const { serve } = await import('prompt-strata/node');
  const { createGateway } = await import('prompt-strata/gateway');
  return { createEmulator, serve, createGateway };
}

async function prepare() {
  await preparePackage('package');
  const folder = await installClients();
  const hash = createHash('sha256').update(hashClients('gateway'));
  hash.update(hashFiles([...filesBelow('dist'), 'package.json']));
  const context = { folder, tools: await readTools() };
  return { key: hash.digest('hex').slice(0, 12), context };
}

/** Runs a use of a client in a process of its own. */
async function runClient(folder, client, use, baseUrl) {
  const args = [join('gateway', 'run.mjs'), client, use, baseUrl];
  const text = await run(process.execPath, args, { cwd: folder });
  return JSON.parse(/^result (.*)$/m.exec(text)[1]);
}

async function pythonVersion() {
  const [, version] = /Python ([\d.]+)/.exec(await run('python3', ['--version']));
  return version;
}

function casesOf([client, { name, uses }]) {
  return uses.map((use) => ({
    name: `${name ?? 'Python, standard library'}, ${use}`,
    async run({ folder, tools }) {
      const trial = { client, use, run: (baseUrl) => runClient(folder, client, use, baseUrl) };
      const { without, changes } = await runTrial(tools, trial);
      return [
        name ? `\`${packageOf(name)}\`` : 'Python, standard library',
        name ? versions[name] : await pythonVersion(),
        ...[use, changes.join('; ') || '–', without, 'passes'],
      ];
    },
  }));
}

const head = ['Client', 'Version', 'Used as', 'What it changes', 'Without', 'Through the gateway'];

/** @type {import('./run-part.mjs').Part} */
export default {
  title: 'Gateway',
  about:
    'Each row: an unmodified client in a process of its own makes two steps of two parallel calls and two further ' +
    'turns, against the emulator with the rules of `gemini-3.8-flash`. What it changes: compared with what the ' +
    'model gave, in its last request. Without: sent to the model directly. Through the gateway: every request ' +
    'reached the model with all real signatures at their Parts, none with a placeholder or a false one, and was ' +
    'accepted. Used as "interactions": through the Interactions API, stateless (`store: false`) or "stored" ' +
    '(`previous_interaction_id`); all signatures, calls with their ids, and texts reached the model in their order.',
  head,
  cases: Object.entries(clients).flatMap(casesOf),
  prepare,
};
