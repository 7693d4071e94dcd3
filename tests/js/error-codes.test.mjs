// Checks that every code the shell throws is a rule of the catalogue or a row of src/catalogue/errors.json, and that
// every row there is thrown and retried as documented.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../../scripts/setup/run.mjs';
import { filesBelow } from '../../scripts/setup/stamp.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const { errors, kinds } = JSON.parse(read('src/catalogue/errors.json'));
const catalogue = JSON.parse(read('src/catalogue/rules.json')).rules;
const rules = catalogue.map(({ code }) => code);
const codes = errors.map(({ code }) => code);
const folders = ['sdk', 'files', 'agent', 'stores', 'templates', 'remote', 'server'];
// Names of events are no codes.
const isForm = (file) => file.endsWith('server/interaction-form.ts');
const shell = folders
  .flatMap((folder) => filesBelow(`web/${folder}`, ['.ts']))
  .filter((file) => !isForm(file));
const sources = ['web/connect.ts', ...shell].map(read).join('\n');

const found = (pattern) => [...sources.matchAll(pattern)].map(([, code]) => code);
const thrown = found(/(?:(?:Strata|Gemini|History|Cache)Error|refusal)\(\s*'([^']+)'/g);
const mentioned = found(/'([a-z]+\.[a-z_]+)'/g);
// Codes with which servers refuse a request. They stand in responses, not in errors of the package.
const refused = found(/\bHttpError\(\s*\d+,\s*'([^']+)'/g);
// Codes of the core that are about calls, not about requests, and of the gateway's memory.
const elsewhere = [
  ...['src', 'bindings'].flatMap((top) => filesBelow(top, ['.cpp', '.h'])),
  'web/gateway/memory/secrets.ts',
]
  .flatMap((file) => [...read(file).matchAll(/["']([a-z]+\.[a-z_]+)["']/g)])
  .map(([, code]) => code);

test('every code that the shell throws is documented', () => {
  assert.ok(thrown.includes('network') && mentioned.includes('answer.thoughts_only'));
  const known = [...rules, ...codes, ...refused];
  const unknown = [...thrown, ...mentioned].filter((code) => !known.includes(code));
  assert.deepEqual(unknown, []);
});

test('every code with which the gateway refuses a request is in docs/gateway.md', () => {
  const pipeline = filesBelow('web/gateway', ['.ts']).map(read).join('\n');
  const own = [...pipeline.matchAll(/(?:GatewayError|unauthorized)\(\s*(?:\d+,\s*)?'([^']+)'/g)];
  const codesOfGateway = [...refused, ...own.map(([, code]) => code)];
  assert.ok(codesOfGateway.includes('caller.key_wrong') && refused.includes('body.timeout'));
  const text = read('docs/gateway.md');
  assert.deepEqual(
    codesOfGateway.filter((code) => !text.includes(`\`${code}\``)),
    [],
  );
});

// Codes with which the Worker refuses requests to threads, or ends sends: those of RemoteError.
const servers = ['web/worker', 'web/gateway', 'web/server'];
const fromWorker = servers
  .flatMap((folder) => filesBelow(folder, ['.ts']))
  .flatMap((file) => [...read(file).matchAll(/'([a-z]+\.[a-z_]+)'/g)].map(([, code]) => code));

test('every documented error is thrown and is not a rule of the catalogue', () => {
  for (const { code, thrown: by } of errors) {
    const all = by === 'RemoteError' ? fromWorker : [...thrown, ...mentioned, ...elsewhere];
    assert.ok(all.includes(code), code);
    assert.ok(!rules.includes(code), code);
  }
  assert.deepEqual(codes, codes.toSorted());
});

test('the documented kinds are those of GeminiError', () => {
  const source = read('web/sdk/internal/errors.ts');
  const [, union] = /type GeminiErrorKind =([^;]*);/.exec(source);
  const named = [...union.matchAll(/'(\w+)'/g)].map(([, kind]) => kind);
  assert.ok(named.length > 5);
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    named,
  );
  const page = read('docs/client.md');
  for (const kind of named) assert.match(page, new RegExp(`^\\|.*\`${kind}\`.*\\|`, 'm'), kind);
});

test('the documented retries are the ones of the default policy', () => {
  const [, policy] = /codes: \[([\s\S]*?)\n {2}\]/.exec(read('web/sdk/client/send-again.ts'));
  const asked = [...policy.matchAll(/'([^']+)'/g)].map(([, code]) => code);
  const again = errors.filter((row) => row.again);
  const retried = catalogue.filter((row) => row.retried);
  assert.deepEqual(asked.toSorted(), [...again, ...retried].map(({ code }) => code).toSorted());
});
