// Why this file exists: whether the user asks for something that a declared function does.
import type { Declaration } from './prompt.js';
import { propertiesOf } from './schema.js';

/** What a word of the text is worth where it stands. */
const inName = 3;
const inDescription = 1;
const inParameters = 1;
const enough = 3;

/** Words that say nothing about what a function is for. */
const vague = new Set(
  (
    'a about all an and any api are as at be by call can data do does for from function get gets give ' +
    'given has have how i id in info information into is it its list me my name new of on or our ' +
    'please provide provides return returns run set show some string take takes tell that the this ' +
    'to tool use used user uses value want what when where which who why will with you your'
  ).split(' '),
);

/** The callable function that fits the text best, the first declared among equals. */
export function bestMatch(declarations: Declaration[], text: string): Declaration | undefined {
  const words = wordsOf(text);
  let best: Declaration | undefined;
  let most = enough - 1;
  for (const declaration of declarations) {
    const reached = score(declaration, words);
    if (reached > most) [best, most] = [declaration, reached];
  }
  return best;
}

function score(declaration: Declaration, words: Set<string>): number {
  const parameters = propertiesOf(declaration.parameters).map(([name]) => name);
  return (
    inName * common(words, wordsOf(declaration.name)) +
    inDescription * common(words, wordsOf(declaration.description)) +
    inParameters * common(words, wordsOf(parameters.join(' ')))
  );
}

function common(a: Set<string>, b: Set<string>): number {
  let count = 0;
  for (const word of b) if (a.has(word)) count++;
  return count;
}

/** Stems of the telling words; `get_weather`, `getWeather` and `get-weather` are two words each. */
function wordsOf(text: string): Set<string> {
  const split = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  const words = split.match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !vague.has(word)).map(stem));
}

/** Plural, past and -ing fall together with the plain word: enough to match names of functions. */
function stem(word: string): string {
  return word.length < 5 ? word : word.replace(/(?:ings?|ies|ed|es|s|y|e)$/, '');
}
