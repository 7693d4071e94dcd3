// `npm run fuzz:jinja -- --seeds 20 --count 2000 [--first 1]`: random templates, rendered by
// Python's Jinja2 and by this engine; every output must be equal, byte for byte.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const oracle = process.env.STRATA_SHARED ?? resolve(root, '../shared');
const python = '/usr/bin/python3';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    count: { type: 'string', default: '2000' },
    first: { type: 'string', default: '1' },
    engine: { type: 'string', default: join(root, 'build/native/tests/jinja_grade') },
  },
});

function stop(message) {
  console.error(message);
  process.exit(1);
}

function checkTools() {
  const probe = spawnSync(python, ['-c', 'import jinja2']);
  if (probe.error || probe.status !== 0) {
    stop('Python with Jinja2 is missing: sudo apt-get install python3-jinja2');
  }
  if (!existsSync(join(oracle, 'jinja/gen_fuzz.py'))) {
    stop(`${oracle}/jinja/gen_fuzz.py is missing: set STRATA_SHARED to the folder that holds it`);
  }
  if (!existsSync(values.engine)) {
    stop(
      'The engine is not built: cmake --preset native && cmake --build build/native --target jinja_grade',
    );
  }
}

/** One seed; true if every output was equal. */
function runSeed(seed, folder) {
  const file = join(folder, `fuzz-${seed}.json`);
  execFileSync(python, [join(oracle, 'jinja/gen_fuzz.py'), String(seed), values.count, file]);
  const grade = spawnSync(
    python,
    [join(oracle, 'jinja/grade.py'), file, '--failures', '5', '--', values.engine],
    { encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  const tier = grade.stdout.split('\n').find((line) => line.startsWith('tier 1'));
  console.log(`seed ${seed}: ${tier ?? 'no result'}`);
  if (grade.status !== 0) console.log(grade.stdout + grade.stderr);
  rmSync(file);
  return grade.status === 0;
}

checkTools();
const folder = mkdtempSync(join(tmpdir(), 'fuzz-jinja-'));
let failures = 0;
for (let i = 0; i < Number(values.seeds); ++i) {
  if (!runSeed(Number(values.first) + i, folder)) ++failures;
}
rmSync(folder, { recursive: true });
console.log(failures === 0 ? 'All outputs are equal.' : `${failures} seeds differ.`);
process.exit(failures === 0 ? 0 : 1);
