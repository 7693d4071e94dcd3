// Generates random statements with typed expressions.
import { faultyStatement } from './faults.mjs';
import { loop } from './loops.mjs';
import { callBlock, macro, macroCall } from './macros.mjs';
import { randomText } from './texts.mjs';

const printed = [
  'int',
  'float',
  'str',
  'str',
  'str',
  'bool',
  'ints',
  'strs',
  'dict',
  'record',
  'other',
  'other',
];
const between = [
  '',
  ' ',
  '\n',
  '\n\n',
  '  \n',
  '\n  ',
  '\t',
  ' text ',
  'a\n',
  '\r\n',
  '\n    b',
  '.',
  ' \u00a0',
  'é',
  '}',
  '{ ',
  '%',
  '#',
];

const gap = (g) => g.random.pick(between);

function output(g) {
  return g.print(g.random.chance(0.06) ? g.expr('undef') : g.expr(g.random.pick(printed)));
}

/** Returns template text without opening delimiters. */
const plainText = (g) => randomText(g.random).replace(/\{[{%#]/g, '{ ');

function condition(g, depth) {
  const inner = () => g.scoped(() => statements(g, depth + 1));
  const test = () => g.expr(g.random.pick(['bool', 'bool', 'bool', 'int', 'strs', 'undef']));
  let text = g.tag(`if ${test()}`) + inner();
  if (g.random.chance(0.3)) text += g.tag(`elif ${test()}`) + inner();
  if (g.random.chance(0.5)) text += g.tag('else') + inner();
  return text + g.tag('endif');
}

const settable = ['int', 'float', 'str', 'bool', 'ints', 'strs', 'dict'];

function set(g) {
  const type = g.random.pick(settable);
  const known = g.names(type).filter((name) => /^v\d+$/.test(name));
  const name = known.length > 0 && g.random.chance(0.4) ? g.random.pick(known) : g.fresh('v');
  const text = g.tag(`set ${name} = ${g.expr(type)}`);
  g.declare(type, name);
  return text;
}

function setPair(g) {
  const [one, two] = [g.fresh('v'), g.fresh('v')];
  const text = g.tag(`set ${one}, ${two} = ${g.expr('int')}, ${g.expr('str')}`);
  g.declare('int', one);
  g.declare('str', two);
  return text;
}

const wrappers = [
  'upper',
  "replace('a', 'b')",
  'trim',
  'indent(2, true)',
  'title | trim',
  'striptags',
  'e',
  'wordwrap(6)',
  'truncate(9, true)',
  'length',
];

function setBlock(g, depth) {
  const filter = g.random.chance(0.4) ? ` | ${g.random.pick(wrappers)}` : '';
  const name = g.fresh('v');
  const body = g.scoped(() => statements(g, depth + 1));
  g.declare('str', name);
  return g.tag(`set ${name}${filter}`) + body + g.tag('endset');
}

function filterBlock(g, depth) {
  const body = g.scoped(() => statements(g, depth + 1));
  return g.tag(`filter ${g.random.pick(wrappers)}`) + body + g.tag('endfilter');
}

function space(g) {
  const name = g.fresh('ns');
  const first = g.tag(`set ${name} = namespace(n=${g.expr('int')}, s=${g.expr('str')}, l=[])`);
  g.declare('int', `${name}.n`);
  g.declare('str', `${name}.s`);
  g.declare('ints', `${name}.l`);
  g.declare('space', name);
  return first;
}

function setMember(g) {
  const [name] = g.names('space');
  if (!name) return space(g);
  return g.random.pick([
    () => g.tag(`set ${name}.n = ${name}.n + ${g.expr('int')}`),
    () => g.tag(`set ${name}.s = ${g.expr('str')}`),
    () => g.tag(`set ${name}.l = ${name}.l + [${g.expr('int')}]`),
    () =>
      g.tag(
        `do ${name}.l.${g.random.pick(['append(1)', 'extend([3, 1])', 'insert(0, 5)', 'reverse()', 'sort()', 'clear()'])}`,
      ),
  ])();
}

function withBlock(g, depth) {
  return g.scoped(() => {
    const [a, b] = [g.fresh('w'), g.fresh('w')];
    const head = `with ${a} = ${g.expr('int')}, ${b} = ${g.expr('str')}`;
    g.declare('int', a);
    g.declare('str', b);
    return g.tag(head) + statements(g, depth + 1) + g.tag('endwith');
  });
}

function raw(g) {
  const inside = g.random.pick(['{{ x }}', '{% if %}', '\n{# a #}\n', ' {{', '%} ', '']);
  // `raw` is the only tag that cannot end with `+%}`.
  return g.tag('raw').replace(/\+%\}$/, '%}') + inside + g.tag('endraw');
}

function comment(g) {
  const sign = () => g.random.pick(['', '', '-']);
  return `{#${sign()}${g.random.pick([' note ', '\n{{ x }}\n', '', " it's {% if %}"])}${sign()}#}`;
}

function autoescape(g, depth) {
  // Jinja2 does not escape constants if autoescape depends on a variable (docs/templates-deviations.md).
  if (g.random.chance(0.3)) {
    const body = g.print(`title${g.random.pick(['', ' | upper', ' ~ body', '[1:]'])}`);
    return `${g.tag('autoescape flag')}<${body}>${g.tag('endautoescape')}`;
  }
  const head = g.tag(`autoescape ${g.random.pick(['true', 'false'])}`);
  return head + g.scoped(() => statements(g, depth + 1)) + g.tag('endautoescape');
}

const generation = (g, depth) =>
  g.tag('generation') + g.scoped(() => statements(g, depth + 1)) + g.tag('endgeneration');

function helper(g) {
  const name = g.fresh('h');
  return g.random.pick([
    () => {
      const made = g.tag(`set ${name} = cycler('odd', ${g.expr('str')})`);
      return `${made}{{ ${name}.next() }}{{ ${name}.current }}{{ ${name}.next() }}${g.random.pick(['', `{% do ${name}.reset() %}{{ ${name}.next() }}`])}`;
    },
    () => {
      const made = g.tag(`set ${name} = joiner(${g.random.pick(['', "'; '", "sep='|'"])})`);
      return `${made}${g.tag('for x in words')}{{ ${name}() }}{{ x }}${g.tag('endfor')}`;
    },
    () => g.print(`strftime_now(${g.random.pick(["'%Y-%m-%d'", "'%d %b %Y'"])})`),
  ])();
}

const dictMutations = [
  "update({'m': 3})",
  'update(m=1, n=2)',
  "setdefault('a', 4)",
  "pop('a', 0)",
  'popitem()',
  'clear()',
];
const listMutations = [
  'append(4)',
  'extend([1, 2])',
  'insert(1, 9)',
  'pop()',
  'pop(0)',
  'remove(1)',
  'reverse()',
  'sort(reverse=true)',
];

function mutation(g) {
  const name = g.fresh('v');
  const [start, changes, type] = g.random.pick([
    [`{'a': ${g.expr('int')}, 'b': 2}`, dictMutations, 'dict'],
    [`[3, 1, ${g.expr('int')}]`, listMutations, 'ints'],
  ]);
  const text = `${g.tag(`set ${name} = ${start}`)}${g.print(`${name}.${g.random.pick(changes)}`)}${g.print(name)}`;
  g.declare(type, name);
  return text;
}

const simple = [
  [34, output],
  [10, plainText],
  [8, set],
  [2, setPair],
  [3, space],
  [5, setMember],
  [2, raw],
  [3, comment],
  [2, helper],
  [2, mutation],
  [5, macroCall],
  [4, (g) => g.include?.() ?? output(g)],
];

const nested = [
  [12, condition],
  [14, loop],
  [3, setBlock],
  [3, filterBlock],
  [3, withBlock],
  [2, autoescape],
  [1, generation],
  [6, macro],
  [3, callBlock],
];

function statement(g, depth) {
  if (g.statementsToFault-- === 0) return faultyStatement(g);
  const isNested = depth < 3 && g.random.chance(0.42 - 0.1 * depth);
  return g.random.weighted(isNested ? nested : simple)(g, depth);
}

/** Returns one to `most` statements with text between them. */
export function statements(g, depth, most = 3) {
  const count = g.random.between(1, most);
  return g.random.times(count, () => statement(g, depth) + gap(g)).join('');
}
