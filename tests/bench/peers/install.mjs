// Installs the other clients in build/clients, next to this package and the files of the benchmark.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installClients } from '../../support/pinned-clients.mjs';
import { root } from '../../../scripts/setup/run.mjs';

/** Installs everything; returns the folder. */
export async function installPeers() {
  const folder = await installClients();
  const own = join(folder, 'node_modules', 'prompt-strata');
  const copies = {
    dist: join(own, 'dist'),
    'package.json': join(own, 'package.json'),
    'tests/bench': join(folder, 'tests', 'bench'),
  };
  for (const [from, to] of Object.entries(copies)) {
    rmSync(to, { recursive: true, force: true });
    cpSync(join(root, from), to, { recursive: true });
  }
  return folder;
}
