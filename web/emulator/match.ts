// Finds the declared function that matches the user's text.
import type { Declaration } from './prompt.js';
import { propertiesOf } from './schema.js';

/** The score of a shared word, by where the declaration has it. */
const nameWeight = 3;
const descriptionWeight = 1;
const parameterWeight = 1;
const minScore = 3;

/** Words that do not distinguish functions. */
const stopWords = new Set(
  (
    'a about all an and any api are as at be by call can data do does for from function get gets give ' +
    'given has have how i id in info information into is it its list me my name new of on or our ' +
    'please provide provides return returns run set show some string take takes tell that the this ' +
    'to tool use used user uses value want what when where which who why will with you your'
  ).split(' '),
);

/** Returns the function that matches the text best, the first declared if several are equal. */
export function bestMatch(declarations: Declaration[], text: string): Declaration | undefined {
  const words = wordsOf(text);
  let best: Declaration | undefined;
  let bestScore = minScore - 1;
  for (const declaration of declarations) {
    const current = score(declaration, words);
    if (current > bestScore) [best, bestScore] = [declaration, current];
  }
  return best;
}

function score(declaration: Declaration, words: Set<string>): number {
  const parameters = propertiesOf(declaration.parameters).map(([name]) => name);
  return (
    nameWeight * countCommon(words, wordsOf(declaration.name)) +
    descriptionWeight * countCommon(words, wordsOf(declaration.description)) +
    parameterWeight * countCommon(words, wordsOf(parameters.join(' ')))
  );
}

function countCommon(a: Set<string>, b: Set<string>): number {
  let count = 0;
  for (const word of b) if (a.has(word)) count++;
  return count;
}

/** Returns the stems of all words except stop words. `get_weather` and `getWeather` are two words each. */
function wordsOf(text: string): Set<string> {
  const split = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  const words = split.match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !stopWords.has(word)).map(stem));
}

/** Removes the suffixes of plurals, past forms and -ing forms. Sufficient for names of functions. */
function stem(word: string): string {
  return word.length < 5 ? word : word.replace(/(?:ings?|ies|ed|es|s|y|e)$/, '');
}
