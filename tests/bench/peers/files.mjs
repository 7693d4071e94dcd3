// Names the file of the figures.
import { join } from 'node:path';
import { root } from '../../../scripts/setup/run.mjs';

/** The file that `npm run bench -- peers` writes. */
export const peersFile = join(root, 'build', 'bench', 'peers.json');
