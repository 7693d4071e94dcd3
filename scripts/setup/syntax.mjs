// Checks that Emscripten's compiler accepts the C++ sources, without a WebAssembly build. g++ accepts C++20 that
// Emscripten's older Clang and libc++ reject.
import { join } from 'node:path';
import { checkChanged, compileCommands } from './cpp-commands.mjs';
import { wasmPreset } from './cmake.mjs';
import { root, run } from './run.mjs';

const folder = join(root, 'build', wasmPreset);

// Reading the standard headers once takes a third of the time of reading them for each file.
async function precompileHeaders(commands) {
  const headers = commands.flatMap(({ command }) => command.match(/\S+\.pch\b/g) ?? []);
  const targets = new Set(headers.map((header) => header.slice(folder.length + 1)));
  await run('cmake', ['--build', '--preset', wasmPreset, '--target', ...targets]);
}

/** Runs em++ -fsyntax-only on src/ and bindings/ with the flags of the WebAssembly build. */
export async function checkSyntax() {
  const commands = await compileCommands(wasmPreset);
  await precompileHeaders(commands);
  return checkChanged('syntax', '', commands, ({ command }) => {
    const [compiler, ...args] = command
      .replace(/ -o \S+ -c /, ' -fsyntax-only ')
      .trim()
      .split(/ +/);
    return run(compiler, args);
  });
}
