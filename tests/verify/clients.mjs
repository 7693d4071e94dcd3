// The part "clients": unmodified clients of the Gemini API send requests to the emulator as a server.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashClients, installClients, packageOf, versions } from '../support/pinned-clients.mjs';
import { prepare as preparePackage } from '../../scripts/setup/prepare.mjs';
import { run } from '../../scripts/setup/run.mjs';
import { features } from './clients/emulator/trials.mjs';

/** The package that gives each client its name; clients/emulator has its trials. */
const clients = {
  'google-genai': '@google/genai',
  'google-genai-newest': '@google/genai-newest',
  'ai-sdk': 'ai',
  langchain: '@langchain/google',
  genkit: 'genkit',
  firebase: '@firebase/ai',
};

async function prepare() {
  await preparePackage('package');
  const { prepareConsumer, consumer } = await import('../support/consumer.mjs');
  await prepareConsumer();
  const folder = await installClients();
  const hash = createHash('sha256').update(hashClients('emulator'));
  hash.update(readFileSync(join(consumer, 'prompt-strata.tgz')));
  return { key: hash.digest('hex').slice(0, 12), context: { folder } };
}

/** Runs the trials of a client in a process of its own. Returns true or an error for each feature that it has. */
async function resultsOf(client, folder) {
  const { startEmulator } = await import('../support/running-emulator.mjs');
  const emulator = await startEmulator();
  try {
    const args = [join('emulator', 'run.mjs'), client, emulator.url];
    const text = await run(process.execPath, args, { cwd: folder });
    return JSON.parse(/^results (.*)$/m.exec(text)[1]);
  } finally {
    await emulator.stop();
  }
}

function caseOf([client, name]) {
  return {
    name,
    async run({ folder }) {
      const results = await resultsOf(client, folder);
      const failed = Object.entries(results).filter(([, result]) => result !== true);
      if (failed.length > 0) throw new Error(failed.map((each) => each.join(': ')).join('\n'));
      const cells = features.map((each) => (results[each] ? 'yes' : '–'));
      return [`\`${packageOf(name)}\``, versions[name], ...cells];
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
