// Installs the npm packages of package-lock.json.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, root, run, step } from './run.mjs';

const readPackages = (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages;

// npm writes a lock file of the installed packages. It omits packages for other platforms.
function isInstalled() {
  const installed = 'node_modules/.package-lock.json';
  if (!existsSync(join(root, installed))) return false;
  const present = readPackages(installed);
  return Object.entries(readPackages('package-lock.json')).every(
    ([path, wanted]) =>
      path === '' || (present[path] ? present[path].version === wanted.version : wanted.optional),
  );
}

/** Runs `npm ci` unless node_modules already matches the lock file. */
export async function installNpmPackages() {
  if (isInstalled()) return;
  await step('npm ci', async () => {
    try {
      await run('npm', ['ci', '--no-audit', '--no-fund']);
    } catch (error) {
      throw new SetupError(
        `${error.message}\n\nnpm ci failed. Check that registry.npmjs.org is reachable.`,
      );
    }
  });
}
