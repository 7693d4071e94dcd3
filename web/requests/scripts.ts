// Finds requests in scripts: calls of fetch, calls of Google's SDKs, and literals of Python and JavaScript.
import { callOf } from './address.js';
import { genaiCall, known, member, objectOf, textOf } from './genai-call.js';
import { jsonOf } from './literal-json.js';
import { LiteralError, type Language } from './literal-string.js';
import { LiteralReader, nameLiteral, type ListLiteral, type Literal } from './literal.js';
import { describeText, stepTypes } from './other-apis.js';
import type { Form, FoundRequests, Request, SkippedRequest, Source } from './request.js';
import { TextOffsets } from './text-offsets.js';
import type { WrittenString } from './written-string.js';

const fetchCall = /\bfetch\s*(?=\()/g;
const sdkCall =
  /\b(?:generate_content(?:_stream)?|generateContent(?:Stream)?|interactions\s*\.\s*create)\s*(?=\()/g;
// A variable or an argument that is an object or a list.
const assigned =
  /(?:^|[\s(,])\w+[ \t]*(?::[^=\n{]{1,200})?=[ \t]*(?:json\.dumps\(|JSON\.stringify\()?\s*(?=[{[])/g;
// What JSON does not have.
const pythonMarks = /\b(?:None|True|False)\b|'''|"""|^[ \t]*#|["'][ \t]*\n[ \t]*["']/m;
const requestFields = /^(?:contents|messages|input)$/;

/** Each of them may have read the script to its end. */
const maxNotes = 20;

/** A body, and what is known about the request that has it. */
interface Found extends Pick<
  Request,
  'kind' | 'model' | 'backend' | 'api' | 'apiVersion' | 'skipped'
> {
  body: WrittenString;
}

const membersOf = (value: Literal | undefined) => {
  const object = value && known(value);
  return object?.kind === 'object' || object?.kind === 'call' ? object.members : [];
};

const memberOf = (value: Literal | undefined, name: string): Literal | undefined =>
  membersOf(value).find(({ key }) => key.value.value === name)?.value;

/** Returns the body that has a list of messages, of steps or of Contents. */
function bodyOf(list: ListLiteral): Literal {
  const [first] = list.items;
  if (!first || membersOf(first).length === 0) return list;
  if (stepTypes.test(textOf(memberOf(first, 'type')))) {
    // The options name its model.
    const model = member('model', nameLiteral('', list.from, list.from));
    return objectOf(list, [model, member('input', list)]);
  }
  const isMessages = ['content', 'tool_calls'].some((name) => memberOf(first, name));
  return objectOf(list, [member(isMessages ? 'messages' : 'contents', list)]);
}

/** A script, and what was found in it. */
class Script {
  readonly reader: LiteralReader;
  readonly found: Found[] = [];
  readonly notes: SkippedRequest[] = [];
  readonly #text: string;
  readonly #language: Language;
  #offsets: TextOffsets | undefined;

  constructor(text: string, language: Language) {
    this.#text = text;
    this.#language = language;
    this.reader = new LiteralReader(text, language);
  }

  /** Reads what begins at each of these places, but not inside the one before. Says where something cannot be read. */
  each(
    starts: Iterable<number>,
    take: (value: Literal) => void,
    read = (from: number) => this.reader.read(from),
  ): void {
    let end = 0;
    for (const from of starts) {
      if (from < end) continue;
      if (this.notes.length >= maxNotes) break;
      try {
        const value = read(from);
        end = value.to;
        take(value);
      } catch (error) {
        if (!(error instanceof LiteralError)) throw error;
        this.notes.push({ message: this.#sentence(error), from: error.at, to: error.at + 1 });
      }
    }
  }

  /** Does the same with calls. */
  eachCall(starts: Iterable<number>, take: (call: Literal) => void): void {
    this.each(starts, take, (from) => this.reader.readCall(from));
  }

  /** Adds a call of fetch. */
  addFetch(call: Literal): void {
    const [address, options] = call.kind === 'call' ? call.items : [];
    const url = address && known(address);
    const { from, to } = call;
    const written = memberOf(options, 'body');
    const body = written && this.#sentBody(known(written));
    if (!body) {
      const message = written
        ? 'The script computes the body when it runs. Paste the body itself.'
        : 'The call of fetch sends no body.';
      this.notes.push({ message, from, to });
      return;
    }
    const text = url?.kind === 'string' ? url.value.value : this.#text.slice(url?.from, url?.to);
    const { other, ...target } = callOf(text, body.value, 'The script');
    this.#add({ body, ...target }, from, to, other);
  }

  /** Adds a call of an SDK. */
  addSdkCall(call: Literal): void {
    if (call.kind !== 'call') return;
    const { body, ...about } = genaiCall(call);
    if (body.members.length === 0) return;
    const backend = /\bvertexai\s*[=:]\s*[Tt]rue\b/.test(this.#text) ? 'vertex' : 'gemini';
    const json = jsonOf(this.#text, this.#language, body);
    this.found.push({ body: json, kind: 'generate', backend, ...about });
  }

  /** Adds a literal, if it may be a request. */
  addLiteral(value: Literal): void {
    const object = value.kind === 'list' ? bodyOf(value) : value;
    if (!membersOf(object).some(({ key }) => requestFields.test(key.value.value))) return;
    const [, model] = /\/models\/([\w.-]+):(?:generate|stream|count)/.exec(this.#text) ?? [];
    const body = jsonOf(this.#text, this.#language, object);
    this.found.push({ body, ...describeText(body.value), ...(model && { model }) });
  }

  #add(found: Found, from: number, to: number, other?: string): void {
    this.found.push({
      ...found,
      ...(other === undefined ? {} : { skipped: { message: other, from, to } }),
    });
  }

  // A string is the body itself; JSON.stringify gets it as an object.
  #sentBody(value: Literal): WrittenString | undefined {
    if (value.kind === 'string') return value.value;
    const [argument] = value.kind === 'call' && /stringify$/.test(value.name) ? value.items : [];
    if (!argument || known(argument).kind === 'code') return undefined;
    return jsonOf(this.#text, this.#language, known(argument));
  }

  #sentence({ message, at }: LiteralError): string {
    const { line, column } = (this.#offsets ??= new TextOffsets(this.#text)).place(at);
    return `Line ${line}, column ${column}: ${message}.`;
  }
}

const starts = (text: string, form: RegExp) => [...text.matchAll(form)].map(({ index }) => index);
const ends = (text: string, form: RegExp) =>
  [...text.matchAll(form)].map(({ index, 0: all }) => index + all.length);

function requestsOf(source: Source, { found, notes }: Script): Omit<FoundRequests, 'form'> {
  const encoder = new TextEncoder();
  const requests = found.map(({ body, ...rest }, i) => ({
    ...{ source, body: encoder.encode(body.value), start: 0 },
    quoted: { skipped: 0, read: () => body },
    ...(found.length > 1 ? { label: `call ${i + 1}` } : {}),
    ...(body.computed.length > 0 ? { computed: body.computed } : {}),
    ...rest,
  }));
  return { requests, notes };
}

/** Returns the requests of a script of Python or JavaScript; undefined if the text has none. */
export function scriptRequests(source: Source, text: string): FoundRequests | undefined {
  const isFetch = text.search(fetchCall) >= 0;
  const form: Form =
    isFetch || /\b(?:const|let|await)\s|\bnew\s+\w/.test(text) ? 'javascript' : 'python';
  const script = new Script(text, form);
  if (isFetch) script.eachCall(starts(text, fetchCall), (call) => script.addFetch(call));
  else if (text.search(sdkCall) >= 0)
    script.eachCall(starts(text, sdkCall), (call) => script.addSdkCall(call));
  else script.each(ends(text, assigned), (value) => script.addLiteral(value));
  if (script.found.length + script.notes.length === 0) return undefined;
  return { form, ...requestsOf(source, script) };
}

// Of JSON with a fault, the words that JSON has for it say more.
function isSurelyPython(text: string): boolean {
  if (/[:[,(]\s*["']{3}/.test(text)) return true;
  return /\b(?:None|True|False)\b/.test(text.replace(/"(?:[^"\\\n]|\\.)*"/g, ''));
}

/** Returns the requests of a Python dict or list; undefined if the text is none. */
export function pythonRequests(source: Source, text: string): FoundRequests | undefined {
  if (!pythonMarks.test(text)) return undefined;
  const script = new Script(text, 'python');
  script.each([0], (value) => script.addLiteral(value));
  if (script.found.length === 0 && (script.notes.length === 0 || !isSurelyPython(text)))
    return undefined;
  return { form: 'python', ...requestsOf(source, script) };
}
