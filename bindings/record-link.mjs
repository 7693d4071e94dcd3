// Runs a linker that was told to --trace, and writes the files that it read to a file instead of the terminal. Run by
// bindings/CMakeLists.txt: node record-link.mjs <file> <command> [<argument>…].
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const [file, command, ...args] = process.argv.slice(2);
const { stdout, status, error } = spawnSync(command, args, {
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
  stdio: ['inherit', 'pipe', 'inherit'],
});
if (error) throw error;
writeFileSync(file, stdout);
if (status !== 0) console.log(stdout);
process.exitCode = status ?? 1;
