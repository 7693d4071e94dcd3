// Builds build/consumer: a folder with the packed tarball installed and a copy of the portable tests, so the tests
// use the package like its users.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root, run } from '../../scripts/setup/run.mjs';
import { filesBelow, hashFiles, isFresh, setStamp } from '../../scripts/setup/stamp.mjs';
import { optionTable } from '../js/option-table.mjs';

/** The folder of the consumer; it contains the output of `npm pack` as prompt-strata.tgz. */
export const consumer = join(root, 'build', 'consumer');

// Modules that the portable tests share.
const helpers = [
  'assert.mjs',
  'finished-content.mjs',
  'interactions-chat.mjs',
  'long-history.mjs',
  'memory.mjs',
  'remote-server.mjs',
  'signature-memory.mjs',
  'strict-gateway.mjs',
];

// What these test is decided by the shell and by the same WebAssembly modules: of a runtime they need no more than the
// other files do. Node and workerd run them; the browsers, Bun and Deno leave them out, and `npm run verify -- browsers`
// runs all.
const alike = [
  'append-answer.mjs',
  'assemble.mjs',
  'caching.mjs',
  'compression-summaries.mjs',
  'compression.mjs',
  'costs.mjs',
  'emulator-methods.mjs',
  'errors.mjs',
  'every-option.mjs',
  'facts.mjs',
  'fallback.mjs',
  'gateway-openai.mjs',
  'gateway-signatures.mjs',
  'hints.mjs',
  'history-place.mjs',
  'import.mjs',
  'interaction-thread.mjs',
  'interactions.mjs',
  'lint.mjs',
  'loops.mjs',
  'messages.mjs',
  'mistakes.mjs',
  'models.mjs',
  'openai-dialect.mjs',
  'options.mjs',
  'pipeline.mjs',
  'places.mjs',
  'plugins.mjs',
  'prefix.mjs',
  'prompt.mjs',
  'repair.mjs',
  'request-fields.mjs',
  'response.mjs',
  'schema-tools.mjs',
  'schemas.mjs',
  'silence.mjs',
  'stored.mjs',
  'thread.mjs',
  'timeline.mjs',
  'tokens.mjs',
  'trouble.mjs',
  'wires.mjs',
];

/** Returns the portable test files, or only the one that STRATA_PORTABLE names. */
export function portableFiles() {
  const only = process.env.STRATA_PORTABLE;
  return readdirSync(join(root, 'tests', 'js', 'portable'))
    .filter((file) => file.endsWith('.mjs') && !helpers.includes(file))
    .filter((file) => !only || file === basename(only))
    .sort();
}

/** Returns the names of the portable test files that the browsers, Bun and Deno leave out. */
export const leftOut = () => (process.env.STRATA_PORTABLE ? [] : alike);

const write = (name, text) => writeFileSync(join(consumer, name), text);

async function installTarball() {
  rmSync(consumer, { recursive: true, force: true });
  mkdirSync(consumer, { recursive: true });
  const [{ filename }] = JSON.parse(
    await run('npm', ['pack', '--json', '--silent', '--pack-destination', consumer]),
  );
  cpSync(join(consumer, filename), join(consumer, 'prompt-strata.tgz'));
  rmSync(join(consumer, filename));
  write('package.json', '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--offline', '--silent', './prompt-strata.tgz'], { cwd: consumer });
}

function writeSuite() {
  const tests = join(root, 'tests', 'js');
  cpSync(join(tests, 'portable'), join(consumer, 'portable'), { recursive: true });
  cpSync(join(tests, 'run-cases.mjs'), join(consumer, 'run-cases.mjs'));
  cpSync(join(root, 'tests/support/package.mjs'), join(consumer, 'package.mjs'));
  const files = portableFiles();
  write(
    'portable/option-table.mjs',
    `export const options = ${JSON.stringify(optionTable(), null, 1)};\n`,
  );
  write(
    'suite.mjs',
    [
      "import { pkg } from './package.mjs';",
      "import { runCases } from './run-cases.mjs';",
      ...files.map((file, i) => `import suite${i} from './portable/${file}';`),
      `const suites = { ${files.map((file, i) => `'${file}': suite${i}`).join(', ')} };`,
      'export const results = (leftOut = []) =>',
      '  runCases(pkg, suites, (file) => !leftOut.includes(file));',
    ].join('\n'),
  );
  write(
    'print-results.mjs',
    `import { results } from './suite.mjs';
console.log(JSON.stringify(await results(${JSON.stringify(leftOut())})));\n`,
  );
}

/** Creates or updates build/consumer. Call it once before the runners, which share the folder. */
export async function prepareConsumer() {
  const packed = hashFiles([...filesBelow('dist'), 'package.json', 'README.md', 'LICENSE']);
  if (!isFresh('consumer', packed)) {
    await installTarball();
    setStamp('consumer', packed);
  }
  writeSuite();
}
