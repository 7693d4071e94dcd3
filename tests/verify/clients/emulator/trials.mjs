// What each client is asked to do against the emulator, and the assertions about it.
import assert from 'node:assert/strict';

export const model = 'gemini-3.8-flash';
export const embeddingModel = 'gemini-embedding-001';
export const key = 'any-key-will-do-for-the-emulator';
export const question = 'What is the weather in Paris?';

/** The names of the columns, in their order. */
export const features = [
  'text',
  'stream',
  'tools',
  'structured output',
  'countTokens',
  'caches',
  'models',
  'embeddings',
  'interactions',
];

/** A long text, so that a cache of it is large enough. */
export const longText = 'The quick brown fox jumps over the lazy dog. '.repeat(1500);

/** The JSON Schema of a city's weather. */
export const weatherSchema = {
  type: 'object',
  properties: { city: { type: 'string', description: 'The city' } },
  required: ['city'],
};

/** The answer of the emulator to a plain question. */
export const isAnswer = (text) => assert.match(text, /emulator of prompt-strata/);

/** The answer of the emulator to the result of the tool. */
export const isToolAnswer = (text) => assert.match(text, /answered .*sky\W+clear/);

/** A stream has more than one piece. */
export function isStream(pieces) {
  assert.ok(pieces.length > 1, `${pieces.length} pieces`);
  isAnswer(pieces.join(''));
}

export function isVector(values, length = 3072) {
  assert.equal(values.length, length);
  assert.ok(Math.abs(Math.hypot(...values) - 1) < 1e-4);
}

/** Runs the trials of a client. Returns for each feature true, or the error; nothing for what the client does not have. */
export async function runTrials(trials, baseUrl) {
  const results = {};
  for (const feature of features.filter((name) => trials[name])) {
    try {
      await trials[feature](baseUrl);
      results[feature] = true;
    } catch (error) {
      results[feature] = String(error?.stack ?? error);
    }
  }
  return results;
}
