// Reads literals of JavaScript and Python: objects, lists, strings and calls with arguments, each with its place.
import { LiteralError, readLiteralString, type Language } from './literal-string.js';
import { WrittenString } from './written-string.js';

interface Span {
  from: number;
  to: number;
}

/** A string, also one of several pieces. */
export interface StringLiteral extends Span {
  kind: 'string';
  value: WrittenString;
}

/** A member of an object, or an argument with its name. `colon` is the place of what stands between both. */
export interface Member {
  key: StringLiteral;
  colon: number;
  value: Literal;
}

/** What a bracket opens: `open` is behind it, and `end` is where the closing bracket begins, with a comma before it. */
interface Bracketed extends Span {
  open: number;
  end: number;
  /** The places of the commas between the members. */
  commas: number[];
  /** Set if the text has no such brackets, so that nothing can be inserted there. */
  isFixed?: true;
}

export interface ListLiteral extends Bracketed {
  kind: 'list';
  items: Literal[];
}

export interface ObjectLiteral extends Bracketed {
  kind: 'object';
  members: Member[];
}

/** A call, such as `types.Content(role="user")`. */
export interface CallLiteral extends Bracketed {
  kind: 'call';
  name: string;
  items: Literal[];
  members: Member[];
}

/** A value of a script, as far as it can be known without running it. */
export type Literal =
  | StringLiteral
  | ListLiteral
  | ObjectLiteral
  | CallLiteral
  /** A number, `true`, `false` or `null`, as JSON. */
  | (Span & { kind: 'scalar'; json: string })
  /** A variable, and what it is set to. */
  | (Span & { kind: 'reference'; target: Literal })
  /** What only a run can tell. */
  | (Span & { kind: 'code' });

/** Returns a name of a script as a string; one that the script does not have is at no characters. */
export function nameLiteral(name: string, from: number, to: number): StringLiteral {
  const value = new WrittenString(from);
  value.add(name, from, to - from, 'verbatim');
  value.to = to;
  return { kind: 'string', from, to, value };
}

const constants: { [name: string]: string } = {
  ...{ None: 'null', True: 'true', False: 'false' },
  ...{ null: 'null', true: 'true', false: 'false', undefined: 'null' },
};

