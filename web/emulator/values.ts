// Extracts arguments for calls from the user's text: names, quotations, numbers and dates. The patterns are
// for English; other texts are used whole.

/** The values found in a text. */
export interface Values {
  /** The text, trimmed. */
  text: string;
  /** Groups of names such as "Paris and Rome", the most likely group first. */
  groups: string[][];
  numbers: number[];
  /** Dates in the format YYYY-MM-DD. */
  dates: string[];
}

const prepositions = 'in|for|at|of|about|from|to|near|around|on|named|called|with';
const conjunction = /^\s*(?:,\s*(?:and|or)\s+|,|and\s|or\s|&|\/|to\s|vs\.?\s|versus\s)\s*$/i;
const capitalizedWord = String.raw`\p{Lu}[\p{L}\p{M}\p{N}'’-]*`;
const particle = 'de|da|do|la|le|del|van|von|upon';
const namePattern = new RegExp(
  String.raw`${capitalizedWord}(?:\s(?:(?:${particle})\s)?${capitalizedWord})*`,
  'gu',
);
const quotePattern = /"([^"\n]{1,200})"|“([^”\n]{1,200})”|`([^`\n]{1,200})`/g;
const isoDate = /\b\d{4}-\d{2}-\d{2}\b/g;
const numberPattern = /(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*\w)/g;

/** Words that are capitalized at the start of a sentence or follow a preposition, and are not names. */
const commonWords = new Set(
  (
    'a all an and any are ask book call can check compare could create day days describe detail details did do does ' +
    'every explain fetch find first for general get give good has have hello help her hey hi him his how i ' +
    'if in is it its just last let list look me monday month my name need next no now of on open or our ' +
    'please put read run saturday say search send set should show some start stop sunday summarise summarize tell thank ' +
    'thanks that the their them then these this those thursday time today tomorrow tonight translate try ' +
    'tuesday turn use want was we wednesday week were what when where which who why will with would ' +
    "write year yes yesterday you your friday ok okay i’m i'm i’d i'd what's what’s who's who’s " +
    "where's where’s how's how’s let's let’s right"
  ).split(' '),
);

/** Returns the values in a text that can serve as arguments. */
export function readValues(text: string): Values {
  const dates = text.match(isoDate) ?? [];
  const numbers = (text.replace(isoDate, ' ').match(numberPattern) ?? []).map(Number);
  return { text: text.trim(), groups: readGroups(text), numbers, dates };
}

interface Span {
  text: string;
  start: number;
  end: number;
}

function readGroups(text: string): string[][] {
  const quotes = [...text.matchAll(quotePattern)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
  const names = readNames(text);
  const found = names.length > 0 ? names : readPlainWords(text);
  const groups = groupNames(text, found);
  return quotes.length > 0 ? [quotes, ...groups] : groups;
}

/** Finds capitalized names, without a common word before them. */
function readNames(text: string): Span[] {
  return [...text.matchAll(namePattern)].flatMap((match) => {
    const words = match[0].split(' ');
    while (words[0] !== undefined && commonWords.has(words[0].toLowerCase())) words.shift();
    const rest = words.join(' ').replace(/['’]s$/, '');
    const start = match.index + match[0].length - words.join(' ').length;
    return rest === '' ? [] : [{ text: rest, start, end: start + rest.length }];
  });
}

/** Finds the words after a preposition, up to a common word or punctuation. Used if there are no capitalized names. */
function readPlainWords(text: string): Span[] {
  const pattern = new RegExp(String.raw`\b(?:${prepositions})\s+([^.?!;:\n]+)`, 'giu');
  return [...text.matchAll(pattern)].flatMap((match) => {
    const from = match.index + match[0].length - (match[1] ?? '').length;
    return pickWords(match[1] ?? '', from);
  });
}

function pickWords(phrase: string, from: number): Span[] {
  const found: Span[] = [];
  let current: Span | undefined;
  for (const match of phrase.matchAll(/[\p{L}\p{M}'’-]+|,|&/gu)) {
    const start = from + match.index;
    const end = start + match[0].length;
    if (/^(?:and|or|,|&)$/i.test(match[0])) {
      current = undefined;
    } else if (commonWords.has(match[0].toLowerCase())) {
      if (found.length > 0) break;
    } else if (current) {
      current.text += ' ' + match[0];
      current.end = end;
    } else {
      current = { text: match[0], start, end };
      found.push(current);
    }
  }
  return found;
}

/**
 * Groups names that only a conjunction or a comma separates. Groups after a preposition come first, those
 * at the start of a sentence last, since every word is capitalized there.
 */
function groupNames(text: string, found: Span[]): string[][] {
  const groups: { names: string[]; end: number; rank: number }[] = [];
  const sentenceStart = /(?:^|[.?!:\n])\s*$/;
  const afterPreposition = new RegExp(String.raw`\b(?:${prepositions})\s+(?:the\s+)?$`, 'i');
  for (const { text: entry, start, end } of found) {
    const last = groups.at(-1);
    if (last && conjunction.test(text.slice(last.end, start))) {
      last.names.push(entry);
      last.end = end;
    } else {
      const before = text.slice(0, start);
      const rank = afterPreposition.test(before) ? 0 : sentenceStart.test(before) ? 2 : 1;
      groups.push({ names: [entry], end, rank });
    }
  }
  groups.sort((a, b) => a.rank - b.rank);
  return groups.map(({ names }) => [...new Set(names)]);
}
