// Generates templates that compute with integers of any size, for `npm run fuzz:jinja -- --integers`.
import { Random } from './random.mjs';

const digits = (random, count) =>
  random.pick('123456789') + random.times(count - 1, () => random.between(0, 9)).join('');

/** Integers beside powers of two at which the width of a representation changes. */
function boundary(random) {
  const bits = random.pick([
    15, 30, 31, 32, 52, 53, 54, 62, 63, 64, 65, 95, 96, 127, 128, 1023, 1024,
  ]);
  return 2n ** BigInt(bits) + BigInt(random.between(-1, 1));
}

/** Integers whose limbs have many equal bits, which need the rare branches of a division. */
function uneven(random) {
  const limb = () => random.pick([0n, 0n, 1n, 0x7fffffffn, 0x80000000n, 0xfffffffen, 0xffffffffn]);
  return random
    .times(random.between(1, 9), limb)
    .reduce((sum, next) => (sum << 32n) | next, BigInt(random.between(1, 3)));
}

/** Returns a nonnegative integer of up to about `most` digits. */
function magnitude(random, most) {
  return random.weighted([
    [5, () => BigInt(random.between(0, 12))],
    [4, () => boundary(random)],
    [3, () => uneven(random)],
    [4, () => BigInt(digits(random, random.between(1, 40)))],
    [1, () => BigInt(digits(random, random.between(40, most)))],
  ])();
}

// The engine's runner reads no number that is too large for a double.
const signed = (random) => (magnitude(random, 300) % 10n ** 308n) * (random.chance(0.3) ? -1n : 1n);

// Jinja2 fails while it compiles a template whose constants have over 4300 digits, so literals are short.
function literal(random, value) {
  const [prefix, radix] = random.weighted([
    [8, ['', 10]],
    [1, ['0x', 16]],
    [1, ['0o', 8]],
    [1, ['0b', 2]],
  ]);
  const text = value.toString(radix);
  const shown = random.chance(0.1) ? text.replace(/\B(?=(\w{4})+$)/g, '_') : text;
  return prefix + (radix === 16 && random.chance(0.5) ? shown.toUpperCase() : shown);
}

const floats = ['0.5', '-0.0', '2.5', '1e16', '9007199254740993.0', '1e22', '1.5e90'];
const wholeFloats = ['18446744073709551616.0', '9223372036854775808.0', '-9223372036854775808.0'];
const names = ['a', 'b', 'c', 'd', 'e'];

/** Writes expressions of integers; each is in parentheses or an atom. */
class Expressions {
  /** @param {boolean} hasLiterals whether constants are allowed, which Jinja2 computes with when it compiles */
  constructor(random, hasLiterals) {
    this.random = random;
    this.hasLiterals = hasLiterals;
  }

  leaf() {
    const { random } = this;
    if (random.chance(0.06)) return random.pick([...floats, ...wholeFloats, 'true', 'false']);
    return this.hasLiterals ? literal(random, magnitude(random, 60)) : random.pick(names);
  }

  integer(depth) {
    if (depth === 0 || this.random.chance(0.2)) return this.leaf();
    const make = this.random.weighted(integerRows);
    return `(${make(this, depth - 1)})`;
  }

  list(depth) {
    const items = this.random.times(this.random.between(1, 4), () => this.integer(depth));
    return `[${items.join(', ')}]`;
  }
}

const integerRows = [
  [8, (g, d) => `${g.integer(d)} ${g.random.pick(['+', '-', '*'])} ${g.integer(d)}`],
  [6, (g, d) => `${g.integer(d)} ${g.random.pick(['//', '%'])} ${g.integer(d)}`],
  [2, (g, d) => `${g.random.pick(['-', '+'])}${g.integer(d)}`],
  [2, (g) => `${g.random.between(-20, 20)} ** ${g.random.between(0, 70)}`],
  [1, (g, d) => `${g.integer(d)} ** ${g.random.between(0, g.hasLiterals ? 1 : 3)}`],
  [2, (g, d) => `${g.integer(d)} | ${g.random.pick(['abs', 'int', 'int(7)'])}`],
  [2, (g, d) => `${g.integer(d)} | round(${g.random.between(-45, 3)}) | int`],
  [1, (g, d) => `${g.list(d)} | ${g.random.pick(['sum', 'max', 'min', 'first', 'last'])}`],
  [1, (g, d) => `${g.integer(d)} | string | int`],
  [1, (g, d) => `(${g.integer(d)} | abs | string)[:30] | int(0, ${g.random.pick([10, 16, 36])})`],
  [1, (g, d) => `'%x' | format(${g.integer(d)} | int) | int(1, 16)`],
  [1, (g, d) => `${g.integer(d)} | float | int`],
];

const order = ['<', '<=', '>', '>=', '==', '!='];
const tests = ['integer', 'float', 'number', 'odd', 'even', 'divisibleby 3', 'boolean', 'string'];
const percents = [
  '%d',
  '%i',
  '%s',
  '%x',
  '%X',
  '%o',
  '%#x',
  '%+d',
  '%040d',
  '%-45d|',
  '%.50d',
  '%e',
  '%.3f',
];
const specs = [
  '',
  'd',
  ',',
  '_',
  'x',
  '#X',
  '_x',
  'b',
  'o',
  '+,d',
  '>50',
  '^+60,',
  '050d',
  '=+40',
  'e',
  '.3e',
];
const moreSpecs = ['f', '.40f', 'g', '%', 'c', 'n', '#_b', '<20x'];

