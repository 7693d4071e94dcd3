// Why this file exists: g++ accepts C++20 that Emscripten's older Clang and libc++ refuse. This finds out
// in seconds, without a WebAssembly build.
import { compileCommands, readChanged } from './cpp-commands.mjs';
import { wasmPreset } from './setup/cmake.mjs';
import { run } from './setup/run.mjs';

function syntaxOnly(command) {
  const [compiler, ...args] = command.split(' ');
  const kept = args.filter(
    (arg, i) => !/^-(c|o|MD|MT|MF)$/.test(arg) && !/^-(o|MT|MF)$/.test(args[i - 1]),
  );
  return [compiler, [...kept.filter((arg) => arg !== ''), '-fsyntax-only']];
}

/** em++ -fsyntax-only over src/ and bindings/, with the flags of the WebAssembly build. */
export async function checkSyntax() {
  const commands = await compileCommands(wasmPreset);
  return readChanged('syntax', '', commands, ({ command }) => run(...syntaxOnly(command)));
}
