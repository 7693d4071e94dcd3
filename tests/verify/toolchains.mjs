// The part "toolchains": in each bundler, runtime and test runner, a turn is sent to the emulator and answered, with
// the packed package and without settings of the toolchain.
import { join } from 'node:path';
import { prepare as preparePackage } from '../../scripts/setup/prepare.mjs';
import { root } from '../../scripts/setup/run.mjs';
import { filesBelow, hashFiles } from '../../scripts/setup/stamp.mjs';
import { setBlock } from '../support/blocks.mjs';
import { bundlerCases } from './toolchains/bundlers.mjs';
import { nextCases } from './toolchains/next.mjs';
import { pageCases } from './toolchains/pages.mjs';
import { runtimeCases } from './toolchains/runtimes.mjs';

const both = '`prompt-strata`';
const inline = '`prompt-strata/inline`';

/**
 * What a file of toolchains/ lists.
 * @typedef {object} Toolchain
 * @property {string} tool
 * @property {string} [major] of a tool that is tried in several versions
 * @property {string} use
 * @property {string} runsIn
 * @property {boolean} [inline] whether it imports the inline entries
 * @property {(context: { tarball: string }) => Promise<{ text: string, version: string }>} run
 */

/** @param {Toolchain} toolchain */
function caseOf({ tool, major, use, runsIn, inline: isInline, run }) {
  return {
    name: `${major ? `${tool} ${major}` : tool}, ${use}`,
    run: async (context) => {
      const { text, version } = await run(context);
      if (!/^answered 2: ./m.test(text)) throw new Error(`no answer\n${text}`);
      return [tool, version, use, runsIn, isInline ? inline : both];
    },
  };
}

async function prepare() {
  await preparePackage('package');
  const { prepareConsumer, consumer } = await import('../support/consumer.mjs');
  await prepareConsumer();
  // Not the tarball: it contains the README, into which the results are written.
  const key = hashFiles([...filesBelow('dist'), 'package.json']).slice(0, 12);
  return { key, context: { tarball: join(consumer, 'prompt-strata.tgz') } };
}

// One row for each tool and import.
function publish(results) {
  const rows = new Map();
  for (const { cells } of results) {
    const [tool, version, use, , entry] = cells;
    const title = `${tool} ${version}`;
    const uses = rows.get(`${title}|${entry}`)?.[1] ?? [];
    rows.set(`${title}|${entry}`, [title, [...uses, use], entry]);
  }
  const lines = [...rows.values()].map(
    ([title, uses, entry]) => `| ${title} | ${uses.join('; ')} | ${entry} |`,
  );
  const head = ['| Toolchain | Used as | Import |', '| --- | --- | --- |'];
  setBlock(join(root, 'README.md'), 'toolchains', [...head, ...lines].join('\n'));
}

/** @type {import('./run-part.mjs').Part} */
export default {
  title: 'Toolchains',
  about:
    'Each row starts in an empty folder with the packed package, sends one turn with each core to the ' +
    'emulator in the real runtime, and reads the answer. No toolchain has settings about this package.',
  head: ['Tool', 'Version', 'Used as', 'Runs in', 'Import'],
  cases: [...pageCases, ...bundlerCases, ...nextCases, ...runtimeCases].map(caseOf),
  prepare,
  publish,
};
