// Checks that Emscripten's compiler accepts the C++ sources, without a WebAssembly build. g++ accepts C++20 that
// Emscripten's older Clang and libc++ reject.
import { checkChanged, compileCommands, flagsOf } from './cpp-commands.mjs';
import { wasmPreset } from './setup/cmake.mjs';
import { run } from './setup/run.mjs';

/** Runs em++ -fsyntax-only on src/ and bindings/ with the flags of the WebAssembly build. */
export async function checkSyntax() {
  const commands = await compileCommands(wasmPreset);
  return checkChanged('syntax', '', commands, ({ file, command }) =>
    run(command.split(' ')[0], [...flagsOf(command), '-fsyntax-only', file]),
  );
}
