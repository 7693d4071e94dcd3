// Why this file exists: one way to build a CMake preset, configured on first use.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { jobs, root, run, step } from './run.mjs';

/** Debian's Emscripten, or the emsdk that EMSDK names. */
export const wasmPreset = process.env.EMSDK ? 'wasm-emsdk' : 'wasm';

/** Writes or updates a preset's build files. */
export async function configure(preset) {
  // The WebAssembly tests must run in our Node, not in one that Emscripten brought.
  const node = preset.startsWith('wasm')
    ? [`-DCMAKE_CROSSCOMPILING_EMULATOR=${process.execPath}`]
    : [];
  await run('cmake', ['--preset', preset, ...node]);
}

/** Builds a preset's targets; all of them where none is named. */
export async function buildPreset(preset, ...targets) {
  const name = `build ${preset}${targets.length > 0 ? `: ${targets.join(' ')}` : ''}`;
  await step(name, async () => {
    if (!existsSync(join(root, 'build', preset, 'build.ninja'))) await configure(preset);
    const chosen = targets.length > 0 ? ['--target', ...targets] : [];
    await run('cmake', ['--build', '--preset', preset, '-j', String(jobs), ...chosen]);
  });
}
