// Makes folders next to the installed package, and bundles programs there that send a turn to the emulator.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../../scripts/setup/run.mjs';
import { consumer } from '../support/consumer.mjs';
import { turnFrom } from '../support/turn-source.mjs';

/** Prints the answer of a turn. */
export const programScript = `
import { turn } from './turn.mjs';
turn().then(console.log, (error) => {
  console.error(error);
  process.exitCode = 1;
});
`;

/**
 * Returns a new folder with turn.mjs and these files.
 * @param {string} name
 * @param {{ [name: string]: string }} files
 */
export function makeFolder(name, files) {
  const folder = join(consumer, 'bundles', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries({ 'turn.mjs': turnFrom(), ...files })) {
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

/** Runs the bundle `file` in a folder that contains nothing else. */
export function runAlone(folder, file, name) {
  const alone = join(root, 'build', 'bundles', name);
  rmSync(alone, { recursive: true, force: true });
  cpSync(folder, alone, { recursive: true });
  return run(process.execPath, [join(alone, file)], { cwd: alone });
}

/** Bundles main.mjs with esbuild. */
export async function bundleWithEsbuild(folder, outfile, options) {
  const { build } = await import('esbuild');
  const entryPoints = [join(folder, 'main.mjs')];
  const common = { bundle: true, absWorkingDir: folder, logLevel: 'silent' };
  await build({ ...common, entryPoints, outfile: join(folder, outfile), ...options });
}

/** Bundles main.mjs with webpack as out/main.cjs. */
export async function bundleWithWebpack(folder, target) {
  const { default: webpack } = await import('webpack');
  const output = { path: join(folder, 'out'), filename: 'main.cjs' };
  // Terser takes seconds.
  const optimization = { minimize: false };
  const settings = { context: folder, mode: 'production', optimization, target, output };
  const stats = await new Promise((resolve, reject) =>
    webpack({ ...settings, entry: './main.mjs' }, (error, result) =>
      error ? reject(error) : resolve(result),
    ),
  );
  if (stats.hasErrors()) throw new Error(stats.toString());
}
