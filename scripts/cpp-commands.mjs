// Why this file exists: tools that read C++ must see it with the flags of the build, and read again only
// what changed since it was last found clean.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closureOf } from './cpp-includes.mjs';
import { configure } from './setup/cmake.mjs';
import { SetupError, inParallel, root } from './setup/run.mjs';
import { hashFiles, isFresh, setStamp } from './setup/stamp.mjs';

/** The compile commands of a preset for src/ and bindings/: `{ file, command }`, configured anew. */
export async function compileCommands(preset) {
  await configure(preset);
  const path = join(root, 'build', preset, 'compile_commands.json');
  return JSON.parse(readFileSync(path, 'utf8'))
    .map(({ file, command }) => ({ file: file.slice(root.length + 1), command }))
    .filter(({ file }) => /^(src|bindings)\//.test(file));
}

/**
 * Runs `work` for each command whose file, or anything it includes, changed since the tool last passed
 * it. Throws with all findings; notes how many files were read.
 * @param {string} tool names the stamps
 * @param {string} settings what else the tool's verdict depends on
 */
export async function readChanged(tool, settings, commands, work) {
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
