// Why this file exists: the arguments of an emulated call are taken from what the user wrote: names,
// quotes, numbers, dates. Plain patterns for English; other texts are used whole.

export interface Values {
  /** The text itself. */
  text: string;
  /** Names that the text talks about, the likeliest group first; a group is "Paris and Rome". */
  groups: string[][];
  numbers: number[];
  /** YYYY-MM-DD. */
  dates: string[];
}

const prepositions = 'in|for|at|of|about|from|to|near|around|on|named|called|with';
const joint = /^\s*(?:,\s*(?:and|or)\s+|,|and\s|or\s|&|\/|to\s|vs\.?\s|versus\s)\s*$/i;
const capital = String.raw`\p{Lu}[\p{L}\p{M}\p{N}'’-]*`;
const particle = 'de|da|do|la|le|del|van|von|upon';
const name = new RegExp(String.raw`${capital}(?:\s(?:(?:${particle})\s)?${capital})*`, 'gu');
const quote = /"([^"\n]{1,200})"|“([^”\n]{1,200})”|`([^`\n]{1,200})`/g;
const isoDate = /\b\d{4}-\d{2}-\d{2}\b/g;
const number = /(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*\w)/g;

/** Words that open a sentence with a capital, or follow a preposition, and name nothing. */
const common = new Set(
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

/** What a text offers as arguments. */
export function readValues(text: string): Values {
  const dates = text.match(isoDate) ?? [];
  const numbers = (text.replace(isoDate, ' ').match(number) ?? []).map(Number);
  return { text: text.trim(), groups: readGroups(text), numbers, dates };
}

interface Found {
  text: string;
  start: number;
  end: number;
}

function readGroups(text: string): string[][] {
  const quotes = [...text.matchAll(quote)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  const names = readNames(text);
  const found = names.length > 0 ? names : readPlainWords(text);
  const groups = group(text, found);
  return quotes.length > 0 ? [quotes, ...groups] : groups;
}

/** Capitalised names; the common word that opens a sentence is not part of one. */
function readNames(text: string): Found[] {
  return [...text.matchAll(name)].flatMap((match) => {
    const words = match[0].split(' ');
    while (words[0] !== undefined && common.has(words[0].toLowerCase())) words.shift();
    const rest = words.join(' ').replace(/['’]s$/, '');
    const start = match.index + match[0].length - words.join(' ').length;
    return rest === '' ? [] : [{ text: rest, start, end: start + rest.length }];
  });
}

/** Without capitals: the words behind a preposition, up to a common word or a stop. */
function readPlainWords(text: string): Found[] {
  const pattern = new RegExp(String.raw`\b(?:${prepositions})\s+([^.?!;:\n]+)`, 'giu');
  return [...text.matchAll(pattern)].flatMap((match) => {
    const from = match.index + match[0].length - (match[1] ?? '').length;
    return pickWords(match[1] ?? '', from);
  });
}

function pickWords(phrase: string, from: number): Found[] {
  const found: Found[] = [];
  let open: Found | undefined;
  for (const match of phrase.matchAll(/[\p{L}\p{M}'’-]+|,|&/gu)) {
    const start = from + match.index;
    const end = start + match[0].length;
    if (/^(?:and|or|,|&)$/i.test(match[0])) {
      open = undefined;
    } else if (common.has(match[0].toLowerCase())) {
      if (found.length > 0) break;
    } else if (open) {
      open.text += ' ' + match[0];
      open.end = end;
    } else {
      open = { text: match[0], start, end };
      found.push(open);
    }
  }
  return found;
}

/**
 * Names with nothing but "and" or a comma between them belong together. Those behind a preposition
 * come first, those that open a sentence last: any word has a capital there.
 */
function group(text: string, found: Found[]): string[][] {
  const groups: { names: string[]; end: number; rank: number }[] = [];
  const opens = /(?:^|[.?!:\n])\s*$/;
  const led = new RegExp(String.raw`\b(?:${prepositions})\s+(?:the\s+)?$`, 'i');
  for (const { text: entry, start, end } of found) {
    const last = groups.at(-1);
    if (last && joint.test(text.slice(last.end, start))) {
      last.names.push(entry);
      last.end = end;
    } else {
      const before = text.slice(0, start);
      const rank = led.test(before) ? 0 : opens.test(before) ? 2 : 1;
      groups.push({ names: [entry], end, rank });
    }
  }
  groups.sort((a, b) => a.rank - b.rank);
  return groups.map(({ names }) => [...new Set(names)]);
}
