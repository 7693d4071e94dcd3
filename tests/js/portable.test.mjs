// Runs the portable tests in Node with the package imported by its name. STRATA_PORTABLE selects one file.
import test, { describe } from 'node:test';
import * as strata from 'prompt-strata';
import * as gateway from 'prompt-strata/gateway';
import * as lite from 'prompt-strata/lite';
import * as remote from 'prompt-strata/remote';
import { portableFiles } from './consumer.mjs';

for (const file of portableFiles()) {
  const { default: cases } = await import(`./portable/${file}`);
  describe(`node: ${file}`, () => {
    for (const { name, run } of cases) test(name, () => run({ ...strata, gateway, lite, remote }));
  });
}
