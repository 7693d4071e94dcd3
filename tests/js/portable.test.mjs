// The portable tests in Node, on the package imported by its own name. STRATA_PORTABLE picks one file.
import test, { describe } from 'node:test';
import * as strata from 'prompt-strata';
import * as lite from 'prompt-strata/lite';
import { portableFiles } from './consumer.mjs';

for (const file of portableFiles()) {
  const { default: cases } = await import(`./portable/${file}`);
  describe(`node: ${file}`, () => {
    for (const { name, run } of cases) test(name, () => run({ ...strata, lite }));
  });
}
