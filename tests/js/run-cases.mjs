// Runs the portable tests in runtimes without node:test and returns results that can be sent as JSON.

// In WebKit and Firefox a stack does not begin with the message. The message stands at the end too, because reports
// may show only the last lines.
function describe(error) {
  const message = `${error?.name ?? 'Error'}: ${error?.message ?? error}`;
  const cause = error?.cause === undefined ? '' : `\ncaused by ${describe(error.cause)}`;
  return `${message}\n${error?.stack ?? ''}${cause}\n${message}`;
}

/**
 * @param {object} strata the package, with its other entries as `templates`, `check`, `gateway` and `remote`
 * @param {{ [file: string]: { name: string, run: (strata: object) => unknown }[] }} suites
 * @param {(file: string) => boolean} isRun whether the cases of a file run
 * @returns {Promise<{ file: string, name: string, error?: string }[]>}
 */
export async function runCases(strata, suites, isRun = () => true) {
  const results = [];
  for (const [file, cases] of Object.entries(suites).filter(([name]) => isRun(name))) {
    for (const { name, run } of cases) {
      const result = { file, name };
      try {
        await run(strata);
      } catch (error) {
        result.error = describe(error);
      }
      results.push(result);
    }
  }
  return results;
}
