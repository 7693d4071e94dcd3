// A reporter of node:test: one line for each failed test, with its place, and the first lines of its error.
import { relative } from 'node:path';
import { root } from './run.mjs';

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

/** Yields the text of each failure. A suite that failed because of its tests has none. */
export default async function* failedTests(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue;
    const { error } = data.details;
    if (error.failureType === 'subtestsFailed') continue;
    const place = data.file ? ` (${relative(root, data.file)}:${data.line ?? 1})` : '';
    yield `  ${data.name}${place}\n      ${shortMessage(error)}\n`;
  }
}
