// Makes the tables of the site about violations: what lint and repair do with invalid histories, compared with other clients.
import { readFileSync } from 'node:fs';
import { rules } from '../../src/catalogue/rules.mjs';

const splitFinding = (text) => {
  const [severity, code, path] = text.split(' ');
  return { severity, code, path };
};

const inCode = (text) => `\`${text}\``;
const oneLine = (cells) => `| ${cells.join(' | ')} |`;

/** Returns the findings of lint as a table cell. */
function foundCell({ found, why }) {
  if (found.length === 0) return `accepted: ${why}`;
  return found
    .map(splitFinding)
    .map(({ severity, code, path }) => `${severity} ${inCode(code)} ${inCode(path)}`)
    .join('<br>');
}

// The fixes of the rules that repair applied.
function fixesOf({ repaired }, fixes) {
  const codes = [...new Set(repaired.map((text) => text.split(' ')[0]))];
  return codes.map((code) => `${inCode(code)}: ${fixes[code]}`).join('<br>');
}

/** Returns what repair does as a table cell. */
function repairCell({ found, repair, withPlaceholders }, fixes) {
  if (repair.repaired.length > 0) return fixesOf(repair, fixes);
  if (withPlaceholders?.ok) return "stays an error; `dummySignatures` adds Google's placeholder";
  const invalid = found.some((text) => splitFinding(text).severity === 'error');
  return invalid ? 'stays an error' : 'sent unchanged';
}

function summary({ violations }) {
  const errors = violations.filter(({ found }) => found.some((text) => text.startsWith('error')));
  const repaired = errors.filter(({ repair }) => repair.ok);
  const placeholders = errors.filter(({ withPlaceholders }) => withPlaceholders?.ok);
  const reported = violations.filter(({ found }) => found.length > 0).length - errors.length;
  return `\`lint\` rejects ${errors.length} of ${violations.length} histories, each with a code and a path. \`repair\` fixes ${repaired.length} of these
without guessing, and ${placeholders.length} more with placeholder signatures. ${reported} histories pass with a warning or an info; the
others are valid.`;
}

function table({ peers, violations }, fixes) {
  const head = ['history', 'lint', 'repair', ...peers.map(({ column }) => column)];
  const rows = violations.map((one) => [
    one.name,
    foundCell(one),
    repairCell(one, fixes),
    ...(one.peers ?? peers.map(() => '')),
  ]);
  return [head, head.map(() => '---'), ...rows].map(oneLine).join('\n');
}

const cases = JSON.parse(
  readFileSync(new URL('../../tests/cases/violations.json', import.meta.url), 'utf8'),
);
const fixes = Object.fromEntries(rules.map(({ code, fix }) => [code, fix]));

function packageTable() {
  const rows = cases.peers.map((peer) => [peer.column, inCode(peer.package), peer.version]);
  return [['column', 'package', 'version'], ['---', '---', '---'], ...rows].map(oneLine).join('\n');
}

/** What the page of violations shows in the places that it names. */
export const violationTables = {
  'violations summary': () => summary(cases),
  violations: () => table(cases, fixes),
  'violation packages': packageTable,
};
