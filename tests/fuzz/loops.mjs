// Generates random loops: their iterables, unpacking, and uses of the variable `loop`.
import { statements } from './statements.mjs';

const counts = [
  'loop.index',
  'loop.index0',
  'loop.revindex',
  'loop.revindex0',
  'loop.length',
  'loop.depth',
  'loop.depth0',
];

/** Each row returns the target, the iterable, and the types of the target's names. */
const iterations = [
  [3, (g, v) => ({ target: v, over: g.expr('ints'), types: { int: [v] } })],
  [3, (g, v) => ({ target: v, over: g.expr('strs'), types: { str: [v] } })],
  [1, (g, v) => ({ target: v, over: g.expr('str'), types: { str: [v] } })],
  [
    1,
    (g, v) => ({
      target: v,
      over: `range(${g.random.pick(['3', '1, 4', '4, 0, -2', '0'])})`,
      types: { int: [v] },
    }),
  ],
  [
    3,
    (g, v) => ({
      target: v,
      over: g.expr('records'),
      types: {
        record: [v],
        int: [`${v}.size`],
        str: [`${v}.name`],
        float: [`${v}.price`],
        strs: [`${v}.tags`],
        undef: [`${v}.extra`],
      },
    }),
  ],
  [
    2,
    (g, v) => ({
      target: `${v}, ${v}b`,
      over: `${g.target('dict')}.items()`,
      types: { str: [v], int: [`${v}b`] },
    }),
  ],
  [
    1,
    (g, v) => ({
      target: `${v}, ${v}b`,
      over: `${g.operand('dict')} | ${g.random.pick(['dictsort', 'items'])}`,
      types: { str: [v], int: [`${v}b`] },
    }),
  ],
  [
    1,
    (g, v) => ({
      target: `(${v}, ${v}b), ${v}c`,
      over: `[((1, 'a'), 2.5), ((${g.expr('int')}, ${g.expr('str')}), ${g.expr('float')})]`,
      types: { int: [v], str: [`${v}b`], float: [`${v}c`] },
    }),
  ],
  [
    1,
    (g, v) => ({
      target: `${v}, ${v}b`,
      over: `rows | groupby('${g.random.pick(['size', 'ok', 'name'])}')`,
      types: { records: [`${v}b`] },
    }),
  ],
  [
    1,
    (g, v) => ({
      target: v,
      over: `${g.operand('ints')} | ${g.random.pick(['batch(2)', 'slice(2)', 'batch(3, 0)'])}`,
      types: { ints: [v] },
    }),
  ],
  [1, (g, v) => ({ target: v, over: `${g.operand('ints')} | select('odd')`, types: { int: [v] } })],
  [1, (g, v) => ({ target: v, over: g.expr('undef'), types: { int: [v] } })],
];

function loopVariable(g, name) {
  return g.random.pick([
    () => g.print(g.random.pick(counts)),
    () => g.print(`loop.${g.random.pick(['first', 'last'])}`),
    () => g.print(`${g.quote(', ')} if not loop.last`),
    () => g.print(`loop.cycle(${g.random.pick(["'a', 'b'", '1, 2, 3', "'x'"])})`),
    () =>
      g.print(
        `loop.changed(${g.random.pick([name, `${name} | string | length`, 'flag', `${name}, 1`])})`,
      ),
    () => g.print(`loop.${g.random.pick(['previtem', 'nextitem'])} | default('-')`),
    () =>
      g.tag(`if loop.${g.random.pick(['previtem', 'nextitem'])} is defined`) + 'x' + g.tag('endif'),
  ])();
}

function breakOrContinue(g) {
  const when = g.random.pick(['loop.index > 1', 'loop.last', 'flag', 'loop.index0 is odd']);
  return (
    g.tag(`if ${when}`) +
    g.random.pick(['', 'x']) +
    g.tag(g.random.pick(['break', 'continue'])) +
    g.tag('endif')
  );
}

function body(g, depth, name, types) {
  return g.scoped(() => {
    for (const [type, names] of Object.entries(types)) names.forEach((one) => g.declare(type, one));
    g.declare('int', g.random.pick(counts));
    g.declare('bool', g.random.pick(['loop.first', 'loop.last']));
    const front = g.random.chance(0.5) ? loopVariable(g, name) : '';
    const exit = g.random.chance(0.15) ? breakOrContinue(g) : '';
    return (
      front +
      statements(g, depth + 1, 2) +
      exit +
      (g.random.chance(0.3) ? loopVariable(g, name) : '')
    );
  });
}

function recursive(g) {
  const node = g.fresh('t');
  const rest = g.print(
    g.random.pick([
      `loop(${node}.children)`,
      `loop(${node}.children) | upper`,
      `loop(${node}.children | reverse)`,
    ]),
  );
  const head = `for ${node} in trees${g.random.pick(['', ` if ${node}.name`])} recursive`;
  const shown = g.print(`${node}.name`) + loopVariable(g, node);
  const inner = g.random.chance(0.5)
    ? `${g.tag(`if ${node}.children`)}[${rest}]${g.tag('endif')}`
    : `(${rest})`;
  const otherwise = g.random.chance(0.3) ? `${g.tag('else')}none` : '';
  return g.tag(head) + shown + inner + otherwise + g.tag('endfor');
}

export function loop(g, depth) {
  if (g.random.chance(0.1)) return recursive(g);
  const name = g.fresh('i');
  const { target, over, types } = g.random.weighted(iterations)(g, name);
  // An expression with a conditional or a tuple needs parentheses here, because `if` would filter the loop.
  const iterable = / if | else |,/.test(over) ? `(${over})` : over;
  const filter = g.random.chance(0.25)
    ? ` if ${g.random.pick([`${name}`, 'flag', `${name} is not none`, `${name} != 2`, 'not flag'])}`
    : '';
  const text = g.tag(`for ${target} in ${iterable}${filter}`) + body(g, depth, name, types);
  const otherwise = g.random.chance(0.25)
    ? g.tag('else') + g.scoped(() => statements(g, depth + 1, 2))
    : '';
  return text + otherwise + g.tag('endfor');
}