const counts = ['2 ** 64', '-(2 ** 64)', '2 ** 63', '-(2 ** 63)', '3', '-1', 'a * 0', 'true'];

const printRows = [
  [8, (g) => g.integer(4)],
  [4, (g) => `${g.integer(2)} / ${g.integer(2)}`],
  [4, (g) => `${g.integer(2)} ${g.random.pick(order)} ${g.integer(2)}`],
  [
    1,
    (g) =>
      `${g.integer(1)} ${g.random.pick(order)} ${g.integer(1)} ${g.random.pick(order)} ${g.integer(1)}`,
  ],
  [
    2,
    (g) => `${g.integer(2)} ${g.random.pick(order)} ${g.random.pick([...floats, ...wholeFloats])}`,
  ],
  // The powers of floats of C libraries differ in the last place.
  [
    2,
    (g) =>
      `'%.12e' | format((${g.integer(2)} | abs) ** ${g.random.pick(['0.5', '-1', '-3', '2.0'])})`,
  ],
  [2, (g) => `${g.integer(2)} is ${g.random.pick(tests)}`],
  [3, (g) => `'${g.random.pick(percents)}' | format(${g.integer(2)})`],
  [3, (g) => `'{:${g.random.pick([...specs, ...moreSpecs])}}'.format(${g.integer(2)})`],
  [
    1,
    (g) => `${g.integer(2)} | ${g.random.pick(['tojson', 'string', 'float', 'pprint', 'round'])}`,
  ],
  [
    1,
    (g) =>
      `${g.integer(2)} | round(${g.random.between(0, 3)}, '${g.random.pick(['ceil', 'floor'])}')`,
  ],
  [1, (g) => `${g.integer(2)} | filesizeformat${g.random.pick(['', '(true)'])}`],
  [1, (g) => `(${g.integer(2)} | int).bit_length()`],
  [
    1,
    (g) => `${g.list(2)} | ${g.random.pick(['sort', 'unique | list', 'max', 'sum', 'join("-")'])}`,
  ],
  [1, (g) => `{${g.integer(1)}: 'x', ${g.integer(1)}: 'y'}[${g.integer(1)}]`],
  [1, (g) => `{${g.integer(1)}: 1, ${g.integer(1)}: 2} | tojson`],
  [1, (g) => `${g.integer(1)} in ${g.list(1)}`],
  [1, (g) => `'abcdef'[${g.integer(1)}:${g.integer(1)}]`],
  [1, (g) => `[1, 2, 3, 4][${g.integer(1)}:${g.integer(1)}:${g.integer(1)}]`],
  [
    1,
    (g) => `('abc'[${g.integer(1)}] | default('none'), [1, 2][${g.integer(1)}] | default('none'))`,
  ],
  [1, (g) => `'abcabc'.find('c', ${g.integer(1)}, ${g.integer(1)})`],
  // A large positive width would make Python allocate it.
  [
    1,
    (g) => `'a-b-c' | ${g.random.pick(['truncate', 'center', 'indent'])}(-(${g.integer(1)} | abs))`,
  ],
  [1, (g) => `[1, 2, 3] | batch(${g.integer(1)} | int) | list`],
  [1, (g) => `[${g.integer(1)}, 'x', (${g.integer(1)},), none, true]`],
  [1, (g) => `${g.random.pick(["'ab'", '[a]', "''"])} * (${g.random.pick(counts)})`],
  [1, (g) => `${g.integer(1)} and ${g.integer(1)} or not ${g.integer(1)}`],
];

const print = (g) => `{{ ${g.random.weighted(printRows)(g)} }}`;

/** Returns a loop in which a number grows. */
function growth(g) {
  const step = g.random.pick([
    'n.x * (i + 1)',
    'n.x * n.x + i',
    'n.x * 10 + i',
    'n.x - i ** 30',
    'n.x // (i + 3) + a',
    '(n.x * b) % c',
  ]);
  const start = g.random.pick(names);
  return `{% set n = namespace(x=${start}) %}{% for i in range(${g.random.between(2, 9)}) %}{% set n.x = ${step} %}{% endfor %}{{ n.x }}`;
}

/** Returns the case of a seed and an index, in the form of generateCase. */
export function generateIntegers(seed, index) {
  const random = new Random(`prompt-strata/integers/${seed}/${index}`);
  const g = new Expressions(random, random.chance(0.4));
  const template = random.chance(0.1)
    ? growth(g)
    : random.times(random.between(1, 2), () => print(g)).join('\n');
  const members = names.map((name) => `"${name}": ${signed(random)}`);
  return {
    name: `${seed}/${index}`,
    template,
    templates: {},
    options: { extensions: ['do', 'loopcontrols', 'generation'] },
    context: `{${members.join(', ')}}`,
  };
}
