// What the errors of client, emulator and gateway add to Google's words: about a model that is not served, and about a
// Standard key that is refused.
import { deepEqual, equal, match, ok } from './assert.mjs';

const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
const body = new TextEncoder().encode(JSON.stringify({ contents }));
const standardKey = 'AIzaSyTest-key_0123456789';
const otherKey = 'AQ.test-key_0123456789';

const notFound = (model) =>
  `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to ` +
  'see the list of available models and their supported methods.';

const answer = (code, status, message, details) => async () =>
  new Response(JSON.stringify({ error: { code, status, message, details } }), { status: code });

async function errorOf(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error('The call succeeded');
}

// Google's texts since June 2026: Kilo-Org/kilocode#11763, NousResearch/hermes-agent#114315.
const unauthenticated =
  'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid ' +
  'authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.';
const reason = (text) => [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: text }];
const keyRefusals = [
  [401, 'UNAUTHENTICATED', unauthenticated],
  [401, 'UNAUTHENTICATED', 'No.', reason('ACCESS_TOKEN_TYPE_UNSUPPORTED')],
  [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'],
  [
    400,
    'INVALID_ARGUMENT',
    'API key expired. Please renew the API key.',
    reason('API_KEY_INVALID'),
  ],
  [400, 'INVALID_ARGUMENT', 'API Key not found. Please pass a valid API key.'],
];

const gatewayOf = ({ gateway: { createGateway } }, fetch, options) =>
  createGateway({ upstream: fetch, ...options });

const sent = (path, key, value) =>
  new Request(`http://gateway.test${path}`, {
    method: 'POST',
    headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(value),
  });

export default [
  {
    name: 'a 404 of the client says what the catalogue knows about the model',
    async run({ GeminiClient }) {
      const messageOf = async (model) => {
        const fetch = answer(404, 'NOT_FOUND', notFound(model));
        const client = new GeminiClient({ apiKey: otherKey, fetch });
        const error = await errorOf(() => client.generate(model, body));
        equal(error.kind, 'notFound');
        ok(error.message.startsWith(notFound(model)), error.message);
        return error.message.slice(notFound(model).length + 1);
      };
      for (const [model, hint] of [
        ['gemini-3.8-falsh', 'Did you mean gemini-3.8-flash?'],
        ['gemini-2.5-flsh', 'Did you mean gemini-2.5-flash?'],
        ['gemini-3.9-flash', 'Did you mean gemini-3.8-flash?'],
        ['gemini-3.1-pro', 'Did you mean gemini-3.1-pro-preview?'],
        ['gemini-2.0-flash', 'gemini-2.0-flash was shut down on 2026-06-01.'],
        ['gemini-1.5-pro-002', 'gemini-1.5-pro-002 was shut down on 2025-09-29.'],
        ['gemini-3.8-live', 'gemini-3.8-live is served by the Live API.'],
        ['gemini-live-2.5-flash', 'gemini-live-2.5-flash is served by the Live API.'],
        ['gemini-omni-1.1-flash', 'gemini-omni-1.1-flash is served by the Interactions API.'],
        ['gemini-embedding-001', 'gemini-embedding-001 is served by embedContent.'],
        ['gemini-3.8-flash', ''],
        ['gemini-3.8-flash-001', ''],
        ['my-model', ''],
      ])
        equal(await messageOf(model), hint, model);
    },
  },
  {
    name: 'models.get says it, too, and a 404 about something else has no hint',
    async run({ GeminiClient }) {
      const fetch = answer(404, 'NOT_FOUND', 'Not found');
      const client = new GeminiClient({ apiKey: otherKey, fetch });
      const model = await errorOf(() => client.models.get('gemini-3.8-falsh'));
      equal(model.message, 'Not found. Did you mean gemini-3.8-flash?');
      const file = await errorOf(() => client.files.get('files/abc'));
      equal(file.message, 'Not found');
    },
  },
  {
    name: 'the refusal of a Standard key says what to do, in all its texts, and never shows the key',
    async run({ GeminiClient }) {
      for (const [code, status, message, details] of keyRefusals) {
        const fetch = answer(code, status, `${message} ${standardKey}`, details);
        const client = new GeminiClient({ apiKey: standardKey, fetch });
        const error = await errorOf(() => client.generate('gemini-3.8-flash', body));
        match(
          error.message,
          /Standard key \(AIza…\).*September 2026.*aistudio\.google\.com\/apikey/,
        );
        equal(error.kind, 'auth');
        ok(!`${error.message}${error.stack}${JSON.stringify(error)}`.includes(standardKey));
        const other = new GeminiClient({ apiKey: otherKey, fetch });
        const plain = await errorOf(() => other.generate('gemini-3.8-flash', body));
        ok(!plain.message.includes('Standard key'), plain.message);
      }
    },
  },
  {
    name: 'a key in a header counts, another refusal and Vertex AI do not',
    async run({ GeminiClient }) {
      const hintOf = async (options, code = 401, message = unauthenticated) => {
        const client = new GeminiClient({
          fetch: answer(code, 'X', message),
          retry: false,
          ...options,
        });
        const error = await errorOf(() => client.generate('gemini-3.8-flash', body));
        return error.message.includes('Standard key');
      };
      equal(await hintOf({ headers: { 'x-goog-api-key': standardKey } }), true);
      equal(await hintOf({ apiKey: standardKey, vertexai: true }), false);
      const noPermission = 'Generative Language API has not been used in project 1 before.';
      equal(await hintOf({ apiKey: standardKey }, 403, noPermission), false);
      equal(await hintOf({ apiKey: standardKey }, 429, 'API key not valid'), false);
    },
  },
  {
    name: 'the emulator answers 404 with the same knowledge',
    async run({ GeminiClient, createEmulator }) {
      const fetch = createEmulator({ apiKey: otherKey });
      const client = new GeminiClient({ apiKey: otherKey, fetch });
      for (const [model, code, hint] of [
        ['gemini-2.0-flash', 'model.retired', /was shut down on 2026-06-01/],
        ['gemini-3.8-live', 'model.other_api', /served by the Live API/],
        ['gemini-omni-1.1-flash', 'model.other_api', /served by the Interactions API/],
      ]) {
        const error = await errorOf(() => client.generate(model, body));
        equal(error.status, 404, model);
        match(error.message, hint);
        const [{ fieldViolations }] = error.details;
        ok(fieldViolations[0].description.startsWith(`${code}: `), fieldViolations[0].description);
      }
    },
  },
  {
    name: 'the gateway adds it to a 404, in both forms of an error',
    async run(strata) {
      const model = 'gemini-3.8-falsh';
      const gateway = gatewayOf(strata, answer(404, 'NOT_FOUND', notFound(model)));
      const google = await gateway.handle(
        sent(`/v1beta/models/${model}:generateContent`, otherKey, { contents }),
      );
      equal(google.status, 404);
      const { error } = await google.json();
      equal(error.message, notFound(model));
      deepEqual(
        error.details[0].fieldViolations.map(({ description }) => description),
        [`model.misspelled: No model is called ${model}. Did you mean gemini-3.8-flash?`],
      );
      const messages = [{ role: 'user', content: 'Hello' }];
      const openAi = await gateway.handle(
        sent('/v1/chat/completions', otherKey, { model, messages }),
      );
      equal(openAi.status, 404);
      match((await openAi.json()).error.message, /Did you mean gemini-3\.8-flash\?$/);
    },
  },
  {
    name: 'the gateway says that a Standard key stopped, in both forms of an error',
    async run(strata) {
      const gateway = gatewayOf(strata, answer(401, 'UNAUTHENTICATED', unauthenticated));
      const path = '/v1beta/models/gemini-3.8-flash:generateContent';
      const textOf = async (request) => (await gateway.handle(request)).text();
      match(await textOf(sent(path, standardKey, { contents })), /google\.rpc\.Help.*AIza…/s);
      ok(!(await textOf(sent(path, otherKey, { contents }))).includes('AIza'));
      const messages = [{ role: 'user', content: 'Hello' }];
      const chat = { model: 'gemini-3.8-flash', messages };
      const { error } = JSON.parse(await textOf(sent('/v1/chat/completions', standardKey, chat)));
      match(error.message, /Expected OAuth 2 access token.*Standard key \(AIza…\)/s);
      ok(!JSON.stringify(error).includes(standardKey));
    },
  },
];
