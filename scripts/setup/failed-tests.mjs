// A reporter of node:test: a line of JSON for each failed test, with its place and the first lines of its error.
import { relative } from 'node:path';
import { root } from './run.mjs';

/** @typedef {{ name: string, file: string, line: number, message: string }} FailedTest */

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
