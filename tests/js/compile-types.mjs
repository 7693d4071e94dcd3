// Compiles TypeScript against the packed package in build/consumer, as a user's project does, and returns the
// compiler's messages.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { consumer } from '../support/consumer.mjs';

/** The two ways to resolve modules that a project of ES modules may use. */
export const resolutions = {
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  nodenext: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
};

const strict = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  skipLibCheck: false,
  // Those of the compiler itself.
  skipDefaultLibCheck: true,
  noEmit: true,
};

/** Returns the names of lib files as the compiler's API takes them. */
const libs = (names) => names.map((name) => `lib.${name.toLowerCase()}.d.ts`);

// Parsed once: every program reads the same libs.
const parsed = new Map();

function cachingHost(options) {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (file, version, ...rest) => {
    if (!file.includes('node_modules')) return read(file, version, ...rest);
    const key = `${file} ${JSON.stringify(version)}`;
    if (!parsed.has(key)) parsed.set(key, read(file, version, ...rest));
    return parsed.get(key);
  };
  host.getCurrentDirectory = () => consumer;
  return host;
}

/**
 * Writes files into a folder of build/consumer, compiles them in strict mode, and returns the messages; '' if there
 * are none. Only messages about files of build/consumer: those of @types/node and of the MCP SDK are their own affair, and
 * take seconds. `files` maps names to texts; `types` and `lib` are those of a tsconfig.json.
 */
export function compile(folder, files, { lib, types = [], ...others }) {
  const cwd = join(consumer, folder);
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd, { recursive: true });
  const names = Object.entries(files).map(([name, text]) => {
    writeFileSync(join(cwd, name), text);
    return join(cwd, name);
  });
  const options = { ...strict, ...others, lib: libs(lib), types };
  const program = ts.createProgram(names, options, cachingHost(options));
  const all = program.getSourceFiles();
  const checked = all.filter(({ fileName }) => fileName.startsWith(consumer));
  const found = checked.flatMap((file) => ts.getPreEmitDiagnostics(program, file));
  return ts.formatDiagnostics(found, {
    getCurrentDirectory: () => cwd,
    getCanonicalFileName: (file) => file,
    getNewLine: () => '\n',
  });
}
