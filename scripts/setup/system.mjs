// Why this file exists: a new Debian 12 has Node and nothing else. This installs the Debian packages
// that a command needs, and only those; elsewhere it says what to install.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { SetupError, run, step } from './run.mjs';

// Package -> what shows that it is there: a program, or a file by its absolute path.
const build = {
  cmake: 'cmake',
  'ninja-build': 'ninja',
  googletest: '/usr/src/googletest/CMakeLists.txt',
  'nlohmann-json3-dev': '/usr/include/nlohmann/json.hpp',
};
const webkit = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

/** The Debian packages of each kind of work. */
export const packages = {
  native: { 'g++': 'g++', ...build },
  wasm: { emscripten: 'em++', ...build },
  lint: { 'clang-format': 'clang-format', 'clang-tidy': 'clang-tidy' },
  browsers: {
    chromium: 'chromium',
    'firefox-esr': 'firefox-esr',
    'webkit2gtk-driver': 'WebKitWebDriver',
    'libwebkit2gtk-4.1-0': webkit,
    xvfb: 'Xvfb',
    xauth: 'xauth',
    dbus: 'dbus-daemon',
  },
};

function isThere(probe) {
  if (probe.startsWith('/')) return existsSync(probe);
  return (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => existsSync(join(folder, probe)));
}

function refuse(reason, missing) {
  return new SetupError(
    `${reason} What is missing is installed on Debian 12, as root, by\n\n` +
      `    apt-get install --no-install-recommends ${missing.join(' ')}\n\n` +
      'On another system install the same programs; for Emscripten an emsdk, with EMSDK set.',
  );
}

async function aptInstall(missing) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const apt = ['-q', '-o', 'DPkg::Lock::Timeout=600', '-o', 'Acquire::Retries=3'];
  const install = ['install', '-y', '--no-install-recommends'];
  try {
    await run('apt-get', [...apt, 'update'], { env });
    await run('apt-get', [...apt, ...install, ...missing], { env });
  } catch (error) {
    const lines = error.message.split('\n').filter((line) => line.startsWith('E: '));
    throw refuse(`${lines.slice(-3).join('\n')}\n\napt-get failed; is there a network?`, missing);
  }
}

/** Installs what is missing for the given kinds of work. */
export async function installSystemPackages(kinds) {
  const wanted = Object.assign({}, ...kinds.map((kind) => packages[kind]));
  if (process.env.EMSDK) delete wanted.emscripten;
  const missing = Object.keys(wanted).filter((name) => !isThere(wanted[name]));
  if (missing.length === 0) return;
  if (!isThere('apt-get')) throw refuse('This is not Debian.', missing);
  if (process.getuid?.() !== 0) throw refuse('Installing packages needs root.', missing);
  await step(`apt-get install (${missing.length} packages)`, () => aptInstall(missing));
}
