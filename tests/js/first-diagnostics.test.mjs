// Shortened lists of diagnostics keep each rule, and count what they leave out.
import assert from 'node:assert/strict';
import test from 'node:test';
import { importParts } from './lint-parts.mjs';

const { countDiagnostics, firstDiagnostics } = await importParts('sdk/internal/first-diagnostics');

const found = (code, severity, more) => ({
  ...{ code, severity, path: '', message: code },
  ...(more && { more }),
});

test('returns a short list as it is', () => {
  const list = [found('b', 'info', 7), found('a', 'error')];
  assert.deepEqual(firstDiagnostics(list, 2), list);
});

test('keeps the first of each code, errors before others', () => {
  const list = [
    ...Array.from({ length: 50 }, () => found('many', 'warning')),
    found('many', 'warning', 10),
    found('note', 'info'),
    found('last', 'error'),
    found('last', 'error', 3),
  ];
  const shown = firstDiagnostics(list, 5);
  assert.deepEqual(
    shown.map(({ code, more = 0 }) => [code, more]),
    [
      ['last', 0],
      ['last', 3],
      ['many', 0],
      ['many', 59],
      ['note', 0],
    ],
  );
  assert.equal(countDiagnostics(shown), countDiagnostics(list));
  assert.deepEqual(
    firstDiagnostics(list, 1).map(({ code, more }) => [code, more]),
    [['last', 4]],
  );
});

test('keeps what was repaired apart', () => {
  const repaired = () => ({ ...found('a', 'info'), repaired: true });
  const list = [repaired(), repaired(), found('a', 'info'), found('a', 'info')];
  assert.deepEqual(
    firstDiagnostics(list, 2).map((each) => [each.repaired, each.more]),
    [
      [true, 1],
      [undefined, 1],
    ],
  );
});
