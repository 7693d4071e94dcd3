// Installs the Debian packages that a command needs. On other systems, reports what to install.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { SetupError, run, step } from './run.mjs';

// Maps each package to a program or an absolute path that exists if the package is installed.
const build = {
  cmake: 'cmake',
  'ninja-build': 'ninja',
  googletest: '/usr/src/googletest/CMakeLists.txt',
  'nlohmann-json3-dev': '/usr/include/nlohmann/json.hpp',
};
const webkit = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

const libFuzzer = '/usr/lib/llvm-14/lib/clang/14.0.6/lib/linux/libclang_rt.fuzzer-x86_64.a';

/** The Debian packages for each kind of work. */
export const packages = {
  native: { 'g++': 'g++', ...build },
  // Its sanitizers and libFuzzer.
  clang: { clang: 'clang++', 'libclang-rt-14-dev': libFuzzer, llvm: 'llvm-symbolizer', ...build },
  wasm: { emscripten: 'em++', 'xz-utils': 'xz', ...build },
  gates: { valgrind: 'valgrind' },
  // The location for Debian's Python; another Python may have its own copy.
  'jinja-oracle': { 'python3-jinja2': '/usr/lib/python3/dist-packages/jinja2/__init__.py' },
  lint: { 'clang-format': 'clang-format', 'clang-tidy': 'clang-tidy' },
  container: { buildah: 'buildah' },
  browsers: {
    'chromium-headless-shell': 'chromium-headless-shell',
    'firefox-esr': 'firefox-esr',
    'webkit2gtk-driver': 'WebKitWebDriver',
    'libwebkit2gtk-4.1-0': webkit,
    xvfb: 'Xvfb',
    xauth: 'xauth',
    dbus: 'dbus-daemon',
  },
};

function isInstalled(probe) {
  if (probe.startsWith('/')) return existsSync(probe);
  return (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => existsSync(join(folder, probe)));
}

function missingPackagesError(reason, missing) {
  return new SetupError(
    `${reason} To install the missing packages on Debian 12, run as root:\n\n` +
      `    apt-get install --no-install-recommends ${missing.join(' ')}\n\n` +
      'On another system, install the same programs. For Emscripten, install the emsdk and set EMSDK.',
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
    throw missingPackagesError(
      `${lines.slice(-3).join('\n')}\n\napt-get failed. Check the network connection.`,
      missing,
    );
  }
}

/** Installs the missing packages for the given kinds of work. */
export async function installSystemPackages(kinds) {
  const wanted = Object.assign({}, ...kinds.map((kind) => packages[kind]));
  if (process.env.EMSDK) delete wanted.emscripten;
  const missing = Object.keys(wanted).filter((name) => !isInstalled(wanted[name]));
  if (missing.length === 0) return;
  if (!isInstalled('apt-get')) throw missingPackagesError('This system has no apt-get.', missing);
  if (process.getuid?.() !== 0)
    throw missingPackagesError('Installing packages requires root.', missing);
  await step(`apt-get install (${missing.length} packages)`, () => aptInstall(missing));
}
