// Counts instructions of the program tests/gates/instructions.cpp with callgrind.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../../scripts/setup/run.mjs';

/** The paths through the core that the program knows. */
export const paths = ['append', 'assemble', 'lint', 'stream', 'render'];

const program = 'build/gates/tests/instructions';
const output = 'build/gates/callgrind';

// The C library chooses between implementations of memcpy and others by the features and the cache of the processor.
// With this it chooses the same ones everywhere.
const tunables = {
  'glibc.cpu.hwcaps':
    '-AVX512F,-AVX512VL,-AVX2,-AVX,-AVX_Fast_Unaligned_Load,-BMI2,-ERMS,-FSRM,-SSSE3,-SSE4_1,-SSE4_2',
  'glibc.cpu.x86_non_temporal_threshold': '0x10000000',
};
const environment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  GLIBC_TUNABLES: Object.entries(tunables)
    .map(([name, value]) => `${name}=${value}`)
    .join(':'),
  // Binds all symbols at the start, so that no path pays for it.
  LD_BIND_NOW: '1',
};

/** Returns what the number of instructions depends on apart from the sources, such as `g++ 12.2.0, glibc 2.36, …`. */
export async function toolchain() {
  const [compiler, valgrind] = await Promise.all([
    run(program, ['toolchain']),
    run('valgrind', ['--version']),
  ]);
  return [compiler.trim(), valgrind.trim().replace('-', ' '), process.arch].join(', ');
}

// The program gets no other variables: they lie on its stack and would move it.
function callgrind(path, file, options) {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const collect = ['--collect-atstart=no', '--toggle-collect=countedRepetitions'];
  const valgrind = ['valgrind', '--tool=callgrind', ...collect, `--callgrind-out-file=${file}`];
  // Valgrind fails with the very large limit of open files that some containers have.
  const limited = ['-c', 'ulimit -n 1024; exec "$@"', 'sh'];
  const command = ['env', '-i', ...variables, ...valgrind, program, path, ...options];
  return run('sh', [...limited, ...command]);
}

/**
 * Counts the instructions of one path.
 * @param {string} path
 * @param {{ slow?: boolean }} [options] `slow` repeats the work 21 instead of 20 times
 * @returns {Promise<{ instructions: number, file: string }>} `file` is what callgrind wrote
 */
export async function count(path, { slow = false } = {}) {
  mkdirSync(join(root, output), { recursive: true });
  const file = `${output}/${path}${slow ? '-slow' : ''}.callgrind`;
  await callgrind(path, file, slow ? ['--slow'] : []);
  const [, total] = /^totals: (\d+)/m.exec(readFileSync(join(root, file), 'utf8')) ?? [];
  if (!(Number(total) > 0)) throw new Error(`${file} has no count`);
  return { instructions: Number(total), file };
}

/** Returns the `most` functions with the most instructions of their own, one a line. */
export async function largestFunctions(file, most = 5) {
  const text = await run('callgrind_annotate', ['--auto=no', '--threshold=100', file]);
  const counts = new Map();
  // A function has one row for each file from which code was inlined into it.
  for (const [, number, name] of text.matchAll(/^ *([\d,]+) \( *[\d.]+%\) +\S+?:(\S.*)$/gm)) {
    const short = shortName(name);
    counts.set(short, (counts.get(short) ?? 0) + Number(number.replaceAll(',', '')));
  }
  const rows = [...counts].sort((a, b) => b[1] - a[1]).slice(0, most);
  return rows.map(([name, number]) => `${number.toLocaleString('en-US').padStart(13)}  ${name}`);
}

// The name without arguments and without the file that has it.
const shortName = (name) =>
  name
    .replace(/ \[[^\]]*\]$/, '')
    .replaceAll('(anonymous namespace)::', '')
    .replace(/\(.*/, '');
