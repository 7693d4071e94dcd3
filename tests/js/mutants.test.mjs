// The mutants of `npm run verify -- mutants`: which changes are made in C++ text, and in which order they are tried.
import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { changesIn, nextNumber } from '../verify/mutants/changes.mjs';
import { cppTokens } from '../verify/mutants/cpp-tokens.mjs';
import { allMutants, mutantsIn, shuffled, slots } from '../verify/mutants/mutants.mjs';
import { equivalents, isAbout } from '../verify/mutants.mjs';

/** Returns all texts that one change makes of a source. */
const variants = (source) =>
  changesIn(source).map(({ at, end, after }) => source.slice(0, at) + after + source.slice(end));

describe('tokens', () => {
  const textsOf = (source) => cppTokens(source).map(({ text }) => text);

  test('leaves out comments and directives with their continuations', () => {
    const source = '#define A 1 \\\n  + 2\na /* 1 < 2 */ b // 3 < 4\n#include <c>\nd';
    assert.deepEqual(textsOf(source), ['a', 'b', 'd']);
  });

  test('reads each literal as one token', () => {
    const literals = [
      ...['"a \\" < b"', 'u8"x"', 'R"(a " ) b)"', 'R"x(a )" b)x"', "'\\''", "U'<'"],
      ...["1'000'000ULL", '0x1F', '1.5e-3', '.5', '0b1010'],
    ];
    assert.deepEqual(textsOf(literals.join(' ')), literals);
  });

  test('reads the longest operator', () => {
    assert.deepEqual(textsOf('a<=>b<<=c>>=d->*e::f...'), [
      ...['a', '<=>', 'b', '<<=', 'c', '>>=', 'd', '->*', 'e', '::', 'f', '...'],
    ]);
  });

  test('places each token', () => {
    const source = 'if (a  < "b")';
    for (const { text, at, end } of cppTokens(source)) assert.equal(source.slice(at, end), text);
  });
});

describe('changes', () => {
  for (const [source, ...expected] of [
    ['if (a < b)', 'if (a <= b)'],
    ['if (a >= b)', 'if (a > b)'],
    ['if (a == b)', 'if (a != b)'],
    ['x(a + b)', 'x(a - b)'],
    ['x(a &&\n  b)', 'x(a ||\n  b)'],
    ['if (!a)', 'if (a)'],
    ['x(true)', 'x(false)'],
    ['x(9)', 'x(10)'],
    ['for (;;) continue;', 'for (;;) break;'],
    ['return a;', 'return {};'],
    ['return a == b;', 'return a != b;', 'return !(a == b);'],
    ['return f(a == b);', 'return {};', 'return f(a != b);'],
    ['return a < b ? c : d;', 'return {};', 'return a <= b ? c : d;'],
    ['{ a = b; }', '{ ; }'],
    ['{ a.b->c[d].e(f); }', '{ ; }'],
    ['{ a::b<c>(d); }', '{ ; }'],
    ['if (a) b();', 'if (a) ;'],
    ['{ *a = b; }', '{ ; }'],
    ['{ ++a; }', '{ --a; }', '{ ; }'],
    ['{ a += b; }', '{ a -= b; }', '{ ; }'],
  ]) {
    test(`${source} becomes ${expected.join(' or ')}`, () => {
      assert.deepEqual(variants(source).sort(), expected.sort());
    });
  }

  for (const source of [
    '"a < b && 1"',
    'std::vector<int> a;',
    'template <class T> void f(T&& t);',
    'return;',
    'return {};',
    'return nullptr;',
    '{ int a; }',
    '{ std::string a = b; }',
    '{ const auto& [a, b] = c; }',
    'struct A { A() = default; };',
    '{ static_assert(a); }',
    '{ using a = b; }',
    'for (; a; b) {}',
  ]) {
    test(`${source} has no change`, () => {
      assert.deepEqual(variants(source), []);
    });
  }

  for (const [text, next] of [
    ['0', '1'],
    ['9u', '10u'],
    ['0xFF', '0x100'],
    ["1'000", '1001'],
    ['0.8', '1.8'],
    ['1e3', undefined],
    ['9223372036854775808.0', undefined],
    ['017', undefined],
  ]) {
    test(`the number after ${text} is ${next}`, () => assert.equal(nextNumber(text), next));
  }
});

describe('mutants', () => {
  const source = 'void f() {\n  if (a <\n      b) g(1);\n  x(1);\n  x(1);\n}\n';
  const mutants = mutantsIn('src/a/b.cpp', source);

  test('has the lines before and after in one line', () => {
    const [first] = mutants;
    assert.equal(first.line, 'if (a <');
    assert.equal(first.becomes, 'if (a <=');
    assert.equal(first.number, 2);
  });

  test('counts equal mutants and gives each its own name', () => {
    const becomes = mutants.filter((mutant) => mutant.becomes === 'x(2);');
    assert.deepEqual(
      becomes.map(({ nth }) => nth),
      [1, 2],
    );
    assert.equal(new Set(mutants.map(({ name }) => name)).size, mutants.length);
  });

  test('keeps the order when lines are added above', () => {
    const moved = mutantsIn('src/a/b.cpp', `// A comment.\n${source}`);
    const names = (list) => shuffled(list, 1).map(({ name }) => name);
    assert.deepEqual(names(moved), names(mutants));
    assert.notDeepEqual(names(mutants), names(mutants).sort());
  });

  test('gives each slot its own mutants', () => {
    const all = slots(mutants, 2);
    assert.equal(all.length, 2);
    assert.deepEqual(
      all.flat().map(({ name }) => name),
      [0, 1].flatMap((slot) => mutants.filter((_, i) => i % 2 === slot).map(({ name }) => name)),
    );
  });
});

test('every mutant that counts as equivalent is possible, and has a reason', () => {
  const all = allMutants();
  for (const entry of equivalents) {
    assert.ok(all.some(isAbout(entry)), `${entry.file}: ${entry.line} => ${entry.becomes}`);
    assert.match(entry.why, /^[A-Z][^]*\.$/);
  }
});
