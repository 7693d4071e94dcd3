// Runs the examples and shell sessions of README.md and docs/ and compares their output with the documents. Sessions
// run in a folder with the files that the document defines before them. docs-types.test.mjs compiles the examples.
import assert from 'node:assert/strict';
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import ts from 'typescript';
import { root } from '../../scripts/setup/run.mjs';
import { consumer } from '../support/consumer.mjs';
import { documents, examplesIn, textOf } from './examples-in-docs.mjs';

const folder = join(root, 'build', 'examples');

/** Returns the files (```json name.json) and sessions (```console) of a document, in order. */
function stepsIn(document) {
  return [...textOf(document).matchAll(/^```(console|json \S+)\n([\s\S]*?)^```$/gm)].map(
    ([, kind, text]) => (kind === 'console' ? { session: text } : { file: kind.slice(5), text }),
  );
}

/** Runs each command after `$ ` and returns the session with the actual output. */
function replay(session, cwd) {
  const { PATH } = process.env;
  const env = { PATH, npm_config_loglevel: 'error', npm_config_offline: 'true' };
  const lines = session.split('\n').filter((line) => line.startsWith('$ '));
  return lines.map((line) => {
    const shell = ['-c', `exec 2>&1; ${line.slice(2)}`];
    return `${line}\n${spawnSync('sh', shell, { cwd, env, encoding: 'utf8' }).stdout}`;
  });
}

/** Checks the shell sessions of a document in a subfolder of the folder where the package is installed. */
function checkSessions(steps) {
  const cwd = join(consumer, 'session');
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd);
  for (const { session, file, text } of steps) {
    if (file) writeFileSync(join(cwd, file), text);
    else assert.equal(replay(session, cwd).join(''), session);
  }
}

/** Removes the types of an example. */
function javaScriptOf(code) {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}

mkdirSync(folder, { recursive: true });
// Some examples write files.
const runner = fork(join(root, 'tests/js/run-examples.mjs'), { cwd: folder });
after(() => runner.kill());

const ended = once(runner, 'exit').then(([code]) => ({ error: `It exits with ${code}.` }));

/** Runs a file and returns what it prints. */
async function outputOf(file) {
  runner.send(file);
  const answer = once(runner, 'message').then(([message]) => message);
  const { error, output } = await Promise.race([answer, ended]);
  assert.equal(error, undefined);
  return output;
}

for (const document of documents) {
  const steps = stepsIn(document);
  if (steps.some(({ session }) => session)) {
    test(`${document}, in a shell`, () => checkSessions(steps));
  }
  examplesIn(document).forEach(({ language, code, name, promised }, index) => {
    test(`${document}, example ${index + 1}`, async () => {
      const file = join(folder, `${name}.mjs`);
      writeFileSync(file, language === 'ts' ? javaScriptOf(code) : code);
      const output = await outputOf(file);
      for (const line of promised) assert.ok(output.split('\n').includes(line), output);
    });
  });
}
