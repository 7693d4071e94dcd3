// The part "toolchains": in each bundler, runtime and test runner, a turn is sent to the emulator and answered, with
// the packed package and without settings of the toolchain.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/run.mjs';
import { setBlock } from './blocks.mjs';
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
 * @property {string} use
 * @property {string} runsIn
 * @property {boolean} [inline] whether it imports the inline entries
 * @property {(context: { tarball: string }) => Promise<{ text: string, version: string }>} run
 */

/** @param {Toolchain} toolchain */
function caseOf({ tool, use, runsIn, inline: isInline, run }) {
  return {
    name: `${tool}, ${use}`,
    run: async (context) => {
      const { text, version } = await run(context);
      if (!/^answered 2: ./m.test(text)) throw new Error(`no answer\n${text}`);
      return [tool, version, use, runsIn, isInline ? inline : both];
    },
  };
}

async function prepare() {
  const { prepareConsumer, consumer } = await import('../../tests/js/consumer.mjs');
  await prepareConsumer();
  const tarball = join(consumer, 'prompt-strata.tgz');
  const key = createHash('sha256').update(readFileSync(tarball)).digest('hex').slice(0, 12);
  return { key, context: { tarball } };
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
