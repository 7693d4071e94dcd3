// Reports the results of the portable tests in another runtime as subtests of node:test.
import assert from 'node:assert/strict';
import test from 'node:test';

// The runtime's own message, cause and stack: those of node:test would push them out of a short report.
function failureOf(text) {
  const failure = new Error(text);
  failure.stack = text;
  return failure;
}

/**
 * Registers one test for the runtime, with one subtest for each portable test.
 * @param {string} runtime
 * @param {() => Promise<{ file: string, name: string, error?: string }[]>} collect
 */
export function testIn(runtime, collect) {
  test(`portable tests in ${runtime}`, async (t) => {
    const results = await collect();
    assert.ok(results.length > 0, 'no test ran');
    for (const { file, name, error } of results) {
      await t.test(`${runtime}: ${file}: ${name}`, () => {
        if (error !== undefined) throw failureOf(error);
      });
    }
  });
}
