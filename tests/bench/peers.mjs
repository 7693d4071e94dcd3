// Compares prompt-strata with other clients of the Gemini API: a turn, a streamed answer, the start, memory, download.
// Writes build/bench/peers.json.
import { step } from '../../scripts/setup/run.mjs';
import { measuredHere } from '../support/machine.mjs';
import { packages } from './peers/candidates.mjs';
import { downloadTable, measureDownload } from './peers/download.mjs';
import { writePeers } from './peers/figures.mjs';
import { installPeers } from './peers/install.mjs';
import { measureMemory, memoryTable } from './peers/memory.mjs';
import { measureStart, startTable } from './peers/start.mjs';
import { measureStreams, streamTable } from './peers/streams.mjs';
import { measureTurns, turnTables } from './peers/turns.mjs';

const parts = {
  turns: { measure: measureTurns, tables: turnTables },
  streams: { measure: measureStreams, tables: streamTable },
  start: { measure: measureStart, tables: startTable },
  memory: { measure: measureMemory, tables: memoryTable },
  download: { measure: measureDownload, tables: downloadTable },
};

const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`);

/** Returns the tables of the figures in build/bench/peers.json. */
export function tablesOf(result) {
  const tables = Object.entries(parts).flatMap(([name, part]) => part.tables(result[name]));
  const [first, ...others] = tables;
  const about = `${first.about} The versions: ${versions.join(', ')}.`;
  const { measured } = result;
  return [{ ...first, about }, ...others].map((each) => ({ ...each, measured }));
}

/** @param {object} pkg the package */
export async function run(pkg) {
  const strata = await pkg.load();
  const folder = await step('install the other clients', installPeers);
  const measured = {};
  for (const [name, { measure }] of Object.entries(parts))
    measured[name] = await step(`measure ${name}`, () => measure({ strata, folder }));
  const result = { measured: measuredHere(), packages, ...measured };
  writePeers(result);
  return tablesOf(result);
}
