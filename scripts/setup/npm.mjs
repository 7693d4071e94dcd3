// Installs the npm packages of a package-lock.json.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { SetupError, root, run, step } from './run.mjs';

const readPackages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;

// npm writes a lock file of the installed packages. It omits packages for other platforms.
function isInstalled(folder) {
  const installed = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const present = readPackages(installed);
  return Object.entries(readPackages(join(folder, 'package-lock.json'))).every(
    ([path, wanted]) =>
      path === '' || (present[path] ? present[path].version === wanted.version : wanted.optional),
  );
}

/** Runs `npm ci` in a folder, by default the root, unless its node_modules already matches its lock file. */
export async function installNpmPackages(folder = root) {
  if (isInstalled(folder)) return;
  const where = relative(root, folder);
  await step(where ? `npm ci in ${where}` : 'npm ci', async () => {
    try {
      await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
    } catch (error) {
      throw new SetupError(
        `${error.message}\n\nnpm ci failed. Check that registry.npmjs.org is reachable.`,
      );
    }
  });
}