const spaces: Record<Language, RegExp> = {
  python: /(?:\s|#[^\n]*|\\\n)+/y,
  javascript: /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)+/y,
};
const stringStart: Record<Language, RegExp> = {
  python: /(?:[rbuf]|rb|br|rf|fr)?["']/iy,
  javascript: /["'`]/y,
};
const number = /-?(?:0[xX][\da-fA-F]+|(?:\d[\d_]*)?\.?\d[\d_]*\.?(?:[eE][+-]?\d+)?)(?![\w$])/y;
const dottedName = /[A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*/y;
// What makes an expression of the value before it.
const operator = /[.+%*/|&?<>[(-]|(?:if|or|and|for|in|as|is|not|satisfies)\b|==|=>/y;

const maxDepth = 200;
const keywords = /^(?:await|async|new|function|class|lambda|not|typeof|yield|void)$/;

/** Reads the literals of a script. */
export class LiteralReader {
  readonly text: string;
  readonly language: Language;
  #at = 0;
  #depth = 0;
  /** How many brackets are open. */
  #brackets = 0;
  /** Where each variable is set, in the order of the text. */
  #assignments: Map<string, number[]> | undefined;
  readonly #known = new Map<number, Literal | undefined>();

  constructor(text: string, language: Language) {
    this.text = text;
    this.language = language;
  }

  /**
   * Reads the value that begins at an offset.
   *
   * @throws LiteralError if it does not end, or if a part of it is missing
   */
  read(from: number): Literal {
    this.#at = from;
    this.#skip();
    return this.#value();
  }

  /** Reads the call whose name begins at an offset, without what is done with its result. */
  readCall(from: number): Literal {
    this.#at = from;
    return this.#simple();
  }

  /** Returns where variables are set, by name. */
  get assignments(): Map<string, number[]> {
    if (this.#assignments) return this.#assignments;
    const found = (this.#assignments = new Map<string, number[]>());
    const form =
      /(?:^|[\n;])[ \t]*(?:export[ \t]+)?(?:(?:const|let|var)[ \t]+)?([A-Za-z_$][\w$]*)(?:[ \t]*:[^=\n]+)?[ \t]*=(?![=>])[ \t]*/g;
    for (const { index, 0: all, 1: name = '' } of this.text.matchAll(form)) {
      const places = found.get(name) ?? [];
      places.push(index + all.length);
      found.set(name, places);
    }
    return found;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.text)?.[0];
  }

  #skip(): void {
    this.#at += this.#match(spaces[this.language])?.length ?? 0;
  }

  #fail(message: string, at = this.#at): never {
    throw new LiteralError(message, at);
  }

  #value(): Literal {
    if (this.#depth > maxDepth) this.#fail('The value is nested too deeply');
    this.#depth += 1;
    const from = this.#at;
    const value = this.#simple();
    this.#depth -= 1;
    // At the end of a statement, the next line is another one.
    const end = this.#at;
    if (this.#brackets > 0) this.#skip();
    else this.#at += this.#match(/[ \t]*/y)?.length ?? 0;
    if (this.#match(operator) !== undefined) return this.#code(from);
    this.#at = end;
    return value;
  }

  #simple(): Literal {
    const { text } = this;
    const from = this.#at;
    const first = text[from];
    if (first === undefined) this.#fail('The text ends before a value');
    if (this.#match(stringStart[this.language]) !== undefined) return this.#string();
    if (first === '{') return this.#object();
    if (first === '[') return this.#list(']');
    if (first === '(') return this.#parenthesized();
    const digits = this.#match(number);
    if (digits !== undefined) {
      this.#at += digits.length;
      return { kind: 'scalar', from, to: this.#at, json: jsonNumber(digits) };
    }
    const name = this.#match(dottedName);
    if (name === undefined) {
      if (/[,)\]}:=;]/.test(first)) this.#fail('A value is missing');
      return this.#code(from);
    }
    this.#at += name.length;
    return this.#named(name.replace(/\s/g, ''), from);
  }

  #string(): Literal {
    const { language, text } = this;
    const from = this.#at;
    const read = readLiteralString(text, from, language);
    this.#at = read.to;
    // 'a' 'b' is one string of Python. Only within brackets, the second one may be on the next line.
    while (language === 'python') {
      const end = this.#at;
      if (this.#brackets > 0) this.#skip();
      else this.#at += this.#match(/[ \t]*/y)?.length ?? 0;
      if (this.#match(stringStart.python) === undefined) {
        this.#at = end;
        break;
      }
      const next = readLiteralString(text, this.#at, language);
      read.value.addPart(next.value, 0, next.value.value.length);
      read.isComputed ||= next.isComputed;
      this.#at = next.to;
    }
    const to = this.#at;
    if (read.isComputed) return { kind: 'code', from, to };
    read.value.to = to;
    return { kind: 'string', from, to, value: read.value };
  }

  #parenthesized(): Literal {
    const from = this.#at;
    const list = this.#list(')');
    const [only] = list.items;
    if (!only || list.items.length > 1 || this.text[list.end] === ',') return list;
    if (only.kind === 'string') return { ...only, from, to: list.to };
    return only;
  }

  #list(closer: ']' | ')'): ListLiteral {
    const from = this.#at;
    const items: Literal[] = [];
    const bracketed = this.#bracketed(closer, () => void items.push(this.#value()));
    return { kind: 'list', from, items, ...bracketed };
  }

  #object(): ObjectLiteral {
    const from = this.#at;
    const members: Member[] = [];
    const bracketed = this.#bracketed('}', () => void members.push(this.#member()));
    return { kind: 'object', from, members, ...bracketed };
  }

  #member(): Member {
    if (this.#match(/\*\*|\.\.\./y) !== undefined)
      this.#fail('What is spread here is not known. Write its members out');
    const key = this.#key();
    this.#skip();
    const colon = this.#at;
    if (this.text[colon] !== ':') {
      // {contents} of JavaScript.
      const value = this.#named(key.value.value, key.from);
      return { key, colon: key.to, value: { ...value, from: key.to, to: key.to } };
    }
    this.#at += 1;
    this.#skip();
    return { key, colon, value: this.#value() };
  }

  #key(): StringLiteral {
    const from = this.#at;
    const name = this.#match(/[A-Za-z_$][\w$]*(?!["'\w$])/y);
    if (name !== undefined && this.language === 'javascript') return this.#nameAsString(name);
    const key = this.#match(stringStart[this.language]) === undefined ? undefined : this.#string();
    if (key?.kind !== 'string') this.#fail('A key must be a string', from);
    return key;
  }

  #nameAsString(name: string): StringLiteral {
    const from = this.#at;
    this.#at += name.length;
    return nameLiteral(name, from, this.#at);
  }

  #call(name: string, from: number): Literal {
    const items: Literal[] = [];
    const members: Member[] = [];
    const bracketed = this.#bracketed(')', () => {
      const key = this.#match(/[A-Za-z_]\w*(?=\s*=(?![=>]))/y);
      if (key === undefined) return void items.push(this.#value());
      const name = this.#nameAsString(key);
      this.#skip();
      const colon = this.#at;
      this.#at += 1;
      this.#skip();
      members.push({ key: name, colon, value: this.#value() });
    });
    return { kind: 'call', name, from, items, members, ...bracketed };
  }

  #named(name: string, from: number): Literal {
    const constant = constants[name];
    const to = this.#at;
    if (constant !== undefined) return { kind: 'scalar', from, to, json: constant };
    if (keywords.test(name)) return this.#code(from);
    if (this.text[to] === '(') return this.#call(name, from);
    // A member of an enumeration, such as types.Type.STRING, has its name as its value.
    const [, member] = /\.([A-Z][A-Z\d_]+)$/.exec(name) ?? [];
    if (member !== undefined) return nameLiteral(member, from, to);
    const target = this.#valueOf(name, from);
    return target ? { kind: 'reference', from, to, target } : { kind: 'code', from, to };
  }

  /** Returns what a variable is set to before an offset, or else anywhere; undefined if that is not known. */
  #valueOf(name: string, before: number): Literal | undefined {
    const places = this.assignments.get(name) ?? [];
    const place = places.findLast((at) => at < before) ?? places[0];
    if (place === undefined) return undefined;
    if (this.#known.has(place)) return this.#known.get(place);
    // A variable that is set by its own value is not known.
    this.#known.set(place, undefined);
    const [at, depth, brackets] = [this.#at, this.#depth, this.#brackets];
    this.#brackets = 0;
    try {
      this.#known.set(place, this.read(place));
    } finally {
      [this.#at, this.#depth, this.#brackets] = [at, depth, brackets];
    }
    return this.#known.get(place);
  }

  /** Reads an expression that only a run can compute, to its end. */
  #code(from: number): Literal {
    const { text, language } = this;
    let brackets = 0;
    let at = from;
    for (; at < text.length; at += 1) {
      const character = text[at] ?? '';
      if (/["'`]/.test(character)) {
        at = readLiteralString(text, at, language).to - 1;
      } else if (/[{[(]/.test(character)) brackets += 1;
      else if (brackets > 0) brackets -= /[}\])]/.test(character) ? 1 : 0;
      else if (/[}\]),;]/.test(character) || (character === '\n' && this.#brackets === 0)) break;
    }
    const to = from + text.slice(from, at).trimEnd().length;
    if (to === from) this.#fail('A value is missing', from);
    this.#at = to;
    return { kind: 'code', from, to };
  }

  /** Reads what is between brackets, by `readOne`. */
  #bracketed(closer: string, readOne: () => void): Omit<Bracketed, 'from'> {
    const { text } = this;
    const opener = this.#at;
    const commas: number[] = [];
    /** The comma behind the last value. */
    let comma: number | undefined;
    this.#at += 1;
    this.#brackets += 1;
    for (let isFirst = true; ; isFirst = false) {
      this.#skip();
      const at = this.#at;
      if (at >= text.length)
        this.#fail(`The ${text[opener]} here is not closed. Copy the text to its end`, opener);
      if (text[at] === closer) {
        this.#at += 1;
        this.#brackets -= 1;
        return { open: opener + 1, commas, end: comma ?? at, to: at + 1 };
      }
      if (comma !== undefined) commas.push(comma);
      else if (!isFirst) this.#fail(`A comma or ${closer} is missing`);
      readOne();
      this.#skip();
      comma = text[this.#at] === ',' ? this.#at : undefined;
      if (comma !== undefined) this.#at += 1;
    }
  }
}

// Reads a number as JSON, or as 0 if JSON has no such number.
function jsonNumber(digits: string): string {
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(digits)) return digits;
  return JSON.stringify(Number(digits.replaceAll('_', '')) || 0);
}
