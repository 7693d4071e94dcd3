// What holds at which time: model rows, routes, prices and shutdowns, through every call that takes a time; and limits
// that come from the API.
import { deepEqual, equal, ok, rejects, throws } from './assert.mjs';

const hello = { role: 'user', parts: [{ text: 'hi' }] };
const body = { contents: [hello] };
const november = '2026-11-30T23:59:59Z';
const december = '2026-12-01T00:00:00Z';
const linesOf = ({ diagnostics }) => diagnostics.map(({ severity, code }) => `${severity} ${code}`);
const endsWithModel = [hello, { role: 'model', parts: [{ text: 'ho' }] }];

export default [
  {
    // The caching page, the Argon and Hydrogen guides, the changelog, the deprecations page.
    name: 'returns what is known about a model at a service and a time',
    async run({ load }) {
      const strata = await load();
      const at = (model, now, backend) =>
        strata.modelLimits(model, { ...(now && { now }), ...(backend && { backend }) });
      deepEqual(at('gemini-4-hydrogen'), {
        servedBy: 'gemini-4-hydrogen',
        retired: false,
        output: 'text',
        api: 'generateContent',
        contextTokens: 1048576,
        outputTokens: 65536,
        cacheMinimum: 0,
        explicitCache: false,
        implicitCacheMinimum: 4096,
        bufferTokens: 25000,
        thinkingLevels: ['LOW', 'MEDIUM', 'HIGH', 'XHIGH'],
        defaultThinkingLevel: 'HIGH',
        price: { input: 1.5, output: 7.5, cacheRead: 0.075, storagePerHour: 0 },
      });
      equal(at('gemini-4-argon').implicitCacheMinimum, 4096);
      equal(at('gemini-4-argon', undefined, 'vertex').implicitCacheMinimum, 6144);
      deepEqual(
        [november, december].map((now) => at('gemini-4-carbon', now).price.output),
        [10, 20],
      );
      deepEqual(
        [november, december].map((now) => at('models/gemini-2.5-pro', now).servedBy),
        ['gemini-2.5-pro', 'gemini-3.8-flash'],
      );
      equal(at('gemini-2.5-pro', december, 'vertex').servedBy, 'gemini-2.5-pro');
      equal(at('gemini-2.5-flash', november).cacheMinimum, 1024);
      equal(at('gemini-2.0-flash', '2026-05-31T00:00:00Z').retired, false);
      equal(at('gemini-2.0-flash', '2026-06-01T00:00:00Z').retired, true);
      equal(at('gemini-2.0-flash').retiredOn, '2026-06-01');
      equal('retiredOn' in at('gemini-2.0-flash', '2026-05-31T00:00:00Z'), false);
      equal(at('gemini-3.8-live').api, 'live');
      equal(at('gemini-embedding-001').api, 'embedContent');
      equal(at('models/gemini-3.8-falsh').didYouMean, 'gemini-3.8-flash');
      for (const name of ['gemini-3.8-flash', 'gemini-3.9-flash', 'gemini-4-xenon', 'my-model'])
        equal('didYouMean' in at(name), false, name);
      equal(at('gemini-4-neon').explicitCache, false);
      equal(at('gemini-2.5-flash-preview-tts').output, 'speech');
      equal('price' in at('gemini-4-lithium'), false);
      deepEqual(at('gemini-4-neon').price, {
        input: 3,
        output: 15,
        cacheRead: 0.15,
        storagePerHour: 0,
      });
      equal('defaultThinkingLevel' in at('gemini-2.5-flash-lite'), false);
      const wrong = { code: 'field.invalid' };
      for (const now of ['', 'now', '2026-12-01'])
        throws(() => at('gemini-4-neon', now || 'x'), wrong);
      throws(() => strata.modelLimits('m', { now: 5 }), wrong);
      throws(() => strata.modelLimits('m', { no: 5 }), { code: 'field.unknown' });
    },
  },
  {
    name: 'lints and repairs by the rules of the given time',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const bad = { contents: endsWithModel };
      const lint = (model, now, backend = 'gemini') =>
        linesOf(checker.lint(bad, { model, now, backend }));
      const before = ['warning turn.ends_with_model'];
      const after = ['info model.routed', 'error turn.ends_with_model'];
      deepEqual(lint('gemini-2.5-flash', november), before);
      deepEqual(lint('gemini-2.5-flash', december), after);
      deepEqual(lint('gemini-2.5-flash', december, 'vertex'), before);
      deepEqual(lint('gemini-3.5-flash', '2026-10-07T23:59:59Z'), before);
      deepEqual(lint('gemini-3.5-flash', '2026-10-08T00:00:00Z'), after);
      // Without a time the rows of the release date hold: the route of 3.5-flash is in effect, that of 2.5 is not.
      deepEqual(linesOf(checker.lint(bad, { model: 'gemini-3.5-flash' })), after);
      deepEqual(linesOf(checker.lint(bad, { model: 'gemini-2.5-flash' })), before);
      const [routed] = checker.lint(body, { model: 'gemini-2.5-pro', now: december }).diagnostics;
      ok(routed.message.includes('gemini-2.5-pro are served by gemini-3.8-flash'), routed.message);
      const twice = { contents: [hello, { role: 'model', parts: [{ text: 'a' }, {}] }, hello] };
      equal(checker.repair(twice, { model: 'gemini-2.5-flash', now: december }).ok, true);
      throws(() => checker.lint(body, { model: 'm', now: 'yesterday' }), {
        code: 'field.invalid',
        message: /^\/now must be an RFC 3339 timestamp/,
      });
    },
  },
  {
    name: 'gives a thread the last time that it was given',
    async run({ load }) {
      const strata = await load();
      const model = 'gemini-2.5-flash';
      const config = { thinkingConfig: { thinkingLevel: 'LOW' } };
      const assemble = (thread, now) =>
        linesOf(
          thread.assemble({
            now,
            generationConfig: config,
            static: { text: '' },
            dynamic: { text: '' },
          }),
        );
      const thread = strata.thread({ model, now: november });
      thread.append(hello);
      deepEqual(assemble(thread, november), ['error thinking.level_unsupported']);
      deepEqual(assemble(thread, december), ['info model.routed']);
      // The same fields are checked again when the time goes back.
      deepEqual(assemble(thread, november), ['error thinking.level_unsupported']);
      // An unsigned call is an error for the models that serve the name in December.
      const call = { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] };
      const tries = (options, at) => () =>
        strata.thread({ model, from: [hello], ...options }).append(call, { at });
      equal(tries({ now: november })().ok, true);
      throws(tries({ now: december }), { code: 'signature.missing' });
      throws(tries({ now: november }, december), { code: 'signature.missing' });
      equal(tries({ now: december }, november)().ok, true);
      const fork = strata.thread({ model, now: december, from: [hello] }).fork();
      throws(() => fork.append(call), { code: 'signature.missing' });
      throws(() => strata.thread({ model, now: 'soon' }), {
        code: 'field.invalid',
        message: /^\/now must be an RFC 3339 timestamp/,
      });
    },
  },
  {
    name: 'plans a cache with the prices and minimums of its time and service',
    async run({ load }) {
      const strata = await load();
      const request = {
        model: 'gemini-3.8-flash',
        now: 0,
        promptTokens: 21000,
        cacheableTokens: 20000,
      };
      const costAt = (at) => strata.planCache({ ...request, at }).extraCost;
      const ratio = costAt('2027-01-01T00:00:00Z') / costAt('2026-12-31T00:00:00Z');
      ok(Math.abs(ratio - 2) < 1e-9, ratio);
      equal(strata.planCache(request).extraCost, costAt('2026-11-22T00:00:00Z'));
      const minimum = (backend) =>
        strata.planCache({ ...request, model: 'gemini-2.5-flash', backend, at: november })
          .minimumTokens;
      deepEqual([minimum('gemini'), minimum('vertex')], [1024, 2048]);
      equal(
        strata.planCache({ ...request, model: 'gemini-2.5-flash', at: december }).minimumTokens,
        4096,
      );
      throws(() => strata.planCache({ ...request, at: 'x' }), {
        code: 'field.invalid',
        message: /^\/at must be an RFC 3339 timestamp/,
      });
    },
  },
  {
    name: 'estimates media as the model that serves a name at the time does',
    async run({ load }) {
      const strata = await load();
      const image = {
        role: 'user',
        parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
      };
      const estimate = (now) => strata.estimateTokens(image, { model: 'gemini-2.5-pro', now });
      deepEqual([estimate(november), estimate(december)], [258, 1120]);
    },
  },
  {
    name: 'gets and lists models, page by page',
    async run({ createEmulator, GeminiClient }) {
      const urls = [];
      const emulator = createEmulator();
      const fetch = (url, init) => {
        urls.push(String(url));
        return emulator(url, init);
      };
      const { models } = new GeminiClient({ fetch });
      const one = await models.get('gemini-3.8-flash');
      equal(one.name, 'models/gemini-3.8-flash');
      deepEqual([one.inputTokenLimit, one.outputTokenLimit], [1048576, 65536]);
      ok(one.supportedGenerationMethods.includes('createCachedContent'));
      const { supportedGenerationMethods } = await models.get('models/gemini-4-carbon');
      ok(!supportedGenerationMethods.includes('createCachedContent'));
      urls.length = 0;
      const names = [];
      for await (const { name } of models.list({ pageSize: 5 })) names.push(name);
      equal(new Set(names).size, names.length);
      ok(names.includes('models/gemini-4-hydrogen'), names.join());
      equal(urls.length, Math.ceil(names.length / 5));
      ok(urls[1].endsWith('/v1beta/models?pageSize=5&pageToken=5'), urls[1]);
      await rejects(models.get('gemini-2.0-flash'), { code: 'api.NOT_FOUND' });
      await rejects(models.get('..'), { code: 'name.invalid' });
      await rejects(models.get('gemini-\ud800'), { code: 'name.invalid' });
      const other = new GeminiClient({ fetch: async () => new Response('{}') });
      await rejects(other.models.get('m'), { code: 'answer.invalid' });
      for await (const model of other.models.list()) ok(false, model);
    },
  },
  {
    name: 'serves models by the emulator’s clock',
    async run({ createEmulator, GeminiClient }) {
      const at = (now) =>
        new GeminiClient({ fetch: createEmulator({ now: () => now }), retry: false });
      const { models } = at('2026-05-31T12:00:00Z');
      equal((await models.get('gemini-2.0-flash')).outputTokenLimit, 8192);
      await rejects(at('2026-06-01T00:00:00Z').models.get('gemini-2.0-flash'), {
        code: 'api.NOT_FOUND',
      });
      const bytes = new TextEncoder().encode(JSON.stringify({ contents: endsWithModel }));
      equal((await at(november).generate('gemini-2.5-flash', bytes)).status, 200);
      await rejects(at(december).generate('gemini-2.5-flash', bytes), {
        code: 'api.INVALID_ARGUMENT',
      });
    },
  },
  {
    name: 'judges the size of a thread by the limits of the API',
    async run({ load, createEmulator, GeminiClient, Conversation }) {
      const strata = await load();
      const model = 'gemini-3.8-flash';
      const now = december;
      const long = { role: 'user', parts: [{ text: 'word '.repeat(2000) }] };
      const input = { now, static: { text: '' }, dynamic: { text: '' } };
      const codes = (thread) => linesOf(thread.assemble(input));
      const limits = { name: 'models/x', inputTokenLimit: 1000, outputTokenLimit: 10, version: 1 };
      const thread = strata.thread({ model, now, limits, from: [long] });
      deepEqual(codes(thread), ['warning context.too_large']);
      deepEqual(codes(thread.fork()), ['warning context.too_large']);
      // A later time keeps them.
      deepEqual(linesOf(thread.assemble({ ...input, now: '2027-06-01T00:00:00Z' })), [
        'warning context.too_large',
      ]);
      deepEqual(codes(strata.thread({ model, now, from: [long] })), []);
      throws(() => strata.thread({ model, limits: { inputTokenLimit: -1 } }), {
        code: 'field.invalid',
        message: /^\/limits\/inputTokenLimit must be/,
      });
      const client = new GeminiClient({ fetch: createEmulator() });
      const chat = new Conversation(strata, client, { model, now: () => now, limits });
      await rejects(
        (async () => {
          for await (const event of chat.send('word '.repeat(2000))) ok(event);
        })(),
        { code: 'context.too_large' },
      );
      const known = await client.models.get(model);
      const fits = new Conversation(strata, client, { model, now: () => now, limits: known });
      for await (const event of fits.send('Hello')) ok(event);
      equal(fits.unanswered, false);
    },
  },
];
