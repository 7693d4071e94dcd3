// Why this file exists: the examples of README.md and docs/ must run, and print what they say. What a shell is
// shown runs too, in a folder with the files that the document gives before.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { root } from '../../scripts/setup/run.mjs';
import { consumer } from './consumer.mjs';

const run = promisify(execFile);
const folder = join(root, 'build', 'examples');
const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((file) => `docs/${file}`)];

const textOf = (document) => readFileSync(join(root, document), 'utf8');

/** The ```js blocks of a document, and the lines that a comment at their end promises. */
function examplesIn(document) {
  return [...textOf(document).matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => ({
    code,
    promised: [...code.matchAll(/console\.log\(.*\n\/\/ (.*)$/gm)].map(([, line]) => line),
  }));
}

/** A document's files (```json name.json) and sessions (```console), in their order. */
function stepsIn(document) {
  return [...textOf(document).matchAll(/^```(console|json \S+)\n([\s\S]*?)^```$/gm)].map(
    ([, kind, text]) => (kind === 'console' ? { session: text } : { file: kind.slice(5), text }),
  );
}

/** Runs the commands behind `$ ` one by one; gives the session as it was. */
function replay(session, cwd) {
  const { PATH } = process.env;
  const env = { PATH, npm_config_loglevel: 'error', npm_config_offline: 'true' };
  const lines = session.split('\n').filter((line) => line.startsWith('$ '));
  return lines.map((line) => {
    const shell = ['-c', `exec 2>&1; ${line.slice(2)}`];
    return `${line}\n${spawnSync('sh', shell, { cwd, env, encoding: 'utf8' }).stdout}`;
  });
}

/** What a document shows of a shell, in a folder below the one where the package is installed. */
function checkSessions(steps) {
  const cwd = join(consumer, 'session');
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd);
  for (const { session, file, text } of steps) {
    if (file) writeFileSync(join(cwd, file), text);
    else assert.equal(replay(session, cwd).join(''), session);
  }
}

mkdirSync(folder, { recursive: true });
for (const document of documents.filter((file) => file.endsWith('.md'))) {
  const steps = stepsIn(document);
  if (steps.some(({ session }) => session)) {
    test(`${document}, in a shell`, () => checkSessions(steps));
  }
  examplesIn(document).forEach(({ code, promised }, index) => {
    test(`${document}, example ${index + 1}`, async () => {
      const file = join(folder, `${document.replaceAll('/', '-')}-${index + 1}.mjs`);
      writeFileSync(file, code);
      const { stdout } = await run(process.execPath, [file]);
      for (const line of promised) assert.ok(stdout.split('\n').includes(line), stdout);
    });
  });
}
