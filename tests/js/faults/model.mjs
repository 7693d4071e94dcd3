// An invented model behind the rules of the emulator. It remembers every answer and which Part each signature is of.

const instruction = /^You keep the memory/;

/** The tools that the model may call. */
export const toolNames = ['alpha', 'beta', 'gamma', 'once'];

const kinds = [
  [6, 'text'],
  [5, 'calls'],
  [0.5, 'textAndCalls'],
  [0.4, 'empty'],
  [0.4, 'repeats'],
  [0.4, 'thoughts'],
  [0.4, 'malformed'],
  [0.4, 'maxTokens'],
  [0.3, 'safety'],
  [0.3, 'recitation'],
  [0.3, 'blocked'],
  [0.3, 'unsigned'],
  [0.3, 'unknownTool'],
];

/** Returns Parts without the splits that a stream may add. */
export function mergedParts(parts) {
  const merged = [];
  for (const part of parts) {
    const last = merged.at(-1);
    const isPlain = (each) => each && typeof each.text === 'string' && !each.thoughtSignature;
    if (isPlain(part) && isPlain(last) && part.thought === last.thought) {
      merged[merged.length - 1] = { ...last, text: last.text + part.text };
    } else merged.push(part);
  }
  return merged.filter(({ text, thoughtSignature }) => text !== '' || thoughtSignature);
}

export class Model {
  /** Usable answers by the JSON of their merged Parts: their numbers. */
  usable = new Map();
  /** The Part of each signature. */
  signatures = new Map();
  #choices;
  #label;
  #count = 0;

  /** `label` differs for each run: a gateway remembers the signatures of all. */
  constructor(choices, label) {
    [this.#choices, this.#label] = [choices, label];
  }

  /** Answers a request; `createEmulator` takes it as `respond`. */
  respond = ({ body }) => {
    const [{ text = '' } = {}] = body.systemInstruction?.parts ?? [];
    const { responseMimeType, responseJsonSchema } = body.generationConfig ?? {};
    if (instruction.test(text)) return this.#summary();
    if (responseJsonSchema?.properties?.next_speaker) return this.#speaker();
    if (responseMimeType === 'application/json') return this.#json();
    return this.#answer(body.tools?.length > 0);
  };

  #summary() {
    const text = this.#choices.weighted([
      [4, '<state_snapshot>All that was.</state_snapshot>'],
      [1, '<scratchpad>Hm</scratchpad>'],
      [1, `<state_snapshot>${'long '.repeat(900)}</state_snapshot>`],
    ]);
    return { parts: [{ text }] };
  }

  #speaker() {
    const text = this.#choices.weighted([
      [2, '{"reasoning":"done","next_speaker":"user"}'],
      [1, '{"reasoning":"more","next_speaker":"model"}'],
      [1, 'no JSON'],
    ]);
    return { parts: [{ text }] };
  }

  #json() {
    const text = this.#choices.weighted([
      [3, `{"sky":"clear","n":${++this.#count}}`],
      [1, `{"sky":${++this.#count}}`],
      [1, `no JSON ${++this.#count}`],
    ]);
    return this.#issue([{ text }]);
  }

  #answer(hasTools) {
    const rows = hasTools ? kinds : kinds.filter(([, kind]) => !/calls|Tool|unsigned/i.test(kind));
    return this[this.#choices.weighted(rows)]();
  }

  // Registers an answer that may enter the thread.
  #issue(parts) {
    this.usable.set(JSON.stringify(mergedParts(parts)), this.#count);
    return { parts };
  }

  #sign(part) {
    const signature = btoa(`${this.#label}:${++this.#count}:${'~'.repeat(this.#count % 7)}`);
    const signed = { ...part, thoughtSignature: signature };
    this.signatures.set(signature, JSON.stringify(signed));
    return signed;
  }

  #text() {
    const words = this.#choices.pick(['Oslo. ', 'Zürich 😀 ', 'It rains. ']);
    return `Answer ${this.#label}-${++this.#count}: ${words.repeat(this.#choices.between(1, 9))}`;
  }

  #calls() {
    const count = this.#choices.between(1, 3);
    const hasIds = this.#choices.unlikely(0.5);
    return this.#choices.times(count, (index) => {
      const n = ++this.#count;
      const name = this.#choices.pick(toolNames);
      const part = { functionCall: { ...(hasIds && { id: `id-${n}` }), name, args: { n } } };
      return index === 0 ? this.#sign(part) : part;
    });
  }

  text() {
    const parts = [{ text: this.#text() }];
    const extra = this.#choices.weighted([
      [3, 'none'],
      [1, 'signed'],
      [1, 'signatureAlone'],
      [1, 'thought'],
    ]);
    if (extra === 'signed') parts[0] = this.#sign(parts[0]);
    if (extra === 'signatureAlone') parts.push(this.#sign({ text: '' }));
    if (extra === 'thought') parts.unshift({ text: 'Let me think.', thought: true });
    return this.#issue(parts);
  }

  calls() {
    return this.#issue(this.#calls());
  }

  textAndCalls() {
    return this.#issue([{ text: this.#text() }, ...this.#calls()]);
  }

  unknownTool() {
    const call = { functionCall: { name: 'nowhere', args: { n: ++this.#count } } };
    return this.#issue([this.#sign(call)]);
  }

  repeats() {
    return this.#issue([
      { text: `${this.#text()} ${'The same again, and nothing else comes. '.repeat(40)}` },
    ]);
  }

  empty() {
    return { parts: [] };
  }

  thoughts() {
    return { parts: [{ text: 'Only a thought.', thought: true }] };
  }

  malformed() {
    return { parts: [], finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Malformed' };
  }

  maxTokens() {
    return { ...this.#issue([{ text: this.#text() }]), finishReason: 'MAX_TOKENS' };
  }

  safety() {
    return { ...this.#issue([{ text: this.#text() }]), finishReason: 'SAFETY' };
  }

  recitation() {
    return { parts: [], finishReason: 'RECITATION' };
  }

  blocked() {
    return { chunks: [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }] };
  }

  unsigned() {
    return { parts: [{ functionCall: { name: 'alpha', args: { n: ++this.#count } } }] };
  }
}
