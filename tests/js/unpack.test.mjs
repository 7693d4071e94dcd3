// Checks what decompresses the modules in JavaScript (bindings/unpack.cpp) against xz, which compresses them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { wasmPreset } from '../../scripts/setup/cmake.mjs';
import { compress, modules } from '../../scripts/setup/package.mjs';
import { root } from '../../scripts/setup/run.mjs';
import { Random } from '../fuzz/random.mjs';

const unpacker = new WebAssembly.Module(
  readFileSync(join(root, 'build', wasmPreset, 'bindings/unpack.wasm')),
);

function unpack(packed, size) {
  const { memory, unpack } = new WebAssembly.Instance(unpacker).exports;
  const source = memory.grow(Math.ceil((packed.length + size) / 65_536)) * 65_536;
  new Uint8Array(memory.buffer).set(packed, source);
  unpack(source, source + packed.length, size);
  return Buffer.from(memory.buffer, source + packed.length, size);
}

const random = new Random('unpack');
const noise = (length) => Buffer.from(Array.from({ length }, () => random.between(0, 255)));
// Records that repeat with the distances of four earlier matches.
const records = (count) => {
  const kinds = [7, 11, 13, 17].map(noise);
  return Buffer.concat(
    Array.from({ length: count }, (_, i) =>
      Buffer.concat([random.pick(kinds), Buffer.from([i & 255])]),
    ),
  );
};
const far = noise(300_000);

for (const [name, bytes] of Object.entries({
  'one byte': Buffer.from('a'),
  'a long run': Buffer.alloc(100_000, 'a'),
  'bytes without any pattern': noise(20_000),
  'short records': records(5_000),
  'a match far back': Buffer.concat([far, Buffer.from('between'), far]),
  text: readFileSync(join(root, 'src/catalogue/rules.json')),
})) {
  test(`unpacks ${name}`, () => {
    assert.ok(unpack(compress(bytes), bytes.length).equals(bytes));
  });
}

test('each module of the package is its file', async () => {
  for (const name of modules) {
    const { wasm } = await import(`../../dist/wasm/${name}.js`);
    const file = readFileSync(join(root, 'dist', `${name}.wasm`));
    assert.ok(Buffer.from(await wasm()).equals(file), name);
  }
});
