// Generates boolean expressions: comparisons, logic, tests, and predicate methods.

const order = ['<', '<=', '>', '>=', '==', '!='];
const predicates = [
  'isalnum',
  'isalpha',
  'isascii',
  'isdecimal',
  'isdigit',
  'isidentifier',
  'islower',
  'isnumeric',
  'isprintable',
  'isspace',
  'istitle',
  'isupper',
];
const typeTests = [
  'boolean',
  'callable',
  'defined',
  'escaped',
  'false',
  'float',
  'integer',
  'iterable',
  'mapping',
  'none',
  'number',
  'sequence',
  'string',
  'true',
  'undefined',
];
const numberTests = [
  'odd',
  'even',
  'divisibleby 3',
  'divisibleby(2)',
  'eq 3',
  'equalto(1)',
  'ne 0',
  'gt 2',
  'ge(2)',
  'lt 5',
  'le 5',
  'greaterthan 1',
  'lessthan(4)',
  'in [1, 2, 3]',
];
const any = ['int', 'float', 'bool', 'str', 'ints', 'strs', 'dict', 'record', 'undef'];
const is = (g) => g.random.pick(['is', 'is', 'is not']);

export const truths = [
  [3, (g) => `${g.operand(g.number())} ${g.random.pick(order)} ${g.operand(g.number())}`],
  [2, (g) => `${g.operand('str')} ${g.random.pick(order)} ${g.operand('str')}`],
  [1, (g) => `${g.operand('ints')} ${g.random.pick(order)} ${g.operand('ints')}`],
  [
    1,
    (g) =>
      `${g.operand('int')} ${g.random.pick(order)} ${g.operand('int')} ${g.random.pick(order)} ${g.operand('int')}`,
  ],
  [
    1,
    (g) =>
      `${g.operand(g.random.pick(any))} ${g.random.pick(['==', '!='])} ${g.operand(g.random.pick(any))}`,
  ],
  [2, (g) => `not ${g.operand(g.random.pick(any))}`],
  [3, (g) => `${g.operand('bool')} ${g.random.pick(['and', 'or'])} ${g.operand('bool')}`],
  [
    2,
    (g) =>
      `${g.operand('str')} ${g.random.pick(['in', 'not in'])} ${g.operand(g.random.pick(['str', 'strs', 'dict']))}`,
  ],
  [1, (g) => `${g.operand('int')} ${g.random.pick(['in', 'not in'])} ${g.operand('ints')}`],
  [4, (g) => `${g.operand(g.random.pick(any))} ${is(g)} ${g.random.pick(typeTests)}`],
  [3, (g) => `${g.operand('int')} ${is(g)} ${g.random.pick(numberTests)}`],
  [
    1,
    (g) =>
      `${g.operand('str')} ${is(g)} ${g.random.pick(['lower', 'upper', 'in words', "eq('x')", "in 'xyz'"])}`,
  ],
  [
    1,
    (g) =>
      `${g.operand('undef')} ${is(g)} ${g.random.pick(['defined', 'undefined', 'none', 'string', 'iterable'])}`,
  ],
  [
    1,
    (g) =>
      `${g.random.pick(["'upper'", "'nope'", "'join'"])} ${is(g)} ${g.random.pick(['filter', 'test'])}`,
  ],
  [
    1,
    (g) =>
      `${g.random.pick(['none', 'true', 'none_here', 'count'])} ${is(g)} sameas ${g.random.pick(['none', 'true', 'false'])}`,
  ],
  [1, (g) => `none_here ${is(g)} none`],
  [2, (g) => `${g.target('str')}.${g.random.pick(predicates)}()`],
  [
    2,
    (g) =>
      `${g.target('str')}.${g.random.pick(['startswith', 'endswith'])}(${g.random.pick([() => g.expr('str'), () => `(${g.expr('str')}, 'a')`])()})`,
  ],
  [1, (g) => `(${g.expr('float')}).is_integer()`],
  [1, (g) => g.conditional('bool')],
];
