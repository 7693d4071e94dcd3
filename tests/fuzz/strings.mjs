// Generates expressions that return texts: filters with arguments, methods, formatting, slices.

const simple = ['upper', 'lower', 'trim', 'title', 'capitalize', 'reverse', 'string'];
const escaping = ['e', 'escape', 'forceescape', 'safe', 'striptags'];
const changes = [
  'upper',
  'lower',
  'title',
  'capitalize',
  'swapcase',
  'casefold',
  'strip',
  'lstrip',
  'rstrip',
];
const any = ['int', 'float', 'bool', 'str', 'ints', 'strs', 'dict', 'record', 'undef'];

const argument = {
  indent: ['2', '4, true', 'width=1, blank=true', "'> '", "'--', first=true", '', '0, true, true'],
  truncate: [
    '5',
    '8, true',
    "6, false, '…'",
    '10, leeway=0',
    "length=7, killwords=true, end='', leeway=1",
    '3',
  ],
  wordwrap: [
    '8',
    '5, false',
    "6, true, '|'",
    'width=7, break_on_hyphens=false',
    "4, wrapstring='\\n> '",
  ],
  center: ['12', 'width=9', '0', '7'],
  trim: ['', "' x'", "chars='a '", "'é'"],
  urlize: ['', '12', '20, true', "target='_blank'", "rel='me'", 'nofollow=true, trim_url_limit=9'],
  filesizeformat: ['', 'true', 'binary=false'],
  pprint: [''],
  default: ["'D'", "'', true", "default_value='x', boolean=true"],
};

function withArguments(name, type = 'str') {
  return (g) => {
    const given = g.random.pick(argument[name]);
    return `${g.operand(type)} | ${name}${given === '' && g.random.chance(0.7) ? '' : `(${given})`}`;
  };
}

/** Returns a `tojson` filter with arguments that match one of its three signatures. */
function json(g) {
  const forms = {
    html: ['', '(2)', '(indent=1)'],
    plain: [''],
    hf: ['', '(indent=2)', '(true)', '(sort_keys=true)', "(separators=(',', ':'))"],
  };
  const type = g.random.pick([
    'int',
    'float',
    'bool',
    'str',
    'ints',
    'strs',
    'dict',
    'record',
    'records',
  ]);
  return `${g.operand(type)} | tojson${g.random.pick(forms[g.tojson])}`;
}

/** Returns a `%` conversion and a value of a matching type. */
function conversion(g) {
  const flags = g.random.pick(['', '-', '0', '+', ' ', '#', '-5', '05', '3', '+.2', '.3', '8.3']);
  const [letters, type] = g.random.pick([
    ['srs', 'str'],
    ['srs', 'ints'],
    ['dixXo', 'int'],
    ['feEgG', 'float'],
    ['fg', 'int'],
    ['s', 'bool'],
  ]);
  return { text: `%${flags}${g.random.pick([...letters])}`, value: g.expr(type) };
}

function percent(g) {
  const parts = g.random.times(g.random.between(1, 3), () => conversion(g));
  const pattern = g.quote(parts.map(({ text }) => text).join(g.random.pick([' ', '%%', '-é-'])));
  const values = parts.map(({ value }) => value);
  if (g.random.chance(0.5)) return `${pattern} | format(${values.join(', ')})`;
  return `${pattern} % (${values.join(', ')},)`;
}

function field(g, i) {
  const [type, specs] = g.random.pick([
    ['str', ['', ':>10', ':^9', ':*<8', ':.3', ':é^5', '!r', '!s:>6']],
    ['int', ['', ':5', ':05d', ':,', ':+', ':x', ':#x', ':b', ':o', ':<4', ':_', ':e', ':.1f']],
    ['float', ['', ':.2f', ':8.1f', ':e', ':g', ':%', ':+.1f', ':,.2f', ':010.3f']],
    ['strs', ['', '!r', '[0]']],
  ]);
  const mode = g.braces;
  return {
    text: `{${mode === 'auto' ? '' : mode === 'index' ? i : `k${i}`}${g.random.pick(specs)}}`,
    value: g.expr(type),
  };
}

function braces(g) {
  g.braces = g.random.pick(['auto', 'index', 'name']);
  const { braces: mode } = g;
  const fields = g.random.times(g.random.between(1, 3), (i) => {
    g.braces = mode;
    return field(g, i);
  });
  const values = fields.map(({ value }, i) => (mode === 'name' ? `k${i}=${value}` : value));
  return `${g.quote(fields.map(({ text }) => text).join(g.random.pick([' ', '{{', '}}', '/'])))}.format(${values.join(', ')})`;
}

