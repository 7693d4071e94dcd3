// Runs C++ tools with the flags of the build, on files that changed since the tool last passed them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closureOf } from './cpp-includes.mjs';
import { configure } from './cmake.mjs';
import { modules } from './package.mjs';
import { SetupError, inParallel, root, run } from './run.mjs';
import { hashFiles, isFresh, setStamp } from './stamp.mjs';

// The files of a folder that CMake unites, not those of modules for benchmarks.
const united = new RegExp(`/(strata_\\w+|${modules.join('|')})\\.dir/Unity/`);

/**
 * Configures a preset, makes the tables that sources include, and returns the compile commands for src/ and bindings/ as
 * `{ file, command }`, where a file may unite others.
 */
export async function compileCommands(preset) {
  await configure(preset);
  await run('cmake', ['--build', '--preset', preset, '--target', 'strata_tables']);
  const path = join(root, 'build', preset, 'compile_commands.json');
  const commands = JSON.parse(readFileSync(path, 'utf8'))
    .map(({ file, command }) => ({ file: file.slice(root.length + 1), command }))
    .filter(({ file }) => /^(src|bindings)\//.test(file) || united.test(file));
  // Several modules have the same files.
  return [...new Map(commands.map((each) => [each.file, each])).values()];
}

// As CMake passes it to Clang.
const precompiledHeader = / -Xclang -include(-pch)? -Xclang \S+/g;

/** Returns the flags of a compile command, without its files and without the precompiled header. */
export function flagsOf(command) {
  const [, ...args] = command.replaceAll(precompiledHeader, '').split(' ').filter(Boolean);
  const hasValue = /^-(c|o|MT|MF|include)$/;
  return args.filter(
    (arg, i) =>
      !hasValue.test(arg) && !hasValue.test(args[i - 1]) && !/^-(MD|Winvalid-pch)$/.test(arg),
  );
}

/**
 * Runs `work` for each command whose file, or a file that it includes, changed since the tool last passed it.
 * @param {string} tool the name of the stamps
 * @param {string} settings everything else that the result depends on, such as the tool's configuration
 * @returns `{ note }`, the number of files that were checked
 * @throws SetupError with all findings
 */
export async function checkChanged(tool, settings, commands, work) {
  const findings = [];
  let count = 0;
  await inParallel(commands, async ({ file, command }) => {
    const hash = hashFiles(closureOf(file)) + settings + command;
    if (isFresh(`${tool}/${file}`, hash)) return;
    count += 1;
    try {
      await work({ file, command });
      setStamp(`${tool}/${file}`, hash);
    } catch (error) {
      findings.push(error.message);
    }
  });
  if (findings.length > 0) throw new SetupError(findings.join('\n\n'));
  return { note: `${count} of ${commands.length} files` };
}
