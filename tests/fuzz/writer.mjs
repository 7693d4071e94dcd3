// Writes random expressions and tags with matching types, so that most templates render.
import { dicts, integerLists, others, recordLists, records, stringLists } from './collections.mjs';
import { contextNames } from './context.mjs';
import { floats, integers } from './numbers.mjs';
import { strings } from './strings.mjs';
import { literal, randomText } from './texts.mjs';
import { truths } from './truths.mjs';

const rows = {
  int: integers,
  float: floats,
  str: strings,
  bool: truths,
  ints: integerLists,
  strs: stringLists,
  dict: dicts,
  record: records,
  records: recordLists,
  other: others,
};

const numerals = ['0', '1', '2', '3', '7', '12', '1_000', '0xff', '0o17', '0b101'];
const hugeNumerals = [
  '9223372036854775807',
  '18446744073709551616',
  '0xFFFF_FFFF_FFFF_FFFF_FFFF',
  '1_000_000_000_000_000_000_000',
];
const decimals = ['0.5', '1.0', '2.25', '10.1', '1e3', '2.5e-3', '1_0.5', '1e16', '123456789.125'];

const constants = {
  int: (g) => g.random.pick(g.random.chance(0.05) ? hugeNumerals : numerals),
  float: (g) => g.random.pick(decimals),
  str: (g) => g.quoteRandom(),
  bool: (g) => g.random.pick(['true', 'false', 'True', 'False']),
  ints: (g) =>
    `[${g.random.times(g.random.between(0, 4), () => g.random.between(-3, 9)).join(', ')}]`,
  strs: (g) => `[${g.random.times(g.random.between(1, 3), () => g.quoteRandom()).join(', ')}]`,
  dict: (g) => `{${g.key()}: ${g.random.between(0, 9)}}`,
  record: () => 'user',
  records: () => 'rows',
  forest: () => 'trees',
  other: (g) => g.random.pick(['none', 'none_here', '()', '{}', '[]']),
  undef: () => 'nothing',
};

// Whether a filter, a dot, or an operator can follow the text without parentheses.
const isAtom = (text) => /^([A-Za-z_][\w.]*|\d+|'[^'\\]*'|"[^"\\]*"|\[[^[\]]*\])$/.test(text);

export class Writer {
  #scopes = [contextNames, {}];
  #depth = 0;
  #count = 0;

  /**
   * @param {import('./random.mjs').Random} random
   * @param {{ tojson: 'html' | 'plain' | 'hf' }} options
   */
  constructor(random, { tojson }) {
    this.random = random;
    this.tojson = tojson;
    this.loops = 0;
  }

  /** Returns the text of `write`; names declared in it are not visible afterwards. */
  scoped(write) {
    this.#scopes.push({});
    const text = write();
    this.#scopes.pop();
    return text;
  }

  declare(type, name) {
    (this.#scopes.at(-1)[type] ??= []).push(name);
    return name;
  }

  /** Returns a name that is unique in the template. */
  fresh(prefix) {
    return `${prefix}${++this.#count}`;
  }

  /** Returns the visible names of a type, innermost first. */
  names(type) {
    return this.#scopes.flatMap((scope) => scope[type] ?? []).reverse();
  }

  expr(type) {
    if (!rows[type] || this.#depth >= 3 || this.random.chance(0.3)) return this.#leaf(type);
    ++this.#depth;
    const text = this.random.weighted(rows[type])(this);
    --this.#depth;
    return text;
  }

  #leaf(type) {
    const names = this.names(type);
    if (names.length === 0 || this.random.chance(0.4)) return constants[type](this);
    // Prefer inner names, because scoping is worth testing.
    return this.random.chance(0.4) ? names[0] : this.random.pick(names);
  }

  /** Returns an expression for use inside another one, usually with parentheses where needed. */
  operand(type) {
    const text = this.expr(type);
    return isAtom(text) || this.random.chance(0.1) ? text : `(${text})`;
  }

  /** Returns an expression that a dot or a bracket can follow. */
  target(type) {
    const text = this.expr(type);
    return isAtom(text) && !/^\d/.test(text) ? text : `(${text})`;
  }

  conditional(type) {
    const condition = this.operand(
      this.random.pick(['bool', 'bool', 'int', 'str', 'ints', 'undef']),
    );
    const otherwise = this.random.chance(0.9) ? ` else ${this.operand(type)}` : '';
    return `${this.operand(type)} if ${condition}${otherwise}`;
  }

  number() {
    return this.random.pick(['int', 'float']);
  }

  small() {
    return this.random.between(-3, 4);
  }

  slice() {
    const bound = () => (this.random.chance(0.4) ? '' : String(this.small()));
    const step = this.random.pick(['', '', ':', ':2', ':-1', ':-2']);
    return `[${bound()}:${bound()}${step}]`;
  }

  key() {
    return this.quote(this.random.pick(['a', 'b', 'size', 'none_such', 'é', 'items']));
  }

  quote(text) {
    return literal(this.random, text);
  }

  quoteRandom() {
    return this.quote(randomText(this.random));
  }

  /** Returns white space for the inside of a tag, sometimes a line break to test line numbers of errors. */
  #gap() {
    return this.random.weighted([
      [12, ' '],
      [1, '\n'],
      [1, ''],
      [1, '  '],
    ]);
  }

  #sign(signs) {
    return this.random.weighted([[6, ''], ...signs.map((sign) => [1, sign])]);
  }

  tag(body) {
    const lead = this.random.chance(0.06) ? body.replace(' ', '\n') : body;
    return `{%${this.#sign(['-', '+'])}${this.#gap()}${lead}${this.#gap()}${this.#sign(['-', '+'])}%}`;
  }

  print(expression) {
    // Without a space, a brace or a sign of the expression would become part of the tag.
    const open = this.random.chance(0.1) && /^[a-z]/.test(expression) ? '' : ' ';
    return `{{${this.#sign(['-'])}${open}${expression} ${this.#sign(['-'])}}}`;
  }
}
