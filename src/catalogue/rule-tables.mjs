// Writes the rules as tables of C++: catalogue.inc.
import { BACKENDS, GENERATIONS, rules, upstreamOf, wordOf } from './rules.mjs';

const SEVERITIES = ['off', 'info', 'warning', 'error'];
const SCOPES = ['content', 'turn', 'request', 'answer'];

const capitalized = (word) => word[0].toUpperCase() + word.slice(1);
const identifier = (code) => 'k' + code.split(/[._]/).map(capitalized).join('');
const quoted = (text) => JSON.stringify(text ?? '');
// The modules that have what reports a rule, and its letter in a row: by default those that have requests, talk and check.
const OWNERS = { all: '-', requests: 'r', check: 'c', templates: 't' };
const ownerOf = (row) => row.module ?? 'requests';
const textsOf = (owner) =>
  rules
    .filter((row) => ownerOf(row) === owner)
    .map(ruleTexts)
    .join('\n');

// Each text ends with a NUL.
const literal = (text) => `${quoted(text).slice(0, -1)}\\0"`;

// A digit for each severity: by backend, then by generation. The digits are repeated if there are fewer.
function severityDigits(row) {
  const digits = BACKENDS.map((backend) =>
    GENERATIONS.map((g) => SEVERITIES.indexOf(wordOf(row.severity, backend, g))).join(''),
  );
  const [first] = digits[0];
  if (digits.every((each) => each === first.repeat(GENERATIONS.length))) return first;
  return digits[0] === digits[1] ? digits[0] : digits.join('');
}

function ruleRow(row) {
  const kind = `${SCOPES.indexOf(row.scope)}${row.strict ? 's' : '-'}${OWNERS[ownerOf(row)]}`;
  return `    ${literal(row.code)} ${literal(kind + severityDigits(row))}`;
}

// A text that is the same for both backends is written once.
function ruleTexts(row) {
  const byBackend = ['upstream', 'upstream2'].flatMap((name) => {
    const [gemini, vertex] = BACKENDS.map((backend) => upstreamOf(row, backend, name));
    return [gemini, gemini === vertex ? '=' : vertex];
  });
  return `    // ${row.code}
${[row.message, ...byBackend, row.fix].map((text) => `    ${literal(text)}`).join('\n')}`;
}

/** Returns catalogue.inc. */
export function catalogueInc() {
  return `// Included by catalogue/rule.h (the names), catalogue/catalogue.cpp and catalogue/rule_texts.cpp (the rows).
#if defined(STRATA_RULE_NAMES)
${rules.map((row) => `  ${identifier(row.code)},`).join('\n')}
#elif defined(STRATA_RULE_ROWS)
${rules.map(ruleRow).join('\n')}
#elif defined(STRATA_RULE_TEXTS)
${textsOf('all')}
#elif defined(STRATA_REQUEST_RULE_TEXTS)
${textsOf('requests')}
#elif defined(STRATA_BODY_RULE_TEXTS)
${textsOf('check')}
#elif defined(STRATA_PROMPT_RULE_TEXTS)
${textsOf('templates')}
#endif
`;
}
