// Configures and builds CMake presets.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { jobs, root, run, step } from './run.mjs';

/** The WebAssembly preset: Debian's Emscripten, or the emsdk in EMSDK. */
export const wasmPreset = process.env.EMSDK ? 'wasm-emsdk' : 'wasm';

/** Creates or updates the build files of a preset. */
export async function configure(preset) {
  // Runs the WebAssembly tests in this Node instead of Emscripten's.
  const node = preset.startsWith('wasm')
    ? [`-DCMAKE_CROSSCOMPILING_EMULATOR=${process.execPath}`]
    : [];
  await run('cmake', ['--preset', preset, ...node]);
}

// Whether a preset's folder was configured for this place. A renamed or copied checkout brings one that was not, which
// would go on building in the old place.
function isConfigured(folder) {
  const cache = join(folder, 'CMakeCache.txt');
  if (!existsSync(join(folder, 'build.ninja')) || !existsSync(cache)) return false;
  const home = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$/m.exec(readFileSync(cache, 'utf8'))?.[1];
  return home === root;
}

// Builds run one after the other, because each keeps all processors busy.
let lastBuild = Promise.resolve();

/** Builds the given targets of a preset, or all targets. Configures the preset on first use. */
export function buildPreset(preset, ...targets) {
  lastBuild = lastBuild.then(() => build(preset, targets));
  return lastBuild;
}

async function build(preset, targets) {
  const name = `build ${preset}${targets.length > 0 ? `: ${targets.join(' ')}` : ''}`;
  await step(name, async () => {
    const folder = join(root, 'build', preset);
    if (!isConfigured(folder)) {
      rmSync(folder, { recursive: true, force: true });
      await configure(preset);
    }
    const chosen = targets.length > 0 ? ['--target', ...targets] : [];
    await run('cmake', ['--build', '--preset', preset, '-j', String(jobs), ...chosen]);
  });
}
