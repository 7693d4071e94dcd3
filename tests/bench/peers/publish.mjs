// Writes the table and the picture of the README from the figures of a run.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { peersPicture } from '../peers-picture.mjs';
import { root } from '../../../scripts/setup/run.mjs';
import { setBlock } from '../../support/blocks.mjs';
import { ms, times } from '../../support/table.mjs';
import { names, reference } from './candidates.mjs';

/** The rows of the README. */
const shown = [
  'thread',
  'prompt-strata',
  'plain',
  'google-genai-chats',
  'google-genai-models',
  'firebase',
  'ai-sdk',
  'langchain',
  'genkit',
];

function cellsOf({ turns, streams, start, download }, key) {
  const turn = (count) =>
    turns.measured.find((each) => each.key === key && each.turns === count).whole.median;
  const streamKey = key === 'prompt-strata' ? 'send' : key;
  const stream = streams.find((each) => each.key === streamKey).whole.median;
  const first = start.find((each) => each.key === key)?.requested.median;
  const gzip = download.find((each) => each.key === key)?.gzip;
  return {
    turns: [10, 1000, 5000].map(turn),
    ratio: turn(1000),
    stream,
    first,
    gzip,
  };
}

function rowOf(peers, key) {
  const cells = cellsOf(peers, key);
  const { ratio } = cellsOf(peers, reference);
  return [
    names[key],
    ...cells.turns.map(ms),
    times(ratio / cells.ratio),
    ms(cells.stream),
    cells.first === undefined ? '–' : ms(cells.first),
    cells.gzip === undefined ? '–' : `${(cells.gzip / 1000).toFixed(0)} kB`,
  ];
}

const head = [
  'Client',
  'Turn, 10 turns',
  '1,000 turns',
  '5,000 turns',
  'chats ÷ this, 1,000',
  '2,000 chunks',
  'Import to first request',
  'Download, gzip',
];

/** Returns the rows of the README as Markdown. */
export function readmeTable(peers) {
  const rows = [
    head,
    head.map((_, i) => (i === 0 ? '---' : '--:')),
    ...shown.map((key) => rowOf(peers, key)),
  ];
  const versions = Object.entries(peers.packages).map(
    ([name, version]) => `\`${name}\` ${version}`,
  );
  return [
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    `Measured: ${peers.measured}, with ${versions.join(', ')}.`,
  ].join('\n');
}

/** Writes both from figures. */
export function publishPeers(peers) {
  writeFileSync(join(root, 'docs', 'pictures', 'peers.svg'), peersPicture(peers));
  setBlock(join(root, 'README.md'), 'peers', readmeTable(peers));
}
