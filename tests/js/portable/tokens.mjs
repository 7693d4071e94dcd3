// Token estimates by kind of part and model, and their calibration with the counts of the API.
import { equal, ok } from './assert.mjs';

const model = 'gemini-3.8-flash';
// No word repeats, so loop detection stays silent.
const words = (count) => Array.from({ length: count }, (_, i) => `w${i} `).join('');
const image = (level) => ({
  role: 'user',
  parts: [
    {
      inlineData: { mimeType: 'image/png', data: 'AA==' },
      ...(level && { mediaResolution: { level: `MEDIA_RESOLUTION_${level}` } }),
    },
  ],
});

/** Returns a conversation whose answers report this many tokens per character. */
async function counted(strata, perCharacter) {
  const respond = ({ index }) => {
    const text = words(63 + 37 * index);
    const candidates = [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }];
    const candidatesTokenCount = Math.round(text.length * perCharacter);
    const usageMetadata = { promptTokenCount: 50, candidatesTokenCount };
    return { chunks: [{ candidates, usageMetadata }] };
  };
  const fetch = strata.createEmulator({ respond });
  const client = new strata.GeminiClient({ fetch, retry: false });
  return new strata.Conversation(await strata.load(), client, { model });
}

/** Returns the tokens of the user's turn that each send added. */
async function turnTokens(chat, text, sends) {
  const tokens = [];
  for (let i = 0; i < sends; i++) {
    const before = chat.thread.tokens;
    for await (const event of chat.send(text)) {
      if (event.type === 'turn' && event.index % 2 === 0) tokens.push(chat.thread.tokens - before);
    }
  }
  return tokens;
}

export default [
  {
    name: 'calibrates the estimate of its turns with each answer',
    async run(strata) {
      const text = words(200).trim();
      const tokens = await turnTokens(await counted(strata, 0.4), text, 8);
      equal(tokens[0], Math.floor(text.length / 4));
      const wanted = text.length * 0.4;
      ok(Math.abs(tokens.at(-1) - wanted) < 0.03 * wanted, `${tokens} for ${wanted}`);
    },
  },
  {
    name: 'counts an answer with the tokens that the API reported',
    async run(strata) {
      const chat = await counted(strata, 0.4);
      await turnTokens(chat, 'Hello', 1);
      equal(chat.thread.tokens - chat.thread.fork(1).tokens, Math.round(words(100).length * 0.4));
    },
  },
  {
    name: 'calibrates text and JSON separately, and recovers from an outlier',
    async run(strata) {
      const core = await strata.load();
      const text = { role: 'model', parts: [{ text: words(100) }] };
      const call = {
        role: 'model',
        parts: [{ functionCall: { name: 'f', args: { a: words(60) } } }],
      };
      const [plain, data] = [core.estimateTokens(text), core.estimateTokens(call)];
      let calibration = core.calibrate(text, 1_000_000);
      for (let i = 0; i < 30; i++) {
        calibration = core.calibrate(text, plain * 0.8, { calibration });
        calibration = core.calibrate(call, data * 1.5, { calibration });
      }
      equal(calibration.seen, 61);
      ok(Math.abs(calibration.text - 0.8) < 0.05, JSON.stringify(calibration));
      ok(Math.abs(calibration.data - 1.5) < 0.05, JSON.stringify(calibration));
      equal(core.estimateTokens(text, { calibration }), Math.floor(plain * calibration.text));
    },
  },
  {
    name: 'counts media by model and by the requested resolution',
    async run(strata) {
      const core = await strata.load();
      const tokens = (level, id) => core.estimateTokens(image(level), { model: id });
      equal(tokens(undefined, model), 1120);
      equal(tokens('LOW', model), 280);
      equal(tokens('ULTRA_HIGH', model), 2240);
      equal(tokens(undefined, 'gemini-2.5-flash'), 258);
      equal(core.estimateTokens(image()), 3000);
    },
  },
  {
    name: 'returns the limits of a model, and those of the newest for an unknown one',
    async run(strata) {
      const core = await strata.load({ models: [{ id: model, contextTokens: 5000 }] });
      equal(core.modelLimits(model).contextTokens, 5000);
      const { contextTokens, outputTokens, explicitCache } = core.modelLimits('gemini-99-ultra');
      ok(contextTokens >= 1_000_000 && outputTokens > 0 && explicitCache === false);
    },
  },
];
