// Checks that Emscripten's compiler accepts the C++ sources, without a WebAssembly build. g++ accepts C++20 that
// Emscripten's older Clang and libc++ reject.
import { compileCommands, checkChanged } from './cpp-commands.mjs';
import { wasmPreset } from './setup/cmake.mjs';
import { run } from './setup/run.mjs';

function syntaxOnly(command) {
  const [compiler, ...args] = command.split(' ');
  const flags = args.filter(
    (arg, i) => !/^-(c|o|MD|MT|MF)$/.test(arg) && !/^-(o|MT|MF)$/.test(args[i - 1]),
  );
  return [compiler, [...flags.filter((arg) => arg !== ''), '-fsyntax-only']];
}

/** Runs em++ -fsyntax-only on src/ and bindings/ with the flags of the WebAssembly build. */
export async function checkSyntax() {
  const commands = await compileCommands(wasmPreset);
  return checkChanged('syntax', '', commands, ({ command }) => run(...syntaxOnly(command)));
}
