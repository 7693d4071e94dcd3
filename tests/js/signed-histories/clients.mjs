// What clients do to the history that they send back: they drop, rewrite, split, merge and edit.

const isText = (part) => typeof part.text === 'string' && !part.thought;

/** Returns a copy of an object without some of its members. */
export const without = (object, ...names) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
const withoutSignature = (part) => without(part, 'thoughtSignature');
const cut = (text, random) => {
  // Between code points, because a lone surrogate is no text.
  const characters = [...text];
  const at = random.between(1, characters.length - 1);
  return [characters.slice(0, at).join(''), characters.slice(at).join('')];
};

const eachPart = (contents, change) =>
  contents.map((content) => ({ ...content, parts: content.parts.flatMap(change) }));
const eachModelPart = (contents, change) =>
  contents.map((content) =>
    content.role === 'model' ? { ...content, parts: content.parts.flatMap(change) } : content,
  );

/**
 * What changes nothing that was said. Each takes Contents and returns new ones. They apply in
 * this order. `lost` gets the signatures of texts that have become a part of
 * another, unless it is split again in the same place.
 */
export const habits = {
  mergeTexts: (contents, random, lost) =>
    contents.map(({ role, parts }) => {
      const merged = [];
      for (const part of parts) {
        const last = merged.at(-1);
        const fits = last && isText(last) && isText(part) && last.text !== '' && part.text !== '';
        if (role !== 'model' || !fits) {
          merged.push(part);
          continue;
        }
        if (last.thoughtSignature) lost.add(last.thoughtSignature);
        merged[merged.length - 1] = { ...part, text: last.text + part.text };
      }
      return { role, parts: merged };
    }),
  // As clients do that join the chunks of a stream.
  moveEmptySignatures: (contents) =>
    contents.map(({ role, parts }) => {
      const kept = [];
      for (const part of parts) {
        const last = kept.at(-1);
        const canMove = part.text === '' && last && !last.thought && !last.thoughtSignature;
        if (role !== 'model' || !part.thoughtSignature || !canMove || last.text === '') {
          kept.push(part);
        } else kept[kept.length - 1] = { ...last, thoughtSignature: part.thoughtSignature };
      }
      return { role, parts: kept };
    }),
  dropSignatures: (contents) => eachModelPart(contents, withoutSignature),
  dropSomeSignatures: (contents, random) =>
    eachModelPart(contents, (part) => (random.chance(0.5) ? withoutSignature(part) : part)),
  dropIds: (contents) =>
    eachPart(contents, (part) => {
      const copy = structuredClone(part);
      for (const name of ['functionCall', 'functionResponse']) if (copy[name]) delete copy[name].id;
      return copy;
    }),
  dropThoughts: (contents) => eachModelPart(contents, (part) => (part.thought ? [] : part)),
  dropEmptyTexts: (contents) => eachModelPart(contents, (part) => (part.text === '' ? [] : part)),
  dropUnsignedEmptyTexts: (contents) =>
    eachModelPart(contents, (part) => (part.text === '' && !part.thoughtSignature ? [] : part)),
  placeholders: (contents) =>
    eachModelPart(contents, (part) => {
      if (!part.functionCall) return part;
      return { ...part, thoughtSignature: 'skip_thought_signature_validator' };
    }),
  splitContents: (contents, random) =>
    contents.flatMap(({ role, parts }) => {
      const at = random.between(0, parts.length);
      const pieces = [parts.slice(0, at), parts.slice(at)].filter((piece) => piece.length > 0);
      return pieces.length > 0
        ? pieces.map((piece) => ({ role, parts: piece }))
        : [{ role, parts }];
    }),
  splitTexts: (contents, random) =>
    eachModelPart(contents, (part) => {
      if (!isText(part) || [...part.text].length < 2 || !random.chance(0.5)) return part;
      const [first, rest] = cut(part.text, random);
      return [{ text: first }, { ...part, text: rest }];
    }),
};

/** What changes what was said. Each takes Contents and returns new ones. */
export const edits = {
  editText: (contents, random) =>
    editOne(contents, random, isText, (part) => ({ ...part, text: `${part.text} really` })),
  editCall: (contents, random) =>
    editOne(
      contents,
      random,
      (part) => part.functionCall,
      (part) => ({
        ...part,
        functionCall: { ...part.functionCall, args: { ...part.functionCall.args, edited: 1 } },
      }),
    ),
  editName: (contents, random) =>
    editOne(
      contents,
      random,
      (part) => part.functionCall,
      (part) => ({ ...part, functionCall: { ...part.functionCall, name: 'other' } }),
    ),
  editUser: (contents) => [
    { role: 'user', parts: [{ text: 'Another beginning' }] },
    ...contents.slice(1),
  ],
  forgetBeginning: (contents, random) => {
    const starts = contents.flatMap(({ role, parts }, i) =>
      role === 'user' && isText(parts[0]) ? [i] : [],
    );
    return contents.slice(random.pick(starts));
  },
};

function editOne(contents, random, isMeant, change) {
  const places = contents.flatMap(({ role, parts }, i) =>
    role === 'model' ? parts.flatMap((part, j) => (isMeant(part) ? [`${i}/${j}`] : [])) : [],
  );
  if (places.length === 0) return contents;
  const place = random.pick(places);
  return contents.map(({ role, parts }, i) => ({
    role,
    parts: parts.map((part, j) => (place === `${i}/${j}` ? change(part) : part)),
  }));
}

function numberText(value, random) {
  const plain = JSON.stringify(value);
  if (!Number.isInteger(value) || Math.abs(value) > 1e6) return plain;
  return random.pick([plain, `${plain}.0`, `${plain}e0`, `${value * 10}E-1`, `${plain}.00e+00`]);
}

const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function stringText(value, random) {
  const text = JSON.stringify(value);
  if (!random.chance(0.3)) return text;
  const escape = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replaceAll('/', '\\/').replace(/[^\x20-\x7e]|(?<!\\)r/g, escape);
}

/** Writes JSON with the keys in any order, and numbers and strings in any form. */
export function write(value, random, { snake = false } = {}) {
  if (typeof value === 'number') return numberText(value, random);
  if (typeof value === 'string') return stringText(value, random);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const space = random.pick(['', '', ' ', '\n\t']);
  if (Array.isArray(value)) {
    return `[${value.map((each) => write(each, random, { snake })).join(`,${space}`)}]`;
  }
  const members = Object.entries(value).map(([key, member]) => {
    const isFree = key === 'args' || key === 'response';
    const name = snake ? snakeCase(key) : key;
    return `${JSON.stringify(name)}:${space}${write(member, random, { snake: snake && !isFree })}`;
  });
  for (let i = members.length - 1; i > 0; i--) {
    const j = random.between(0, i);
    [members[i], members[j]] = [members[j], members[i]];
  }
  return `{${space}${members.join(',')}}`;
}
