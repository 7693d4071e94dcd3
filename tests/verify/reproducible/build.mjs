// Builds the package of a commit in a new folder, as somebody else would.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from '../../../scripts/setup/run.mjs';

// No compiler cache: each build compiles every file. npm may take packages from its cache, whose hashes it compares with
// package-lock.json.
const caches = {
  ...{ CCACHE_DISABLE: '1', CMAKE_CXX_COMPILER_LAUNCHER: '' },
  ...{ npm_config_prefer_offline: 'true', npm_config_fetch_timeout: '60000' },
};

/**
 * How a build is done.
 * @typedef {object} Setting
 * @property {string} commit
 * @property {string} folder where the clone is, below a new folder of the system's folder for temporary files
 * @property {string} umask
 * @property {string} locale
 * @property {string} timeZone
 * @property {number} jobs compilers at once
 */

/** @param {Setting} setting */
function environmentOf({ locale, timeZone, jobs }) {
  return { ...caches, LC_ALL: locale, TZ: timeZone, STRATA_JOBS: String(jobs) };
}

/**
 * Clones the repository, builds a commit with `npm run build` and packs it.
 * @param {Setting} setting
 * @param {string} tarball where the package is written
 */
export async function buildPackage(setting, tarball) {
  const top = mkdtempSync(join(tmpdir(), 'strata-build-'));
  const clone = join(top, setting.folder);
  const env = environmentOf(setting);
  // Files get the modes that the umask of this shell leaves them.
  const shell = (command, cwd, ...args) =>
    run('sh', ['-c', `umask ${setting.umask}; ${command}`, 'sh', ...args], { cwd, env });
  try {
    mkdirSync(clone, { recursive: true });
    await shell('git clone --quiet --no-checkout "$1" .', clone, root);
    await shell('git checkout --quiet --detach "$1"', clone, setting.commit);
    await shell('npm run build', clone);
    const packed = join(top, 'packed');
    mkdirSync(packed);
    await shell('npm pack --silent --pack-destination "$1"', clone, packed);
    await shell('mv "$1"/*.tgz "$2"', clone, packed, tarball);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}
