// Finds the statements of C++ tokens that a mutant may remove: assignments, calls, increments.
import { afterBrackets, statementEnd } from './cpp-tokens.mjs';

const beforeStatement = [';', '{', '}', ')', 'else', 'do'];
const assigning = ['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>='];
const steps = ['++', '--'];

// Words with which other statements begin. A declaration has two words in a row and is no chain.
const keywords = new Set(
  (
    'return if for while do switch case default break continue goto using namespace typedef template class struct ' +
    'enum union static const constexpr inline auto public private protected friend delete new else operator ' +
    'static_assert typename virtual explicit extern mutable noexcept override final requires'
  ).split(' '),
);

const isWord = (token) => token?.kind === 'word' && !keywords.has(token.text);

// Template arguments have no space before their "<". A comparison has one.
function afterTemplateArguments(tokens, start) {
  if (tokens[start].at !== tokens[start - 1].end) return -1;
  let depth = 0;
  for (let i = start; i < tokens.length && tokens[i].text !== ';'; i += 1) {
    const { text } = tokens[i];
    if (text === '<') depth += 1;
    if (text === '>' || text === '>>') depth -= text.length;
    if (depth === 0) return i + 1;
  }
  return -1;
}

// Returns the index after one link of `a.b(c)[d]`, or -1 where the chain ends.
function afterLink(tokens, i) {
  const { text } = tokens[i];
  if (['.', '->', '::'].includes(text)) return isWord(tokens[i + 1]) ? i + 2 : -1;
  if (text === '(' || text === '[') return afterBrackets(tokens, i);
  if (text === '<') return afterTemplateArguments(tokens, i);
  return -1;
}

// Returns the index after `a.b(c)[d]`, or -1.
function afterChain(tokens, start) {
  if (!isWord(tokens[start])) return -1;
  let i = start + 1;
  for (let next = i; next >= 0 && next < tokens.length; next = afterLink(tokens, next)) i = next;
  return i;
}

function endOfRemovable(tokens, start) {
  const isStep = steps.includes(tokens[start].text);
  const isPointer = tokens[start].text === '*';
  const next = afterChain(tokens, isStep || isPointer ? start + 1 : start);
  if (next < 0 || next >= tokens.length) return -1;
  const isCall = tokens[next - 1].text === ')';
  const { text } = tokens[next];
  if (text === ';') return isCall || isStep ? next : -1;
  if (steps.includes(text) && tokens[next + 1]?.text === ';') return next + 1;
  // `f() = default` is a declaration.
  return assigning.includes(text) && !isCall ? statementEnd(tokens, next) : -1;
}

/**
 * Returns the statements as pairs of indexes, the second one that of the ";".
 * @param {import('./cpp-tokens.mjs').Token[]} tokens
 */
export function removableStatements(tokens) {
  const found = [];
  for (let i = 1; i < tokens.length; i += 1) {
    if (!beforeStatement.includes(tokens[i - 1].text)) continue;
    const end = endOfRemovable(tokens, i);
    if (end >= 0) found.push([i, end]);
  }
  return found;
}