function searchMethod(g) {
  const target = g.target('str');
  return g.random.pick([
    () =>
      `${target}.replace(${g.expr('str')}, ${g.quote('*')}${g.random.pick(['', ', 1', ', -1', ', 0'])})`,
    () =>
      `${target}.${g.random.pick(['strip', 'lstrip', 'rstrip'])}(${g.quote(g.random.pick([' ', 'ab', 'é', '<>']))})`,
    () =>
      `${target}.${g.random.pick(['center', 'ljust', 'rjust'])}(${g.random.between(0, 14)}${g.random.pick(['', ", '*'", ", 'é'"])})`,
    () => `${target}.zfill(${g.random.between(0, 9)})`,
    () => `${target}.expandtabs(${g.random.pick(['', '4', 'tabsize=2'])})`,
    () => `${target}.${g.random.pick(['removeprefix', 'removesuffix'])}(${g.expr('str')})`,
    () => `${g.quote(g.random.pick([', ', '', '-']))}.join(${g.expr('strs')})`,
  ])();
}

export const strings = [
  [5, (g) => `${g.operand(g.random.pick(any))} ~ ${g.operand('str')}`],
  [2, (g) => `${g.operand('str')} + ${g.operand('str')}`],
  [5, (g) => `${g.operand('str')} | ${g.random.pick(simple)}`],
  [3, (g) => `${g.operand('str')} | ${g.random.pick(escaping)}`],
  [2, (g) => `${g.operand(g.random.pick(any))} | string`],
  [
    3,
    (g) =>
      `${g.operand(g.random.pick(['strs', 'ints']))} | join${g.random.pick(['', "(', ')", "(d='<')", "('é')"])}`,
  ],
  [
    1,
    (g) =>
      `rows | join(${g.random.pick(["', ', attribute='name'", "attribute='size', d='-'", "' ', 'owner.name'"])})`,
  ],
  [
    3,
    (g) =>
      `${g.operand('str')} | replace(${g.expr('str')}, ${g.quote('_')}${g.random.pick(['', ', 1', ', count=2'])})`,
  ],
  ...['indent', 'truncate', 'wordwrap', 'center', 'trim', 'urlize'].map((name) => [
    1.5,
    withArguments(name),
  ]),
  [1, withArguments('filesizeformat', 'int')],
  [1, (g) => `${g.operand(g.random.pick(['str', 'dict', 'ints', 'record', 'float']))} | pprint`],
  [1, (g) => `${g.operand(g.random.pick(['str', 'int', 'dict']))} | urlencode`],
  [
    1,
    (g) =>
      `${g.operand(g.random.pick(['dict', 'record']))} | xmlattr${g.random.pick(['', '(false)', '(autospace=true)'])}`,
  ],
  [3, json],
  [3, percent],
  [3, braces],
  [1, (g) => `'%(a)s=%(b)d' % {'a': ${g.expr('str')}, 'b': ${g.expr('int')}}`],
  [1, (g) => `'%(a)s|%(b)5.1f' | format(a=${g.expr('str')}, b=${g.expr('float')})`],
  [4, (g) => `${g.target('str')}.${g.random.pick(changes)}()`],
  [4, searchMethod],
  [3, (g) => `${g.target('str')}${g.slice()}`],
  [1, (g) => `${g.target('str')}[${g.small()}] | default(${g.quote('?')})`],
  [1, (g) => `${g.operand('str')} * ${g.random.between(-1, 3)}`],
  [
    1,
    (g) =>
      `${g.operand('strs')} | ${g.random.pick(['first', 'last', 'min', 'max'])} | default(${g.expr('str')})`,
  ],
  [2, (g) => `${g.operand('str')} | ${g.random.pick(['first', 'last'])} | default('')`],
  [
    2,
    (g) =>
      `${g.operand('undef')} | ${g.random.pick(['default', 'd'])}(${g.random.pick(argument.default)})`,
  ],
  [
    1,
    (g) =>
      `${g.operand('str')} | ${g.random.pick(['default', 'd'])}(${g.random.pick(argument.default)})`,
  ],
  [
    1,
    (g) =>
      `${g.target('str')}.${g.random.pick(['partition', 'rpartition'])}(${g.quote(g.random.pick([' ', 'a', ',']))})[${g.random.between(0, 2)}]`,
  ],
  [2, (g) => g.conditional('str')],
  [1, (g) => `${g.operand('str')} ${g.random.pick(['and', 'or'])} ${g.operand('str')}`],
  [1, (g) => g.random.times(2, () => g.quoteRandom()).join(' ')],
  [
    1,
    (g) =>
      `${g.operand('record')}${g.random.pick(['.name', "['name']", "|attr('name')", '.owner.name', "['owner']['name']"])}`,
  ],
];
