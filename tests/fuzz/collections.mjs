// Generates expressions that return lists, dicts, and records. Results of filters such as `select` are consumed
// immediately: they are generators in Python and lists here (docs/templates-deviations.md).

const sorting = [
  'sort',
  'sort(reverse=true)',
  'sort(true)',
  'sort(case_sensitive=true)',
  'sort(false, true)',
];
const byAttribute = ["'size'", "'name'", "'owner.age'", "'name,size'", "'-size'", "'ok'"];
const numberTest = [
  "'odd'",
  "'even'",
  "'gt', 2",
  "'divisibleby', 3",
  "'in', [1, 2, 5]",
  "'ne', 0",
  "'lt', 4",
];
const textFilter = [
  "'upper'",
  "'title'",
  "'trim'",
  "'replace', 'a', '_'",
  "'truncate', 4, true, ''",
  "'default', '-', true",
  "'center', 6",
];
const recordTest = [
  "'ok'",
  "'size', 'gt', 2",
  "'name', 'defined'",
  "'owner.age', 'lt', 50",
  "'note', 'none'",
  "'note', 'undefined'",
  "'tags'",
  "'name', 'in', words",
  "'size', '>=', 1",
];

export const integerLists = [
  [3, (g) => `[${g.random.times(g.random.between(0, 4), () => g.expr('int')).join(', ')}]`],
  [
    2,
    (g) =>
      `${g.operand('ints')} | ${g.random.pick(['sort', 'sort(reverse=true)', 'unique | list', 'reverse | list', 'list'])}`,
  ],
  [2, (g) => `${g.target('ints')}${g.slice()}`],
  [1, (g) => `${g.operand('ints')} + ${g.operand('ints')}`],
  [1, (g) => `${g.operand('ints')} * ${g.random.between(0, 2)}`],
  [2, (g) => `range(${g.random.pick(['0', '3', '1, 4', '5, 0, -2', 'count % 5'])}) | list`],
  [
    2,
    (g) =>
      `${g.operand('ints')} | ${g.random.pick(['select', 'reject'])}(${g.random.pick(numberTest)}) | list`,
  ],
  [
    1,
    (g) =>
      `rows | map(attribute=${g.random.pick(["'size'", "'owner.age'", "'nope', default=0"])}) | list`,
  ],
  [1, (g) => `${g.operand('strs')} | map('length') | list`],
  [1, (g) => `${g.operand('ints')} | map('abs') | list`],
  [1, (g) => `${g.target('dict')}.values() | list`],
  [1, (g) => g.conditional('ints')],
];

export const stringLists = [
  [3, (g) => `[${g.random.times(g.random.between(0, 3), () => g.expr('str')).join(', ')}]`],
  [
    3,
    (g) =>
      `${g.target('str')}.${g.random.pick(['split()', "split(',')", "split(' ', 1)", 'rsplit(none, 1)', "rsplit('a', maxsplit=1)", 'splitlines()', 'splitlines(true)'])}`,
  ],
  [2, (g) => `${g.operand('strs')} | ${g.random.pick(sorting)}`],
  [
    2,
    (g) =>
      `${g.operand('strs')} | ${g.random.pick(['unique', 'unique(true)', 'unique(case_sensitive=false)', 'reverse'])} | list`,
  ],
  [2, (g) => `${g.target('strs')}${g.slice()}`],
  [2, (g) => `${g.operand('strs')} | map(${g.random.pick(textFilter)}) | list`],
  [
    1,
    (g) =>
      `${g.operand('strs')} | ${g.random.pick(['select', 'reject'])}${g.random.pick(['', "('string')", "('in', ['x', 'alpha'])", "('lower')"])} | list`,
  ],
  [
    1,
    (g) =>
      `${g.operand('records')} | map(attribute=${g.random.pick(["'name'", "'owner.name'", "'note', default='-'"])}) | list`,
  ],
  [1, (g) => `${g.operand(g.random.pick(['dict', 'str']))} | list`],
  [1, (g) => `${g.target('dict')}.keys() | ${g.random.pick(['list', 'sort'])}`],
  [1, (g) => `${g.operand('strs')} + ${g.operand('strs')}`],
  [1, (g) => g.conditional('strs')],
];

