// Reads what `ctest -V` prints of GoogleTest suites.

/** GoogleTest's and ctest's own closing lines. */
export function closingLines(output) {
  const kept = /^\d+: \[ +(PASSED|SKIPPED) +\] \d|^\s*\d+\/\d+ Test|tests passed|^Total Test time/;
  return output.split('\n').filter((line) => kept.test(line));
}

/** What failed, without the lines of what passed. */
export function withoutPassed(output) {
  const passed = /\[ RUN|\[ +OK |\[-+/;
  return output
    .split('\n')
    .filter((line) => !passed.test(line))
    .join('\n');
}

/** The sentences with which tests were skipped, each once, with how many tests said it. */
export function skipReasons(output) {
  const counts = new Map();
  for (const [, reason] of output.matchAll(/: Skipped\r?\n(?:\d+: )?(.+)/g))
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(
    ([reason, count]) => `${count} ${count === 1 ? 'test' : 'tests'}, ${reason}`,
  );
}
