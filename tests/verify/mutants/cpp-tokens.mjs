// Splits C++ source text into tokens, without comments, white space and preprocessor directives.

const kinds = {
  blank: /\s+|\/\/[^\n]*|\/\*[^]*?\*\//,
  directive: /#(?:\\\n|[^\n])*/,
  text: /(?:u8|[uUL])?(?:R"(?<mark>[^\s()\\]*)\([^]*?\)\k<mark>"|"(?:\\.|[^"\\])*")/,
  char: /(?:u8|[uUL])?'(?:\\.|[^'\\])*'/,
  number: /\.?\d(?:[eEpP][-+]|'?[\w.])*/,
  word: /[A-Za-z_]\w*/,
  sign: /<=>|->\*|<<=|>>=|\.\.\.|::|->|\+\+|--|<<|>>|[-+*/%&|^<>=!]=|&&|\|\||[^]/,
};
const anyToken = new RegExp(
  Object.entries(kinds)
    .map(([kind, { source }]) => `(?<${kind}>${source})`)
    .join('|'),
  'g',
);
const skipped = ['blank', 'directive'];

/**
 * A token: its kind, its text and where it is.
 * @typedef {{ kind: 'text' | 'char' | 'number' | 'word' | 'sign', text: string, at: number, end: number }} Token
 */

/**
 * Returns the tokens of a file.
 * @param {string} source
 * @returns {Token[]}
 */
export function cppTokens(source) {
  return Array.from(source.matchAll(anyToken), ({ 0: text, index, groups }) => {
    const kind = Object.keys(kinds).find((each) => groups[each] !== undefined);
    return { kind, text, at: index, end: index + text.length };
  }).filter(({ kind }) => !skipped.includes(kind));
}

const openers = ['(', '[', '{'];
const closers = [')', ']', '}'];

/** Returns the index of the token that ends the statement in which `start` is: a ";" outside of brackets, or -1. */
export function statementEnd(tokens, start) {
  let depth = 0;
  for (let i = start; i < tokens.length; i += 1) {
    const { kind, text } = tokens[i];
    if (kind !== 'sign') continue;
    if (depth === 0 && text === ';') return i;
    if (openers.includes(text)) depth += 1;
    if (closers.includes(text)) depth -= 1;
    if (depth < 0) return -1;
  }
  return -1;
}

/** Returns the index after the bracket that closes the one at `start`, or -1. */
export function afterBrackets(tokens, start) {
  let depth = 0;
  for (let i = start; i < tokens.length; i += 1) {
    const { kind, text } = tokens[i];
    if (kind !== 'sign') continue;
    if (openers.includes(text)) depth += 1;
    if (closers.includes(text)) depth -= 1;
    if (depth === 0) return i + 1;
  }
  return -1;
}

/** Returns the tokens from `start` to `end` that are outside of brackets. */
export function outsideBrackets(tokens, start, end) {
  const found = [];
  for (let i = start; i < end; i += 1) {
    const isOpener = tokens[i].kind === 'sign' && openers.includes(tokens[i].text);
    if (isOpener) i = afterBrackets(tokens, i) - 1;
    else found.push(tokens[i]);
  }
  return found;
}
