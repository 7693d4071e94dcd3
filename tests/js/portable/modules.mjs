// Each entry has one module and one class: what it lacks is absent, and errors name the entry that has it.
import { deepEqual, equal, match, ok, rejects, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = '2026-11-21T10:00:00Z';
const bytes = (text) => new TextEncoder().encode(text);
const text = (utf8) => new TextDecoder().decode(utf8);
const user = (words) => ({ role: 'user', parts: [{ text: words }] });
const answer = (words) => ({ role: 'model', parts: [{ text: words }] });
const history = [user('a'), answer('b'), user('c')];
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'a' },
];

const methodsOf = (object) =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(object))
    .filter((name) => name !== 'constructor')
    .sort();

const says = (words) =>
  `data: ${JSON.stringify({ candidates: [{ content: answer(words), finishReason: 'STOP' }] })}\r\n\r\n`;

export default [
  {
    name: 'no class offers the methods of another entry',
    async run({ load, check: { loadChecker }, templates: { loadTemplates } }) {
      const common = ['estimateTokens', 'modelLimits', 'response', 'schema'];
      deepEqual(methodsOf(await load()), [...common, 'calibrate', 'planCache', 'thread'].sort());
      deepEqual(methodsOf(await loadTemplates()), [
        ...['compile', 'defaultTemplate', 'diffManifests', 'fingerprint'],
        ...['promptArguments', 'splitPrompt', 'template'],
      ]);
      const gateway = ['answerSignatures', 'openAiAnswer', 'openAiRequest', 'request'];
      const own = ['convert', 'import', 'lint', 'locate', 'repair', 'timeline'];
      deepEqual(methodsOf(await loadChecker()), [...common, ...own, ...gateway].sort());
    },
  },
  {
    name: 'what two modules have in common is the same in both',
    async run({ load, check: { loadChecker } }) {
      const [strata, checker] = [await load(), await loadChecker()];
      const results = [strata, checker].map((core) => {
        const response = core.response();
        const events = response.push(bytes(says('x')));
        return {
          events,
          answer: text(response.finish().content),
          limits: core.modelLimits(model),
          tokens: core.estimateTokens(history, { model }),
          schema: core.schema({ const: 'on' }, { model }),
          version: core.version,
        };
      });
      deepEqual(results[0], results[1]);
    },
  },
  {
    name: 'assemble takes templates, and names the entry that compiles them',
    async run({ load, templates: { loadTemplates } }) {
      const thread = (await load()).thread({ model, from: history });
      const invalid = { name: 'StrataError', code: 'field.invalid' };
      for (const layer of [{ template: 'Hello' }, { variables: {} }, {}]) {
        for (const name of ['static', 'dynamic']) {
          const error = throws(() => thread.assemble({ now, [name]: layer }), invalid);
          match(error.message, /^\/(static|dynamic).*loadTemplates.*'prompt-strata\/templates'/);
        }
      }
      const templates = await loadTemplates();
      const template = templates.template('Hello {{ name }}');
      const { body, manifest } = thread.assemble({
        now,
        static: { template, variables: { name: 'Ada' } },
      });
      equal(JSON.parse(text(body)).systemInstruction.parts[0].text, 'Hello Ada');
      ok(manifest.layers.some(({ layer }) => layer === 'static'));
    },
  },
  {
    name: 'a thread reads Contents and saved threads; another history names `Checker.import`',
    async run({ load, check: { loadChecker } }) {
      const [strata, checker] = [await load(), await loadChecker()];
      throws(() => strata.thread({ model, from: messages }), {
        name: 'HistoryError',
        code: 'field.invalid',
        message: /Checker\.import/,
      });
      for (const option of ['signatures', 'signaturesFrom'])
        throws(() => strata.thread({ model, [option]: 'keep' }), { code: 'field.unknown' });
      const imported = checker.import(messages);
      equal(imported.systemText, 'Be brief.');
      deepEqual(imported.contents, [user('a')]);
      equal(text(imported.contentsJson), JSON.stringify([user('a')]));
      equal(strata.thread({ model, from: imported.saved }).length, 1);
    },
  },
  {
    name: 'connect imports the history of another client by itself',
    async run({ connect, GeminiClient }) {
      const bodies = [];
      const fetch = async (url, init) => {
        bodies.push(JSON.parse(text(new Uint8Array(init.body))));
        return new Response(says('b'));
      };
      const client = new GeminiClient({ fetch, retry: false });
      const chat = await connect({ client, model, history: messages });
      const { warnings } = await chat.ask('c');
      equal(bodies[0].systemInstruction.parts[0].text, 'Be brief.');
      deepEqual(bodies[0].contents.map(({ parts }) => parts[0].text).slice(-1), ['c']);
      ok(Array.isArray(warnings));
      await rejects(connect({ client, model, history: 5 }), { code: 'json.invalid' });
    },
  },
  {
    name: 'connect compiles templates before it returns',
    async run({ connect, GeminiClient }) {
      const client = new GeminiClient({ fetch: async () => new Response(says('b')) });
      const failing = connect({ client, model, static: { template: '{% if' } });
      await rejects(failing, { name: 'TemplateError', code: 'template.syntax' });
      const misspelled = connect({ client, model, static: { variables: { session_gaol: 'x' } } });
      await rejects(misspelled, { name: 'StrataError', code: 'field.unknown' });
      const chat = await connect({ client, model, static: { variables: { session_goal: 'x' } } });
      equal((await chat.ask('a')).text, 'b');
    },
  },
  {
    name: 'the entries throw the same classes of errors',
    async run({ StrataError, HistoryError, TemplateError, check, templates }) {
      equal(check.StrataError, StrataError);
      equal(templates.TemplateError, TemplateError);
      const checker = await check.loadChecker();
      ok(throws(() => checker.import('[')) instanceof HistoryError);
    },
  },
];
