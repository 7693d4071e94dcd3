// Runs the portable tests in Node with the package imported by its name. STRATA_PORTABLE selects one file.
import { join } from 'node:path';
import test, { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { consumer, portableFiles } from '../support/consumer.mjs';
import { pkg } from '../support/package.mjs';

for (const file of portableFiles()) {
  const { default: cases } = await import(pathToFileURL(join(consumer, 'portable', file)).href);
  describe(`node: ${file}`, () => {
    for (const { name, run } of cases) test(name, () => run(pkg));
  });
}
