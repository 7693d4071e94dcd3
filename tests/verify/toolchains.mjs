// The part "toolchains": in each bundler, runtime and test runner, a turn is sent to the emulator and answered, with
// the packed package and without settings of the toolchain.
import { join } from 'node:path';
import { prepare as preparePackage } from '../../scripts/setup/prepare.mjs';
import { filesBelow, hashFiles } from '../../scripts/setup/stamp.mjs';
import { bundlerCases } from './toolchains/bundlers.mjs';
import { nextCases } from './toolchains/next.mjs';
import { pageCases } from './toolchains/pages.mjs';
import { runtimeCases } from './toolchains/runtimes.mjs';
import { useChatCase } from './toolchains/use-chat.mjs';

/**
 * What a file of toolchains/ lists.
 * @typedef {object} Toolchain
 * @property {string} tool
 * @property {string} [major] of a tool that is tried in several versions
 * @property {string} use
 * @property {string} runsIn
 * @property {(context: { tarball: string }) => Promise<{ text: string, version: string }>} run
 */

/** @param {Toolchain} toolchain */
function caseOf({ tool, major, use, runsIn, run }) {
  return {
    name: `${major ? `${tool} ${major}` : tool}, ${use}`,
    run: async (context) => {
      const { text, version } = await run(context);
      if (!/^answered 2: ./m.test(text)) throw new Error(`no answer\n${text}`);
      return [tool, version, use, runsIn];
    },
  };
}

async function prepare() {
  await preparePackage('package', 'browsers');
  const { prepareConsumer, consumer } = await import('../support/consumer.mjs');
  await prepareConsumer();
  // Not the tarball: it contains the README.
  const key = hashFiles([...filesBelow('dist'), 'package.json']).slice(0, 12);
  return { key, context: { tarball: join(consumer, 'prompt-strata.tgz') } };
}

/** @type {import('./run-part.mjs').Part} */
export default {
  title: 'Toolchains',
  about:
    'Each row starts in an empty folder with the packed package, sends two turns to the emulator in the ' +
    'real runtime, reads the answers, and lints a request: all three modules are loaded. No toolchain has settings about this package. With `useChat`, a page chats with the Worker instead.',
  head: ['Tool', 'Version', 'Used as', 'Runs in'],
  cases: [...pageCases, ...bundlerCases, ...nextCases, useChatCase, ...runtimeCases].map(caseOf),
  prepare,
};
