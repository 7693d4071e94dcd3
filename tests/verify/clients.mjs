// The part "clients": unmodified clients of the Gemini API send requests to the emulator as a server.
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from '../support/install-packages.mjs';
import { root, run } from '../../scripts/setup/run.mjs';
import { features } from './clients/trials.mjs';

const folder = join(root, 'build', 'verify', 'clients');
const trials = join(root, 'tests', 'verify', 'clients');

/** The clients, with the packages that their trials import. The first package gives a client its name. */
const clients = {
  'google-genai': { '@google/genai': '2.32.0' },
  'ai-sdk': { ai: '7.0.173', '@ai-sdk/google': '4.0.121' },
  langchain: { '@langchain/google': '0.2.6', '@langchain/core': '1.4.0' },
  genkit: { genkit: '1.42.0', '@genkit-ai/google-genai': '1.42.0' },
  firebase: { '@firebase/ai': '2.16.0', '@firebase/app': '0.15.1' },
};

const filesOf = (path) => readdirSync(path).filter((name) => name.endsWith('.mjs'));

async function install() {
  await installPackages(folder, Object.assign({}, ...Object.values(clients)));
  for (const name of filesOf(trials)) cpSync(join(trials, name), join(folder, name));
}

async function prepare() {
  const { prepareConsumer, consumer } = await import('../support/consumer.mjs');
  await prepareConsumer();
  await install();
  const hash = createHash('sha256').update(JSON.stringify(clients));
  hash.update(readFileSync(join(consumer, 'prompt-strata.tgz')));
  for (const name of filesOf(trials)) hash.update(readFileSync(join(trials, name)));
  return { key: hash.digest('hex').slice(0, 12), context: undefined };
}

/** Runs the trials of a client in a process of its own. Returns true or an error for each feature that it has. */
async function resultsOf(client) {
  const { startEmulator } = await import('../support/running-emulator.mjs');
  const emulator = await startEmulator();
  try {
    const text = await run(process.execPath, ['run.mjs', client, emulator.url], { cwd: folder });
    return JSON.parse(/^results (.*)$/m.exec(text)[1]);
  } finally {
    await emulator.stop();
  }
}

function caseOf([client, packages]) {
  const [[name, version]] = Object.entries(packages);
  return {
    name,
    async run() {
      const results = await resultsOf(client);
      const failed = Object.entries(results).filter(([, result]) => result !== true);
      if (failed.length > 0) throw new Error(failed.map((each) => each.join(': ')).join('\n'));
      return [`\`${name}\``, version, ...features.map((each) => (results[each] ? 'yes' : '–'))];
    },
  };
}

/** @type {import('./run-part.mjs').Part} */
export default {
  title: 'Clients',
  about:
    'Each row: an unmodified client in a process of its own, with the base URL of `npx prompt-strata emulator` ' +
    '(`@firebase/ai` takes none: a `fetch` in front). –: the client has no such method.',
  head: ['Client', 'Version', ...features],
  cases: Object.entries(clients).map(caseOf),
  prepare,
};
