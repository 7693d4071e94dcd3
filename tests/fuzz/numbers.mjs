// Generates expressions that return integers and floats. A row is [weight, (g) => text].

const divisor = (g) =>
  g.random.chance(0.03) ? '0' : g.random.pick(['2', '3', '-2', '-7', '10', '0x10']);
const floatDivisor = (g) => g.random.pick(['2', '4', '-8', '0.5', '1.5', '3', '1e3']);

export const integers = [
  [4, (g) => `${g.operand('int')} ${g.random.pick(['+', '-', '*'])} ${g.operand('int')}`],
  [3, (g) => `${g.operand('int')} ${g.random.pick(['//', '%'])} ${divisor(g)}`],
  [1, (g) => `${g.random.pick(['-', '+', '--', '-+'])}${g.operand('int')}`],
  [1, (g) => `${g.random.between(-3, 5)} ** ${g.random.between(0, g.random.chance(0.2) ? 99 : 4)}`],
  [
    3,
    (g) =>
      `${g.operand(g.random.pick(['str', 'strs', 'ints', 'dict', 'records']))} | ${g.random.pick(['length', 'count'])}`,
  ],
  [1, (g) => `${g.operand('int')} | abs`],
  [
    2,
    (g) =>
      `${g.operand(g.random.pick(['int', 'float', 'str', 'bool']))} | int${g.random.pick(['', '(7)', '(default=-1)', '(0, 16)', '(base=2)', '(1, base=8)'])}`,
  ],
  [1, (g) => `${g.operand('int')} | round | int`],
  [2, (g) => `${g.operand('ints')} | ${g.random.pick(['sum', 'sum(start=10)'])}`],
  [1, (g) => `rows | sum(attribute=${g.random.pick(["'size'", "'owner.age'"])})`],
  [1, () => `rows | map(attribute='size') | sum`],
  [
    1,
    (g) =>
      `${g.operand('ints')} | ${g.random.pick(['first', 'last', 'min', 'max'])} | default(${g.expr('int')})`,
  ],
  [1, (g) => `${g.operand('str')} | wordcount`],
  [2, (g) => `${g.target('str')}.${g.random.pick(['find', 'rfind', 'count'])}(${g.expr('str')})`],
  [
    1,
    (g) =>
      `${g.target('str')}.${g.random.pick(['find', 'count'])}(${g.expr('str')}, ${g.small()}, ${g.small()})`,
  ],
  [1, (g) => `${g.target('ints')}.count(${g.expr('int')})`],
  [1, (g) => `${g.target('ints')}[${g.small()}] | default(${g.expr('int')}, true)`],
  [1, (g) => `${g.target('dict')}.get(${g.key()}, ${g.expr('int')})`],
  [1, (g) => `(${g.expr('int')}).bit_length()`],
  [2, (g) => g.conditional('int')],
  [1, (g) => `${g.operand('int')} ${g.random.pick(['and', 'or'])} ${g.operand('int')}`],
  [
    1,
    (g) =>
      `${g.random.pick(['range(4)', 'range(1, 9, 2)', 'range(5, 0, -1)'])} | ${g.random.pick(['length', 'sum', 'first', 'last'])}`,
  ],
  [
    1,
    (g) =>
      `(rows | ${g.random.pick(["max(attribute='size')", "min(true, 'owner.age')", "max(attribute='size', case_sensitive=true)"])} | default(user)).size`,
  ],
];

export const floats = [
  [4, (g) => `${g.operand(g.number())} / ${floatDivisor(g)}`],
  [3, (g) => `${g.operand('float')} ${g.random.pick(['+', '-', '*'])} ${g.operand(g.number())}`],
  [2, (g) => `${g.operand('float')} ${g.random.pick(['//', '%'])} ${floatDivisor(g)}`],
  [
    3,
    (g) =>
      `${g.operand('float')} | round${g.random.pick(['', '(1)', '(2)', '(precision=3)', "(1, 'ceil')", "(method='floor')", '(-1)', "(2, method='common')"])}`,
  ],
  [
    2,
    (g) =>
      `${g.operand(g.random.pick(['int', 'str', 'float', 'bool']))} | float${g.random.pick(['', '(1.5)', '(default=0)'])}`,
  ],
  [1, (g) => `${g.operand('float')} | abs`],
  [1, (g) => `-${g.operand('float')}`],
  [
    1,
    (g) =>
      `(${g.random.pick(['2', '9', '0.25', '10'])} ** ${g.random.pick(['0.5', '-1', '-2', '1.5'])})`,
  ],
  [
    1,
    (g) => `rows | map(attribute='price') | ${g.random.pick(['sum', 'max', 'min'])} | default(0.0)`,
  ],
  [1, (g) => g.conditional('float')],
];
