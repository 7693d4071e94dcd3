// Reads and writes the figures of the last run, build/bench/peers.json.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../../scripts/setup/run.mjs';

const file = join(root, 'build', 'bench', 'peers.json');

export const readPeers = () => JSON.parse(readFileSync(file, 'utf8'));

export function writePeers(figures) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(figures, null, 1)}\n`);
}
