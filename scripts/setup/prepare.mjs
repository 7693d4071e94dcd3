// Installs and builds what a command needs.
//
//     import { prepare } from './setup/prepare.mjs';
//     await prepare('package');
//
// Uses only Node modules, because it runs before anything is installed.
import { buildPreset, wasmPreset } from './cmake.mjs';
import { withLock } from './lock.mjs';
import { installNpmPackages } from './npm.mjs';
import { buildPackage, modules, writeModules } from './package.mjs';
import { SetupError, main, step } from './run.mjs';
import { checkSyntax } from './syntax.mjs';
import { installSystemPackages } from './system.mjs';
import { writeTables } from './tables.mjs';

// What a target needs comes before it. The others run at once: packages are downloaded while the first compiler runs.
const targets = {
  npm: { run: installNpmPackages },
  tables: { needs: ['npm'], run: writeTables },
  'lint-tools': { needs: ['tables'], system: ['lint', 'native', 'wasm'] },
  syntax: { system: 'wasm', run: () => step('em++ -fsyntax-only', checkSyntax) },
  browsers: { needs: ['npm'], system: 'browsers' },
  native: { system: 'native', run: () => buildPreset('native') },
  gates: { system: ['native', 'gates'], run: () => buildPreset('gates', 'instructions') },
  'jinja-engine': { system: 'native', run: () => buildPreset('native', 'jinja_grade') },
  'jinja-oracle': { system: 'jinja-oracle' },
  asan: { system: 'clang', run: () => buildPreset('asan') },
  fuzz: { system: 'clang', run: () => buildPreset('fuzz') },
  wasm: { system: 'wasm', run: () => buildPreset(wasmPreset, ...modules, 'unpack') },
  // What the playground needs of the package.
  page: { needs: ['tables', 'wasm'], run: writeModules },
  'wasm-tests': { needs: ['wasm'], run: () => buildPreset(wasmPreset) },
  package: { needs: ['tables', 'wasm'], run: buildPackage },
};

function withNeeds(names) {
  return new Set(names.flatMap((name) => [...withNeeds(targets[name].needs ?? []), name]));
}

function checkNode() {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < 20)
    throw new SetupError(`Node.js 20 or later is required. This is ${node}.`);
}

// All end before an error is reported, so that none goes on behind it.
async function runAll(chosen) {
  const ends = {};
  for (const [name, { needs = [], run }] of chosen)
    ends[name] = Promise.all(needs.map((one) => ends[one])).then(() => run?.());
  const results = await Promise.allSettled(Object.values(ends));
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * Installs and builds the named targets. On failure, exits the process with a message.
 * @param {...('npm' | 'tables' | 'lint-tools' | 'syntax' | 'browsers' | 'native' | 'gates' | 'jinja-engine' | 'jinja-oracle' | 'asan' | 'fuzz' |
 *   'wasm' | 'page' | 'wasm-tests' | 'package')} names
 */
export async function prepare(...names) {
  const wanted = withNeeds(names);
  const chosen = Object.entries(targets).filter(([name]) => wanted.has(name));
  const kinds = chosen.flatMap(([, target]) => target.system ?? []);
  await main(() =>
    withLock(async () => {
      checkNode();
      await installSystemPackages(kinds);
      await runAll(chosen);
    }),
  );
}
