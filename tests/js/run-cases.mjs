// Runs the portable tests in runtimes without node:test and returns results that can be sent as JSON.

/**
 * @param {object} strata the package, with prompt-strata/lite as `lite` and prompt-strata/gateway as `gateway`
 * @param {{ [file: string]: { name: string, run: (strata: object) => unknown }[] }} suites
 * @returns {Promise<{ file: string, name: string, error?: string }[]>}
 */
export async function runCases(strata, suites) {
  const results = [];
  for (const [file, cases] of Object.entries(suites)) {
    for (const { name, run } of cases) {
      const result = { file, name };
      try {
        await run(strata);
      } catch (error) {
        result.error = `${error?.message ?? error}\n${error?.stack ?? ''}`;
      }
      results.push(result);
    }
  }
  return results;
}
