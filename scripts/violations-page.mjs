// Why this file exists: what clients do with histories that Gemini refuses can be compared: ours from the
// results that tests/js/violations.test.mjs holds us to, theirs as they were measured.

const splitFinding = (text) => {
  const [severity, code, path] = text.split(' ');
  return { severity, code, path };
};

const inCode = (text) => `\`${text}\``;
const oneLine = (cells) => `| ${cells.join(' | ')} |`;

/** What lint says, as a cell. */
function foundCell({ found, why }) {
  if (found.length === 0) return `accepted: ${why}`;
  return found
    .map(splitFinding)
    .map(({ severity, code, path }) => `${severity} ${inCode(code)} ${inCode(path)}`)
    .join('<br>');
}

// What the rules of the mends say that repair does.
function mendsOf({ repaired }, fixes) {
  const codes = [...new Set(repaired.map((text) => text.split(' ')[0]))];
  return codes.map((code) => `${inCode(code)}: ${fixes[code]}`).join('<br>');
}

/** What repair does about it, as a cell. */
function repairCell({ found, repair, withPlaceholders }, fixes) {
  if (repair.repaired.length > 0) return mendsOf(repair, fixes);
  if (withPlaceholders?.ok) return `stays an error; with \`dummySignatures\` Google's placeholder`;
  const refused = found.some((text) => splitFinding(text).severity === 'error');
  return refused ? 'stays an error' : 'sent as it is';
}

function summary({ violations }) {
  const errors = violations.filter(({ found }) => found.some((text) => text.startsWith('error')));
  const repaired = errors.filter(({ repair }) => repair.ok);
  const placeholders = errors.filter(({ withPlaceholders }) => withPlaceholders?.ok);
  const told = violations.filter(({ found }) => found.length > 0).length - errors.length;
  return `Of ${violations.length} histories \`lint\` refuses ${errors.length}, each with code and place; \`repair\` mends ${repaired.length} of these
without guessing, and ${placeholders.length} more with placeholders. ${told} pass with a warning or a note, in the others
stands nothing that Gemini refuses.`;
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

/**
 * docs/violations.md of tests/cases/violations.json; `rules` are the catalogue's.
 *
 * @param {string} note says what made the page
 */
export function violationsPage(cases, rules, note) {
  const fixes = Object.fromEntries(rules.map(({ code, fix }) => [code, fix]));
  const packages = cases.peers.map((peer) =>
    oneLine([peer.column, inCode(peer.package), peer.version]),
  );
  return `# What clients do with histories that Gemini refuses

${note} The bodies stand there;
\`tests/js/violations.test.mjs\` holds \`lint\` and \`repair\` to it, for \`${cases.model}\`.

${summary(cases)}

The other clients were given the same faults in their own types on ${cases.measured}, against an endpoint on the
same machine; their own defaults, nothing switched on. \`–\` sent unchanged without a word, **T** throws
before sending, **R** rewritten silently, **W** rewritten with a warning, \`hold\` waits for a tool that
runs elsewhere. A sentinel is a placeholder in place of a signature. Rows without cells were not part of
that measurement.

${table(cases, fixes)}

| column | package | version |
| --- | --- | --- |
${packages.join('\n')}
`;
}
