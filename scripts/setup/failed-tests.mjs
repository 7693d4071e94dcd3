// Failed tests: a reporter of node:test that writes a line of JSON for each, with its place and the first lines of its
// error; and which of them run again.
import { relative } from 'node:path';
import { root } from './run.mjs';

/** @typedef {{ name: string, file: string, line: number, message: string, ran?: string }} FailedTest */

const maxLines = 6;

// The error of a test is the cause of the error that the runner reports.
function shortMessage(error) {
  const { message } = error.cause ?? error;
  return String(message ?? error)
    .trim()
    .split('\n')
    .slice(0, maxLines)
    .join('\n      ');
}

/** Yields a `FailedTest` for each failure. A suite that failed because of its tests has none. */
export default async function* failedTests(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue;
    const { error } = data.details;
    if (error.failureType === 'subtestsFailed') continue;
    const { name, file = '', line = 1 } = data;
    const failed = { name, file: file && relative(root, file), line, message: shortMessage(error) };
    yield `${JSON.stringify(failed)}\n`;
  }
}

/**
 * Returns a failure as text.
 * @param {FailedTest} failed
 */
export const failureText = ({ name, file, line, message }) =>
  `  ${name}${file ? ` (${file}:${line})` : ''}\n      ${message}\n`;

/**
 * Returns the failed tests of a file that ran, whose `ran` it is: their own place may be in a module that it imports.
 * @param {string} ran
 * @param {string[]} lines what the reporter wrote
 * @param {string} output what the file printed, for a failure outside its tests
 * @returns {FailedTest[]}
 */
export function failedTestsOf(ran, lines, output) {
  if (lines.length > 0) return lines.map((line) => ({ ...JSON.parse(line), ran }));
  const message = output.trim().split('\n').slice(-maxLines).join('\n      ');
  return [{ name: ran, file: ran, line: 1, message, ran }];
}

// A browser or workerd may fail for reasons that are not the test's. Such a test passes if its file passes alone, and
// the run names it: a list of them stands in docs/verification.md.
const mayBeFlaky = ({ ran }) => /^tests\/(browser|edge)\//.test(ran);
const maxFlaky = 2;
const isNewIn = (tests) => (test) =>
  !tests.some(({ name, ran }) => name === test.name && ran === test.ran);

/**
 * Runs the files of failed tests again, one at a time. Returns the tests that failed, and those that are flaky.
 * @param {FailedTest[]} failed
 * @param {(file: string) => Promise<FailedTest[]>} runFile runs a file, and returns its failed tests
 */
export async function runAgain(failed, runFile) {
  const again = failed.length <= maxFlaky ? failed.filter(mayBeFlaky) : [];
  const stillFailed = [];
  for (const file of new Set(again.map(({ ran }) => ran)))
    stillFailed.push(...(await runFile(file)));
  const isFlaky = (test) =>
    again.includes(test) && !stillFailed.some(({ ran }) => ran === test.ran);
  return {
    failed: [...failed.filter((test) => !isFlaky(test)), ...stillFailed.filter(isNewIn(failed))],
    flaky: failed.filter(isFlaky),
  };
}
