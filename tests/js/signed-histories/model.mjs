// An invented model: answers with signatures where Gemini 3 puts them, each signature different.

const languages = ['Oslo', 'Zürich 😀', 'a "quoted" word', 'line\nbreak\t\u2028', '\u0000', 'ok'];

/** Returns a JSON value for arguments. */
function someValue(random, depth = 0) {
  const kind = random.between(0, depth < 2 ? 7 : 5);
  if (kind === 0) return random.between(-5, 5);
  if (kind === 1) return random.pick([0.5, -1.25e-7, 1e21, 9007199254740991, 0]);
  if (kind === 2) return random.pick(languages);
  if (kind === 3) return random.chance(0.5);
  if (kind === 4) return null;
  if (kind === 5) return random.pick([{}, [], '']);
  const values = Array.from({ length: random.between(1, 3) }, () => someValue(random, depth + 1));
  if (kind === 6) return values;
  const names = ['id', 'thoughtSignature', 'b', 'a', 'ü'];
  return Object.fromEntries(values.map((value, i) => [names[i + random.between(0, 2)], value]));
}

/** Gives answers, and remembers which part each signature belongs to. */
export class InventedModel {
  #random;
  #label;
  #count = 0;
  /** The Part of each signature. */
  signed = new Map();

  constructor(random, label) {
    this.#random = random;
    this.#label = label;
  }

  /** Returns the Part with a signature that no other Part has. */
  sign(part) {
    const text = `${this.#label}:${this.#count++}:${'~'.repeat(this.#random.between(0, 40))}`;
    const signature = Buffer.from(text).toString('base64');
    const given = { ...part, thoughtSignature: signature };
    this.signed.set(signature, given);
    return given;
  }

  /** Returns a model Content. `kind`: 'calls', 'text', 'code', 'search' or 'image'. */
  answer(kind) {
    const random = this.#random;
    const parts = random.chance(0.3) ? [{ text: 'Let me think.', thought: true }] : [];
    parts.push(...this[kind]());
    if (random.chance(0.25)) parts.push(this.sign({ text: '' }));
    if (random.chance(0.15)) parts.push({ text: '' });
    return { role: 'model', parts };
  }

  calls() {
    const random = this.#random;
    const text = random.chance(0.3) ? [{ text: 'I look it up.' }] : [];
    const calls = [this.#call()];
    while (calls.length < 4 && random.chance(0.4)) {
      calls.push(random.chance(0.3) ? this.#again(calls[0]) : this.#call());
    }
    return [...text, this.sign(calls[0]), ...calls.slice(1)];
  }

  text() {
    const random = this.#random;
    const texts = [];
    do {
      texts.push({ text: random.pick([...languages, 'It rains. ', 'It ', 'rains. ']) });
    } while (texts.length < 4 && random.chance(0.6));
    return texts.map((part, i) => {
      const isLast = i === texts.length - 1;
      return random.chance(isLast ? 0.7 : 0.1) ? this.sign(part) : part;
    });
  }

  code() {
    return [
      this.sign({ executableCode: { language: 'PYTHON', code: `print(${this.#count % 3})` } }),
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } },
      ...this.text(),
    ];
  }

  search() {
    const id = this.#id();
    const call = { toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['weather'] }, id };
    const response = { toolType: 'GOOGLE_SEARCH_WEB', response: { hits: 3 }, id };
    return [this.sign({ toolCall: call }), this.sign({ toolResponse: response }), ...this.text()];
  }

  image() {
    const inlineData = { mimeType: 'image/png', data: Buffer.from(this.#id()).toString('base64') };
    return [{ text: 'Here it is.' }, this.sign({ inlineData })];
  }

  #id() {
    return `${this.#label.replace(/\W/g, '')}_${this.#count++}`;
  }

  #call() {
    const random = this.#random;
    const args = Object.fromEntries(
      ['city', 'id', 'n'].filter(() => random.chance(0.5)).map((name) => [name, someValue(random)]),
    );
    const functionCall = { id: this.#id(), name: random.pick(['weather', 'time']), args };
    return { functionCall };
  }

  #again({ functionCall }) {
    return { functionCall: { ...functionCall, id: this.#id() } };
  }
}

/** Returns the user Content that answers the calls of a model Content; undefined if there are none. */
export function resultsFor({ parts }, random) {
  const calls = parts.flatMap(({ functionCall }) => (functionCall ? [functionCall] : []));
  if (calls.length === 0) return undefined;
  const results = calls.map(({ id, name }) => ({
    functionResponse: { id, name, response: { result: random.between(0, 3) } },
  }));
  return { role: 'user', parts: results };
}
