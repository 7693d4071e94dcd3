// Why this file exists: the tools from npm, exactly as package-lock.json names them, installed once.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, root, run, step } from './run.mjs';

const readPackages = (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages;

// npm leaves a lock file of what it installed; packages for other platforms are not in it.
function isInstalled() {
  const installed = 'node_modules/.package-lock.json';
  if (!existsSync(join(root, installed))) return false;
  const there = readPackages(installed);
  return Object.entries(readPackages('package-lock.json')).every(
    ([path, wanted]) =>
      path === '' || (there[path] ? there[path].version === wanted.version : wanted.optional),
  );
}

/** Runs `npm ci` unless node_modules already is what the lock file says. */
export async function installNpmPackages() {
  if (isInstalled()) return;
  await step('npm ci', async () => {
    try {
      await run('npm', ['ci', '--no-audit', '--no-fund']);
    } catch (error) {
      throw new SetupError(`${error.message}\n\nnpm ci failed; is registry.npmjs.org reachable?`);
    }
  });
}
