// Installs the clients of other projects that verification and benchmarks run, at the versions of
// tests/verify/clients/package-lock.json.
import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { installNpmPackages } from '../../scripts/setup/npm.mjs';
import { root } from '../../scripts/setup/run.mjs';
import { filesBelow, hashFiles } from '../../scripts/setup/stamp.mjs';

const source = 'tests/verify/clients';
const manifest = readFileSync(join(root, source, 'package.json'), 'utf8');

/**
 * The versions of the clients, by the names of their packages. A second version of one has a name of its own, which
 * ends with `-newest`.
 * @type {{ [name: string]: string }}
 */
export const versions = Object.fromEntries(
  Object.entries(JSON.parse(manifest).dependencies).map(([name, version]) => [
    name,
    version.replace(/^npm:.*@/, ''),
  ]),
);

/** Returns what npm calls the package of a name. */
export const packageOf = (name) => name.replace(/-newest$/, '');

/** Copies tests/verify/clients to build/clients and installs its packages there. Returns that folder. */
export async function installClients() {
  const folder = join(root, 'build', 'clients');
  const isOurs = (path) => basename(path) !== 'node_modules';
  cpSync(join(root, source), folder, { recursive: true, filter: isOurs });
  await installNpmPackages(folder);
  return folder;
}

/** Returns a hash of the pinned versions and of a folder of trials. */
export const hashClients = (trials) =>
  hashFiles([`${source}/package-lock.json`, ...filesBelow(`${source}/${trials}`)]);
