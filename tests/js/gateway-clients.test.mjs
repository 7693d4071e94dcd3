// Unmodified clients have a conversation with tools through the gateway. `npm run verify -- gateway` has more of them.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test, { describe } from 'node:test';
import { createEmulator } from 'prompt-strata/testing';
import { createGateway } from 'prompt-strata/gateway';
import { serve } from 'prompt-strata/node';
import { root } from '../../scripts/setup/run.mjs';
import { converse } from '../verify/clients/gateway/conversation.mjs';
import { runTrial } from '../verify/clients/gateway/trial.mjs';

const folder = join(root, 'tests', 'verify', 'clients', 'gateway');
const { paths } = createRequire(join(folder, 'trial.mjs')).resolve;
const tools = { createEmulator, createGateway, serve };

/** The clients, with the packages that their trials import, and for each use what the client changes. */
const clients = {
  'google-genai': {
    packages: ['@google/genai'],
    uses: {
      chat: { changes: [], without: 'passes' },
      'chat, streamed': { changes: ['answers split'], without: /^request 2: 400 / },
      'automatic calls': { changes: [], without: 'passes' },
    },
  },
  'google-genai-interactions': {
    packages: ['@google/genai'],
    uses: {
      interactions: { changes: [], without: 'passes' },
      'interactions, streamed': { changes: [], without: 'passes' },
      'interactions, thoughts not kept': {
        changes: ['4 of 4 signatures lost', '4 of 4 summaries lost'],
        without: /^request 2: 400 Request contains an invalid argument\.$/,
      },
      'interactions, stored': { changes: [], without: 'passes' },
    },
  },
  'ai-sdk': {
    packages: ['ai', '@ai-sdk/google'],
    uses: {
      generateText: { changes: [], without: 'passes' },
      streamText: { changes: [], without: 'passes' },
      'interactions, generateText': {
        changes: ['results inside `user_input`'],
        without: 'passes',
      },
      'interactions, streamText': {
        changes: ['results inside `user_input`'],
        without: 'passes',
      },
      'interactions, stored': { changes: [], without: 'passes' },
    },
  },
  'langchain-google': {
    packages: ['@langchain/google', '@langchain/core'],
    uses: {
      invoke: { changes: [], without: 'passes' },
      stream: { changes: ['2 of 2 signatures of texts lost'], without: 'passes' },
    },
  },
};

// Some packages have no entry for `require`, so their folders are looked for.
const isMissing = (name) =>
  !paths(name).some((path) => existsSync(join(path, name, 'package.json')));

for (const [client, { packages, uses }] of Object.entries(clients)) {
  const missing = packages.filter(isMissing);
  const skip = missing.length > 0 && `not installed: ${missing.join(', ')}`;
  describe(client, { skip }, async () => {
    if (skip) return;
    const { default: trials } = await import(`../verify/clients/gateway/${client}.mjs`);
    for (const [use, expected] of Object.entries(uses)) {
      const run = (baseUrl) => converse(trials[use], baseUrl);
      test(use, async () => {
        const { changes, without } = await runTrial(tools, { client, use, run });
        assert.deepEqual(changes, expected.changes);
        if (expected.without instanceof RegExp) assert.match(without, expected.without);
        else assert.equal(without, expected.without);
      });
    }
  });
}