export const dicts = [
  [
    3,
    (g) =>
      `{${g.random.times(g.random.between(0, 3), (i) => `${g.quote('kcab'[i])}: ${g.expr('int')}`).join(', ')}}`,
  ],
  [
    2,
    (g) =>
      `dict(${g.random.times(g.random.between(0, 2), (i) => `${'pq'[i]}=${g.expr('int')}`).join(', ')})`,
  ],
  [1, (g) => `dict(${g.operand('dict')}, z=${g.expr('int')})`],
  [
    1,
    (g) =>
      `dict(${g.operand('dict')} | dictsort${g.random.pick(['', '(reverse=true)', "(by='value')", "(true, 'key')"])})`,
  ],
  [1, (g) => `${g.target('dict')}.copy()`],
];

export const records = [
  [2, (g) => `${g.target('records')}[${g.small()}] | default(user, true)`],
  [1, (g) => `${g.operand('records')} | ${g.random.pick(['first', 'last'])} | default(user)`],
  [1, () => 'user'],
];

export const recordLists = [
  [3, () => 'rows'],
  [
    2,
    (g) =>
      `rows | sort(attribute=${g.random.pick(byAttribute.filter((name) => !name.includes('-')))}${g.random.pick(['', ', reverse=true', ', case_sensitive=true'])})`,
  ],
  [
    2,
    (g) =>
      `rows | ${g.random.pick(['selectattr', 'rejectattr'])}(${g.random.pick(recordTest)}) | list`,
  ],
  [1, (g) => `${g.target('records')}${g.slice()}`],
  [1, () => `rows | unique(attribute='size') | list`],
  [1, () => '[user] + rows'],
];

/** Expressions of other types, which are only printed. */
export const others = [
  [
    2,
    (g) =>
      `(${g.random.times(g.random.between(1, 3), () => g.expr(g.random.pick(['int', 'str', 'bool']))).join(', ')},)`,
  ],
  [
    1,
    (g) =>
      `${g.operand(g.random.pick(['ints', 'strs']))} | batch(${g.random.pick(['2', '3, 0', "2, fill_with='-'"])}) | list`,
  ],
  [
    1,
    (g) =>
      `${g.operand(g.random.pick(['ints', 'strs']))} | slice(${g.random.pick(['2', '3, 0', "2, fill_with='-'"])}) | list`,
  ],
  [
    1,
    (g) =>
      `${g.operand('dict')} | dictsort${g.random.pick(['', '(true)', "(by='value')", '(reverse=true)', "(false, 'value', true)"])}`,
  ],
  [1, (g) => `${g.operand('dict')} | items | list`],
  [1, (g) => `${g.target('dict')}.${g.random.pick(['items', 'keys', 'values'])}()`],
  [
    1,
    (g) =>
      `rows | groupby(${g.random.pick(["'ok'", "'size'", "'name', case_sensitive=true", "attribute='note', default=''"])}) | map('first') | list`,
  ],
  [1, (g) => `${g.target('str')}.partition(' ')`],
  [1, () => 'none_here'],
  [1, (g) => `[[${g.expr('int')}], {'a': ${g.expr('str')}}, none, (${g.expr('float')}, true)]`],
  [
    1,
    (g) =>
      `{${g.expr('str')}: ${g.expr('strs')}, ${g.random.between(0, 3)}: ${g.expr('float')}, none: ()}`,
  ],
  [1, (g) => `range(${g.random.pick(['3', '1, 7, 2'])})`],
  [1, (g) => `${g.expr('int')}, ${g.expr('str')}`],
];
