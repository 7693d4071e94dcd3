// Numbering the local variables of WebAssembly functions alike, for gzip.
import assert from 'node:assert/strict';
import test from 'node:test';
import { maskLocals, renumberLocals } from '../../scripts/setup/similar-locals.mjs';

const [localGet, localSet, add, constant, end] = [0x20, 0x21, 0x6a, 0x41, 0x0b];
const i32 = 0x7f;

/** A function with one parameter and two variables: it adds numbers to the parameter, in the variables in turn. */
function adding(one, other) {
  const step = (from, to, number) => [localGet, from, constant, number, add, localSet, to];
  const steps = [
    step(0, one, 5),
    step(one, other, 6),
    step(other, one, 7),
    step(one, other, 8),
  ].flat();
  const body = Uint8Array.from([1, 2, i32, ...steps, localGet, other, end]);
  return { body, parameters: 1 };
}

test('numbers the variables of a function like those of the function before it', () => {
  const functions = [adding(1, 2), adding(2, 1)];
  renumberLocals(functions);
  assert.deepEqual(functions, [adding(1, 2), adding(1, 2)]);
});

test('leaves parameters and numbers that are no variables as they are', () => {
  const parameter = { body: adding(1, 2).body, parameters: 3 };
  const declared = { ...parameter, body: Uint8Array.from([0, ...parameter.body.subarray(3)]) };
  const swapped = { ...parameter, body: Uint8Array.from([0, ...adding(2, 1).body.subarray(3)]) };
  const functions = [declared, swapped].map(({ body }) => ({ body: body.slice(), parameters: 3 }));
  renumberLocals(functions);
  assert.deepEqual(functions, [declared, swapped]);
});

test('functions that differ in the numbers of their variables only are the same when masked', () => {
  assert.deepEqual(maskLocals(adding(1, 2)), maskLocals(adding(2, 1)));
  assert.notDeepEqual(maskLocals(adding(1, 2)), maskLocals({ ...adding(2, 1), parameters: 3 }));
});

test('refuses instructions that it does not know', () => {
  const body = Uint8Array.from([0, 0xfd, 0x00, end]);
  assert.throws(() => renumberLocals([{ body, parameters: 0 }]), /Unknown instruction 0xfd/);
});
