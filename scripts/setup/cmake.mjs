// Configures and builds CMake presets.
import { existsSync } from 'node:fs';
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

/** Builds the given targets of a preset, or all targets. Configures the preset on first use. */
export async function buildPreset(preset, ...targets) {
  const name = `build ${preset}${targets.length > 0 ? `: ${targets.join(' ')}` : ''}`;
  await step(name, async () => {
    if (!existsSync(join(root, 'build', preset, 'build.ninja'))) await configure(preset);
    const chosen = targets.length > 0 ? ['--target', ...targets] : [];
    await run('cmake', ['--build', '--preset', preset, '-j', String(jobs), ...chosen]);
  });
}
