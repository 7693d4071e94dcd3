// The part "edits": the edits of `lint` against the bodies of `repair`.
import { prepare as preparePackage } from '../../scripts/setup/prepare.mjs';
import { filesBelow, hashFiles } from '../../scripts/setup/stamp.mjs';

const seedsInCase = 5000;
const numberOfCases = 6;

async function prepare() {
  await preparePackage('package');
  const [{ loadChecker }, checks] = await Promise.all([
    import('prompt-strata/check'),
    import('../js/lint-edits.mjs'),
  ]);
  const context = { checker: await loadChecker(), ...checks };
  return {
    key: hashFiles([...filesBelow('dist'), 'tests/js/lint-edits.mjs']).slice(0, 12),
    context,
  };
}

const count = (checker, checkEdits, bodies) => {
  const counts = bodies.map((body) => checkEdits(checker, body));
  return [counts.length, counts.filter(Boolean).length, counts.reduce((a, b) => a + b, 0)].map(
    String,
  );
};

const seeded = (_, index) => {
  const [first, last] = [index * seedsInCase + 1, (index + 1) * seedsInCase];
  const name = `recorded requests, broken by seeds ${first} to ${last}`;
  return {
    name,
    run: async ({ checker, checkEdits, brokenRequest }) => [
      name,
      ...count(
        checker,
        checkEdits,
        Array.from({ length: seedsInCase }, (_, i) => brokenRequest(first + i)),
      ),
    ],
  };
};

/** @type {import('./run-part.mjs').Part} */
export default {
  title: 'Edits',
  about:
    'Each body is linted and repaired: the edits of all findings, applied to the text one by one, give the bytes of the ' +
    'repair, and are those that the repair reports; the edits of two findings are the same or do not touch; every range ' +
    'has the value that the path names, and positions in bytes and in UTF-16 agree. Requests that were recorded as ' +
    'accepted are broken in one to four ways: Contents and Parts removed, doubled, split and turned round, roles, ids, ' +
    'names and signatures changed, emoji and right-to-left text, single objects, and commas that only Google takes.',
  head: ['Bodies', 'Number', 'With edits', 'Edits'],
  prepare,
  cases: [
    {
      name: 'failing examples of the catalogue',
      run: async ({ checker, checkEdits, failingExamples }) => [
        'failing examples of the catalogue',
        ...count(checker, checkEdits, failingExamples()),
      ],
    },
    ...Array.from({ length: numberOfCases }, seeded),
  ],
};
