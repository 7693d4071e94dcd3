// Unmodified clients of the Gemini API against the emulator as a server. `npm run verify -- clients` has more of them.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test, { after, before, describe } from 'node:test';
import { createEmulator } from 'prompt-strata/testing';
import { serve } from 'prompt-strata/node';
import { root } from '../../scripts/setup/run.mjs';
import { features } from '../verify/clients/emulator/trials.mjs';

const folder = join(root, 'tests', 'verify', 'clients', 'emulator');
const { paths } = createRequire(join(folder, 'trials.mjs')).resolve;

/** The trials, with the packages that they import. */
const clients = {
  'google-genai': ['@google/genai'],
  'ai-sdk': ['ai', '@ai-sdk/google'],
  langchain: ['@langchain/google', '@langchain/core'],
};

// Some packages have no entry for `require`, so their folders are looked for.
const isMissing = (name) =>
  !paths(name).some((path) => existsSync(join(path, name, 'package.json')));

let server;
before(async () => {
  server = await serve(createEmulator());
});
after(() => server.close());

for (const [client, packages] of Object.entries(clients)) {
  const missing = packages.filter(isMissing);
  const skip = missing.length > 0 && `not installed: ${missing.join(', ')}`;
  describe(client, { skip }, async () => {
    if (skip) return;
    const { default: trials } = await import(`../verify/clients/emulator/${client}.mjs`);
    for (const feature of features.filter((name) => trials[name])) {
      test(feature, () => trials[feature](server.url));
    }
  });
}
