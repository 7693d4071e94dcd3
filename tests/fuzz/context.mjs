// Generates random contexts with fixed names and types, so that expressions match them. A context is JSON text,
// because JavaScript would write 2.0 as 2.
import { randomText } from './texts.mjs';

const text = (random) => JSON.stringify(randomText(random));
const bool = (random) => random.pick(['true', 'false']);
const list = (items) => `[${items.join(', ')}]`;
const object = (members) =>
  `{${members.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(', ')}}`;

function integer(random) {
  const wide = ['0', '-1', '255', '1000', '65536', '123456789', '-2147483648'];
  const huge = ['9223372036854775807', '-9223372036854775809', '123456789012345678901234567890'];
  if (random.chance(0.85)) return String(random.between(-9, 20));
  return random.pick(random.chance(0.2) ? huge : wide);
}

const floats = [
  '0.5',
  '2.0',
  '-0.125',
  '3.14159',
  '1e16',
  '1.5e-07',
  '-0.0',
  '100.0',
  '0.1',
  '2.675',
];
const float = (random) => random.pick(floats);

const keys = ['name', 'size', 'b', 'a', 'Z z', 'é', 'items', '0', 'key-1', ''];

function numbersByName(random) {
  const chosen = keys.filter(() => random.chance(0.4));
  return object(chosen.map((key) => [key, integer(random)]));
}

/** Returns a record; `note` and `extra` are optional. */
function record(random) {
  const members = [
    ['name', text(random)],
    ['size', integer(random)],
    ['price', float(random)],
    ['ok', bool(random)],
    ['tags', list(random.times(random.between(0, 3), () => text(random)))],
    [
      'owner',
      object([
        ['name', text(random)],
        ['age', String(random.between(0, 99))],
      ]),
    ],
  ];
  if (random.chance(0.5)) members.push(['note', random.chance(0.5) ? 'null' : text(random)]);
  if (random.chance(0.3)) members.push(['extra', list([integer(random), text(random)])]);
  return object(members);
}

function tree(random, depth) {
  const children = depth === 0 ? 0 : random.between(0, 2);
  return object([
    ['name', text(random)],
    ['children', list(random.times(children, () => tree(random, depth - 1)))],
  ]);
}

/** The names in a context, by type. */
export const contextNames = {
  int: ['count', 'delta'],
  float: ['ratio', 'weight'],
  str: ['title', 'body', 'user.name'],
  bool: ['flag', 'user.ok'],
  ints: ['numbers', 'empty'],
  strs: ['words', 'user.tags'],
  dict: ['table', 'blank'],
  record: ['user'],
  records: ['rows'],
  forest: ['trees'],
  undef: ['nothing', 'user.absent', 'rows[99]', 'table.none_such', 'user["no"]'],
};

/** Returns the JSON text of a random context. */
export function randomContext(random) {
  const some = (make, most) => list(random.times(random.between(0, most), () => make(random)));
  return object([
    ['count', integer(random)],
    ['delta', integer(random)],
    ['ratio', float(random)],
    ['weight', float(random)],
    ['title', text(random)],
    ['body', text(random)],
    ['flag', bool(random)],
    ['none_here', 'null'],
    ['numbers', some(integer, 5)],
    ['empty', '[]'],
    ['words', some(text, 4)],
    ['table', numbersByName(random)],
    ['blank', '{}'],
    ['user', record(random)],
    ['rows', some(record, 4)],
    ['trees', some((r) => tree(r, 2), 2)],
  ]);
}
