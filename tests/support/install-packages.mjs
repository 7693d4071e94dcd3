// Installs npm packages at fixed versions in a folder of their own, for checks that need packages of other projects.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from '../../scripts/setup/run.mjs';

/**
 * Writes the package.json of a folder and installs its packages.
 * @param {string} folder
 * @param {{ [name: string]: string }} dependencies with versions
 */
export async function installPackages(folder, dependencies) {
  mkdirSync(folder, { recursive: true });
  const manifest = { name: basename(folder), private: true, type: 'module', dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const options = ['--no-audit', '--no-fund', '--silent', '--prefer-offline'];
  await run('npm', ['install', ...options], { cwd: folder });
}
