// Says independently of the gateway which signatures a request must leave with: the rules of the signature memory, with
// JSON.parse, sorted keys and Maps, and without secrets.
import { createHash } from 'node:crypto';
import { without } from './clients.mjs';

const placeholders = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];

const hash = (...texts) => createHash('sha256').update(JSON.stringify(texts)).digest('hex');

function canonical(value) {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value === 'number') return value === 0 ? 0 : value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, canonical(member)]);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}

const isEmptyValue = (value) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Returns what a Part says, without signature and id. */
function sayingOf(part) {
  const data = Object.entries(without(part, 'thoughtSignature')).map(([name, value]) => {
    const empty = ['args', 'response'].filter((key) => isEmptyValue(value[key]));
    return [name, without(value, 'id', ...empty)];
  });
  return JSON.stringify(canonical(Object.fromEntries(data)));
}

/** Walks Contents and returns the places of signatures, and the state behind them. */
export function walk(contents, start = hash('start')) {
  let state = start;
  let run;
  let item;
  let inModelTurn = false;
  const places = [];
  const stateNow = () => (run ? hash(state, run.role, 'text', run.text) : state);
  contents.forEach(({ role, parts }, content) => {
    if (role === 'model' && !inModelTurn) {
      inModelTurn = true;
      item = undefined;
    }
    parts.forEach((part, index) => {
      if (part.thought) return;
      const isText = typeof part.text === 'string';
      if (isText && part.text === '') {
        if (role !== 'model') return;
        const empty = { content, part: index, sent: part };
        const key = item?.key ?? hash('first', stateNow());
        if (places.at(-1)?.key === key) places.at(-1).empties.push(empty);
        else places.push({ content, part: index, key, saying: '', empties: [empty] });
        return;
      }
      inModelTurn = role === 'model';
      if (run && (!isText || run.role !== role)) {
        state = stateNow();
        run = undefined;
      }
      if (isText) {
        run ??= { role, text: '' };
        run.text += part.text;
        item = { saying: hash('text', run.text) };
      } else item = { saying: hash('data', sayingOf(part)) };
      item.key = hash('item', state, item.saying);
      if (!isText) state = hash(state, role, 'data', item.saying);
      if (role !== 'model') return;
      const id = part.functionCall?.id;
      const call = id === undefined ? undefined : hash('call', item.saying, id);
      places.push({ content, part: index, sent: part, ...item, call, empties: [] });
    });
  });
  return { places, state: stateNow() };
}

/** What one deployment remembers. */
export class Oracle {
  #own = new Map();
  #after = new Map();
  #calls = new Map();
  #origins = new Map();
  #answers = new Map();

  /** Remembers an answer to a request with these Contents, and returns what names the request. */
  remember(scope, contents, answer) {
    const { state } = walk(contents);
    const { places } = walk([answer], state);
    const request = hash(scope.name, state);
    this.#answers.set(request, (this.#answers.get(request) ?? 0) + 1);
    for (const { key, call, saying = '', sent, empties } of places) {
      const name = hash(scope.name, key);
      const own = sent?.thoughtSignature;
      if (own) this.#remember(own, scope, saying, name, call);
      for (const empty of empties) {
        const signature = empty.sent.thoughtSignature;
        if (!signature) continue;
        this.#after.set(name, { signature, own });
        this.#origins.set(hash(scope.caller, signature), hash(scope.name, saying));
      }
    }
    return request;
  }

  /** Returns whether a request was answered more than once. */
  isRepeated(request) {
    return this.#answers.get(request) > 1;
  }

  #remember(signature, scope, saying, name, call) {
    this.#own.set(name, signature);
    this.#origins.set(hash(scope.caller, signature), hash(scope.name, saying));
    if (!call) return;
    const key = hash(scope.name, call);
    const candidates = this.#calls.get(key) ?? new Set();
    this.#calls.set(key, candidates.add(signature));
  }

  /** Returns the Contents as they must be sent. */
  restored(scope, contents) {
    const sent = structuredClone(contents);
    const insertions = [];
    for (const place of walk(sent).places) {
      const { content, part, saying = '', key, call, empties } = place;
      const name = hash(scope.name, key);
      for (const empty of empties) this.#judge(scope, empty.sent, saying, undefined);
      const known = this.#own.get(name) ?? this.#byCall(scope, call);
      // The client may have moved it to the empty text.
      const isMoved = empties.some((empty) => empty.sent.thoughtSignature === known);
      if (place.sent) this.#judge(scope, place.sent, saying, isMoved ? undefined : known);
      const own = withoutPlaceholder(place.sent?.thoughtSignature);
      const after = this.#after.get(name);
      const wanted = after && after.own === own ? after.signature : undefined;
      if (!wanted || empties.some((empty) => withoutPlaceholder(empty.sent.thoughtSignature)))
        continue;
      if (empties.length > 0) empties[0].sent.thoughtSignature = wanted;
      else if (place.sent) insertions.push({ content, part, wanted });
    }
    for (const { content, part, wanted } of insertions.reverse()) {
      sent[content].parts.splice(part + 1, 0, { text: '', thoughtSignature: wanted });
    }
    this.#removeStrangers(scope, sent);
    return sent;
  }

  // In an answer that is remembered, calls after the first one have no signature but one that was given.
  #removeStrangers(scope, sent) {
    const isKnown = (signature) => this.#origins.has(hash(scope.caller, signature));
    sent.forEach(({ role, parts }) => {
      const signatures = parts.map(({ thoughtSignature }) => thoughtSignature).filter(Boolean);
      if (role !== 'model' || !signatures.some(isKnown)) return;
      const calls = parts.filter(({ functionCall }) => functionCall);
      for (const call of calls.slice(1)) {
        const signature = call.thoughtSignature;
        if (signature && !isKnown(signature)) delete call.thoughtSignature;
      }
    });
  }

  // Removes what was given for something else, and sets what is known.
  #judge(scope, part, saying, known) {
    const carried = part.thoughtSignature;
    const origin = carried && this.#origins.get(hash(scope.caller, carried));
    const isWrong = origin !== undefined && origin !== hash(scope.name, saying);
    if (isWrong) delete part.thoughtSignature;
    if (known && !withoutPlaceholder(part.thoughtSignature)) part.thoughtSignature = known;
  }

  #byCall(scope, call) {
    const candidates = call ? [...(this.#calls.get(hash(scope.name, call)) ?? [])] : [];
    return candidates.length === 1 ? candidates[0] : undefined;
  }
}

const withoutPlaceholder = (signature) =>
  placeholders.includes(signature) ? undefined : signature;
