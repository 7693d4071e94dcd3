// Finds the changes that mutants make in C++ source text: one operator, constant, return or statement each.
import { cppTokens, outsideBrackets, statementEnd } from './cpp-tokens.mjs';
import { removableStatements } from './statements.mjs';

// Operators between two operands. clang-format puts white space on both sides of them, but not of the same signs in
// template arguments, references and operands with a sign.
const binary = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==' },
  ...{ '+': '-', '-': '+', '+=': '-=', '-=': '+=', '&&': '||', '||': '&&' },
};
const unary = { '++': '--', '--': '++', '!': '' };
const words = { true: 'false', false: 'true', continue: 'break', break: 'continue' };

/**
 * A change: the text from `at` to `end` is replaced.
 * @typedef {{ at: number, end: number, before: string, after: string }} Change
 */

const changeOf = (source, at, end, after) => ({ at, end, before: source.slice(at, end), after });

function hasSpaces(source, { at, end }) {
  return /\s/.test(source[at - 1]) && /\s/.test(source[end]);
}

function changedSign(source, token, previous) {
  const { text } = token;
  if (Object.hasOwn(unary, text)) return unary[text];
  const isOperator = Object.hasOwn(binary, text) && hasSpaces(source, token);
  return isOperator && previous?.text !== 'template' ? binary[text] : undefined;
}

/** Returns the number plus one in the same notation, or undefined if it has none of the usual ones. */
export function nextNumber(text) {
  const [, integer, suffix] = /^(0x[\da-f']+|0b[01']+|[1-9][\d']*|0)([ulz]*)$/i.exec(text) ?? [];
  if (integer !== undefined) {
    const next = BigInt(integer.replaceAll("'", '')) + 1n;
    return `${/^0x/i.test(integer) ? `0x${next.toString(16).toUpperCase()}` : next}${suffix}`;
  }
  if (!/^\d+\.\d*$|^\.\d+$/.test(text)) return undefined;
  const next = (Number(text) + 1).toFixed(text.split('.')[1].length || 1);
  // Large numbers have no fraction, and the next integer may be the same number.
  return Number(next) === Number(text) ? undefined : next;
}

function changedToken(source, token, previous) {
  if (token.kind === 'sign') return changedSign(source, token, previous);
  if (token.kind === 'number') return nextNumber(token.text);
  if (token.kind === 'word' && Object.hasOwn(words, token.text)) return words[token.text];
  return undefined;
}

function tokenChanges(source, tokens) {
  return tokens.flatMap((token, i) => {
    const after = changedToken(source, token, tokens[i - 1]);
    return after === undefined ? [] : [changeOf(source, token.at, token.end, after)];
  });
}

// Values that `{}` equals, or that another change covers.
const emptyValues = /^(\{\}|nullptr|false|true|0|""|std::nullopt|\*this|std::string(_view)?\(\))$/;
const truthSigns = ['&&', '||', '==', '!=', '<', '<=', '>', '>='];

// `return a < b;` becomes `return !(a < b);`, other values become `{}`.
function returnChanges(source, tokens) {
  return tokens.flatMap(({ kind, text, end: at }, i) => {
    if (kind !== 'word' || text !== 'return') return [];
    const last = statementEnd(tokens, i + 1);
    if (last <= i + 1) return [];
    const value = source.slice(tokens[i + 1].at, tokens[last].at);
    if (emptyValues.test(value)) return [];
    const outside = outsideBrackets(tokens, i + 1, last);
    const isTruth =
      outside.some((token) => truthSigns.includes(token.text) && hasSpaces(source, token)) &&
      !outside.some((token) => token.text === '?');
    return [changeOf(source, at, tokens[last].at, isTruth ? ` !(${value})` : ' {}')];
  });
}

function removals(source, tokens) {
  return removableStatements(tokens).map(([first, last]) =>
    changeOf(source, tokens[first].at, tokens[last].end, ';'),
  );
}

/**
 * Returns all changes of a file, in the order of their places.
 * @param {string} source
 * @returns {Change[]}
 */
export function changesIn(source) {
  const tokens = cppTokens(source);
  const all = [tokenChanges, returnChanges, removals].flatMap((find) => find(source, tokens));
  return all.sort((a, b) => a.at - b.at || a.end - b.end);
}
