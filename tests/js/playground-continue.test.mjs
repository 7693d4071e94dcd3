// A linted request that continues as a chat: the chat sends the same request, and says what it cannot send.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { load } from 'prompt-strata';
import { loadTemplates } from 'prompt-strata/templates';
import { importParts } from './lint-parts.mjs';

const { RequestSeries, chatOf, emptyDocument } = await importParts(
  'playground/state/playground-document',
  'playground/lint/continue-as-chat',
  'playground/engine/request-series',
);

const strata = await load();
const templates = await loadTemplates();
const core = { shared: async () => strata };
const now = '2026-11-01T10:00:00Z';
const target = { model: 'gemini-3.8-flash', backend: 'gemini' };
const user = (text) => ({ role: 'user', parts: [{ text }] });

const parameters = { type: 'OBJECT', properties: { city: { type: 'STRING' } } };
const weather = { name: 'weather', description: 'The weather.', parameters };
const plain = { contents: [user('Hello')] };
const full = {
  systemInstruction: { parts: [{ text: 'Use {{ braces }} as they are.' }] },
  tools: [{ functionDeclarations: [weather] }],
  generationConfig: { temperature: 0.5 },
  store: false,
  contents: [user('Hello'), { role: 'model', parts: [{ text: 'Hi.' }] }, user('And now?')],
};

const continued = (request) => chatOf(core, JSON.stringify(request), target);

/** Returns the body that the chat sends for its newest message. */
async function sentBody(request) {
  const { change } = await continued(request);
  const { prompt, settings, chat } = change(emptyDocument());
  const series = new RequestSeries(
    { strata, templates },
    { prompt, settings, history: chat.saved, now },
  );
  return JSON.parse(new TextDecoder().decode(series.request(series.length - 1).body));
}

describe('a request that continues as a chat', () => {
  it('is sent as it was, with nothing of the demonstration', async () => {
    assert.deepEqual(await sentBody(full), full);
    const { contents, ...others } = await sentBody(plain);
    assert.deepEqual(contents, plain.contents);
    assert.deepEqual(others, { generationConfig: {}, store: false });
  });

  it('has an instruction that its editor shows as it is', async () => {
    const systemInstruction = { parts: [{ text: 'One.\r\nTwo.\rThree.' }] };
    const { change } = await continued({ ...plain, systemInstruction });
    assert.equal(change(emptyDocument()).prompt.static, 'One.\nTwo.\nThree.');
  });

  it('names what the chat does not send', async () => {
    const request = {
      ...full,
      safety_settings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      cachedContent: null,
      tools: [
        { googleSearch: {} },
        { functionDeclarations: [{ ...weather, behavior: 'BLOCKING' }] },
      ],
    };
    assert.deepEqual((await continued(full)).leftOut, []);
    assert.deepEqual((await continued(request)).leftOut, [
      'safety_settings',
      'toolConfig',
      'googleSearch',
      'behavior of weather',
    ]);
  });
});
