// Tests EventStream in Node, because workerd does not report every reader that disconnects.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { before } from 'node:test';
import { build } from 'esbuild';
import { root } from '../../scripts/setup/run.mjs';

const outfile = join(root, 'build', 'event-stream', 'event-stream.mjs');
let EventStream;
before(async () => {
  await build({
    ...{ entryPoints: [join(root, 'web/worker/event-stream.ts')], outfile, bundle: true },
    ...{ format: 'esm', external: ['#core', '#wasm'], logLevel: 'silent' },
  });
  ({ EventStream } = await import(outfile));
});

const open = (onDisconnect) => {
  const stream = new EventStream(new Request('http://localhost/chat'), {}, onDisconnect);
  return { stream, reader: stream.response.body.getReader() };
};
const text = (length) => ({ type: 'text', text: 'x'.repeat(length) });

test('calls onDisconnect once when a reader cancels', async () => {
  let disconnects = 0;
  const { stream, reader } = open(() => disconnects++);
  stream.push(text(1));
  await reader.read();
  await reader.cancel();
  assert.equal(disconnects, 1);
  stream.push(text(1));
  stream.end();
  assert.equal(disconnects, 1);
});

test('disconnects a reader that is too far behind and frees its buffer', async () => {
  let disconnects = 0;
  const { stream, reader } = open(() => disconnects++);
  for (let i = 0; i < 8; i++) stream.push(text(1024 * 1024));
  assert.equal(disconnects, 0);
  stream.push(text(1));
  assert.equal(disconnects, 1);
  stream.end();
  await assert.rejects(reader.read(), /8388608 bytes behind/);
});

test('delivers an event of any size to a reader that keeps up', async () => {
  const { stream, reader } = open(() => assert.fail('disconnected'));
  stream.push(text(20 * 1024 * 1024));
  assert.ok((await reader.read()).value.length > 20 * 1024 * 1024);
  stream.push(text(1));
  stream.end();
  assert.ok(!(await reader.read()).done);
  assert.ok((await reader.read()).done);
});
