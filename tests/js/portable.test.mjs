// Runs the portable tests in Node with the package imported by its name. STRATA_PORTABLE selects one file.
import { join } from 'node:path';
import test, { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as strata from 'prompt-strata';
import * as check from 'prompt-strata/check';
import * as gateway from 'prompt-strata/gateway';
import * as remote from 'prompt-strata/remote';
import * as stores from 'prompt-strata/stores';
import * as templates from 'prompt-strata/templates';
import * as testing from 'prompt-strata/testing';
import { consumer, portableFiles } from '../support/consumer.mjs';

for (const file of portableFiles()) {
  const { default: cases } = await import(pathToFileURL(join(consumer, 'portable', file)).href);
  describe(`node: ${file}`, () => {
    for (const { name, run } of cases)
      test(name, () =>
        run({ ...strata, ...stores, ...testing, check, gateway, remote, templates }),
      );
  });
}
