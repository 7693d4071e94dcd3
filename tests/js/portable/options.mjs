// Options: a misspelled name or a value of the wrong type throws an error that names it, instead of silently using
// the default. `undefined` means unset.
import { deepEqual, equal, ok, rejects, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const says = (role, text) => ({ role, parts: [{ text }] });
const hello = { contents: [says('user', 'hi')] };

const unknown = 'field.unknown';
const invalid = 'field.invalid';

/** Checks rows of: the call, the code of its error, the path in the error. */
function check(rows) {
  for (const [call, code, path] of rows) {
    const error = throws(call, { name: 'StrataError', code }, `${call}`);
    equal(error.diagnostics[0].path, path, `${call}`);
    equal(error.diagnostics[0].code, code);
    equal(error.diagnostics[0].upstream, undefined, 'options are never sent to Google');
    ok(error.message.includes(path || 'The options'), error.message);
  }
}

const refusedUrls = [
  ...['localhost:8080', 'http//localhost', 'ftp://localhost', 'gemini', 'https://', 'https:///x'],
  ...['https://user:secret@localhost', 'http://localhost/?key=secret', 'http://localhost#x', ' /x'],
];
const takenUrls = [
  ...['http://localhost:8080', 'https://[::1]:1/a@b/', 'HTTPS://example.com', '', '/gemini'],
  ...['./gemini', '../x', '//example.com/x'],
];

const checks = [
  {
    name: 'lint and repair reject unknown names and values in their options, also nested ones',
    async run(pkg) {
      const checker = await pkg.check.loadChecker();
      for (const judge of ['lint', 'repair']) {
        const judged = (more) => () => checker[judge](hello, { model, ...more });
        check([
          [judged({ signaturesFrom: { backend: 'Vertex' } }), invalid, '/signaturesFrom/backend'],
          [judged({ signaturesFrom: { backend: 'aistudio' } }), invalid, '/signaturesFrom/backend'],
          [judged({ signaturesFrom: { bakend: 'vertex' } }), unknown, '/signaturesFrom/bakend'],
          [judged({ signaturesFrom: { model: 5 } }), invalid, '/signaturesFrom/model'],
          [judged({ signaturesFrom: 'vertex' }), invalid, '/signaturesFrom'],
          [judged({ cache: 5 }), invalid, '/cache'],
          [judged({ cache: { modle: model } }), unknown, '/cache/modle'],
          [judged({ cache: {} }), invalid, '/cache/model'],
          [judged({ cache: { model, tokens: '9' } }), invalid, '/cache/tokens'],
          [judged({ dummySignatures: 'yes' }), invalid, '/dummySignatures'],
        ]);
        equal(judged({ signaturesFrom: undefined, cache: undefined })().ok, true);
        equal(judged({ cache: { model, tokens: undefined }, signaturesFrom: {} })().ok, true);
      }
    },
  },
  {
    name: 'repair removes no signature because of a misspelled option',
    async run(pkg) {
      const checker = await pkg.check.loadChecker();
      const signed = { role: 'model', parts: [{ text: 'a', thoughtSignature: 'c2lnbmVk' }] };
      const body = { contents: [says('user', 'a'), signed, says('user', 'b')] };
      const from = (backend) => () => checker.repair(body, { model, signaturesFrom: { backend } });
      throws(from('Gemini'), { code: invalid });
      deepEqual(from('gemini')().diagnostics, []);
      const [{ code, repaired }] = from('vertex')().diagnostics;
      deepEqual([code, repaired], ['signature.foreign', true]);
    },
  },
  {
    name: 'lint, repair, and thread require a model and accept an unknown one',
    async run(pkg) {
      const strata = await pkg.load();
      const checker = await pkg.check.loadChecker();
      for (const options of [{}, { model: '' }, { model: 5 }, { model: undefined }]) {
        check([
          [() => checker.lint(hello, options), invalid, '/model'],
          [() => checker.repair(hello, options), invalid, '/model'],
          [() => strata.thread(options), invalid, '/model'],
        ]);
      }
      check([
        [() => checker.lint(hello), invalid, ''],
        [() => strata.thread(), invalid, ''],
      ]);
      equal(checker.lint(hello, { model: 'gpt-4' }).ok, true);
    },
  },
];

const handles = [
  {
    name: 'threads reject unknown names and invalid values',
    async run(pkg) {
      const strata = await pkg.load();
      const thread = strata.thread({ model });
      const appended = (meta) => () => thread.append(says('user', 'hi'), meta);
      const opened = (more) => () => strata.thread({ model, ...more });
      const checker = await pkg.check.loadChecker();
      const imported = (more) => () => checker.import([], more);
      check([
        [opened({ format: 'gimini' }), invalid, '/format'],
        [opened({ signatures: 'drop' }), unknown, '/signatures'],
        [imported({ signaturesFrom: { backend: 'google' } }), invalid, '/signaturesFrom/backend'],
        [imported({ signatures: 'drop' }), invalid, '/signatures'],
        [imported({ format: 'gimini' }), invalid, '/format'],
        [appended(5), invalid, '/meta'],
        [appended('x'), invalid, '/meta'],
        [appended(null), invalid, '/meta'],
        [appended({ token: 5 }), unknown, '/meta/token'],
        [appended({ tokens: -5 }), invalid, '/meta/tokens'],
        [appended({ backend: 'google' }), invalid, '/meta/backend'],
        [appended({ manifest: 'x' }), invalid, '/meta/manifest'],
        [() => thread.maskOutputs({ zz: 1 }), unknown, '/zz'],
        [() => thread.shortenOutputs({ prefix: 5 }), invalid, '/prefix'],
        [() => thread.historyBudget({ contextTokens: 9 }), invalid, '/reserve'],
        [() => thread.rewrite(), invalid, ''],
        [() => thread.rewrite([{ from: 0 }]), invalid, '/0/to'],
        [() => thread.assemble({ now: 'today' }), invalid, '/now'],
      ]);
      check([
        [() => thread.assemble({ now: 1n }), invalid, '/now'],
        [opened({ format: 1n }), invalid, '/format'],
        [opened({ format: () => 'gemini' }), invalid, '/format'],
        [opened({ backend: Symbol('gemini') }), invalid, '/backend'],
      ]);
      const unwritable = { name: 'StrataError', code: 'json.invalid', message: /Map/ };
      throws(opened({ format: new Map() }), unwritable);
      equal(thread.length, 0);
      thread.append(says('user', 'hi'), { at: undefined, tokens: 5 });
      equal(thread.tokens, 5);
    },
  },
  {
    name: 'methods with numbers and names reject invalid ones',
    async run(pkg) {
      const strata = await pkg.load();
      const templates = await pkg.templates.loadTemplates();
      const thread = strata.thread({ model });
      const asked = { model, now: 0, promptTokens: 9, cacheableTokens: 9 };
      const planned = (more) => () => strata.planCache({ ...asked, ...more });
      check([
        [planned({ promptTokens: '9' }), invalid, '/promptTokens'],
        [planned({ minimumToken: 9 }), unknown, '/minimumToken'],
        [() => strata.planCache(), invalid, ''],
        [() => strata.modelLimits(''), invalid, '/model'],
        [() => strata.estimateTokens('a', { modle: model }), unknown, '/modle'],
        [() => strata.calibrate('a'), invalid, '/tokens'],
        [() => templates.splitPrompt(), invalid, '/full'],
        [() => templates.template(), invalid, '/source'],
        [() => thread.compressionCut('half'), invalid, '/fraction'],
      ]);
      equal(planned({ last: undefined, minimumTokens: undefined })().decision, 'below_minimum');
    },
  },
  {
    name: 'templates reject unknown names and invalid values',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      const made = (options) => () => templates.template('{{ x }}', options);
      check([
        [made({ undefine: 'strict' }), unknown, '/undefine'],
        [made({ undefined: 'nope' }), invalid, '/undefined'],
        [made({ dialect: 'jinja' }), invalid, '/dialect'],
        [made({ trimBlocks: 1 }), invalid, '/trimBlocks'],
        [made({ limits: { output: -1 } }), invalid, '/limits/output'],
        [made({ limits: { ouput: 1 } }), unknown, '/limits/ouput'],
        [made({ filters: { up: 'upper' } }), invalid, '/filters/up'],
        [made({ templates: { 'a/b': 5 } }), invalid, '/templates/a~1b'],
        [() => templates.template('x').render({}, { noww: '' }), unknown, '/noww'],
      ]);
      equal(made({ undefined: undefined, limits: { fuel: undefined } })().render({ x: 1 }), '1');
    },
  },
  {
    name: 'compile and promptArguments reject unknown names and invalid values',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      const compiled = (section) => () =>
        templates.compile({ sections: [{ id: 'a', ...section }] });
      const checkError = (work, code, path) => {
        const error = throws(work, { name: 'StrataError', code }, `${work}`);
        const [{ path: place, upstream, fix }] = error.diagnostics;
        deepEqual([place, upstream, fix], [path, undefined, undefined]);
      };
      checkError(compiled({ txt: 'b' }), unknown, '/sections/0/txt');
      checkError(compiled({ dialect: 'foo' }), invalid, '/sections/0/dialect');
      checkError(() => templates.promptArguments({ now: 'today' }), invalid, '/now');
      equal(compiled({ text: 'b' })().stable, '## a\nb');
    },
  },
];

const loading = [
  {
    name: 'load rejects unknown names and invalid values',
    async run(pkg) {
      const rows = [
        [{ modles: [] }, unknown, '/modles'],
        [{ models: 'x' }, invalid, '/models'],
        [{ models: [5] }, invalid, '/models/0'],
        [{ models: [{}] }, invalid, '/models/0/id'],
        [{ rules: 5 }, invalid, '/rules'],
        [{ rules: [{ code: 'no.such' }] }, invalid, '/rules/0/code'],
      ];
      for (const [options, code, path] of rows) {
        const error = await rejects(pkg.load(options), { name: 'StrataError', code });
        equal(error.diagnostics[0].path, path);
        ok(!/JSON|byte/.test(error.message), error.message);
      }
      const checker = await pkg.check.loadChecker({ models: undefined, rules: [] });
      equal(checker.lint(hello, { model }).ok, true);
    },
  },
  {
    name: 'GeminiClient rejects unknown names and invalid values',
    async run({ GeminiClient }) {
      const made = (options) => () => new GeminiClient(options);
      check([
        [made({ apikey: 'secret' }), unknown, '/apikey'],
        [made({ apiKey: 5 }), invalid, '/apiKey'],
        [made({ baseUrl: 5 }), invalid, '/baseUrl'],
        ...refusedUrls.map((baseUrl) => [made({ baseUrl }), invalid, '/baseUrl']),
        [made({ fetch: 'x' }), invalid, '/fetch'],
        [made({ retry: { attempt: 1 } }), unknown, '/retry/attempt'],
        [made({ timeoutMs: -1 }), invalid, '/timeoutMs'],
      ]);
      for (const options of [undefined, {}, { apiKey: undefined, timeoutMs: Infinity }]) {
        made(options)();
      }
      for (const baseUrl of takenUrls) equal(made({ baseUrl })().baseUrl, baseUrl);
    },
  },
  {
    name: 'rejects a fetch that returns no Response, and a call without required arguments',
    async run(pkg) {
      const { GeminiClient } = pkg;
      for (const answer of [undefined, null, 'ok', {}, { status: 200, headers: {} }]) {
        const client = new GeminiClient({ fetch: async () => answer });
        const error = await rejects(client.generate(model, new Uint8Array(0)), { code: invalid });
        equal(error.diagnostics[0].path, '/fetch');
      }
      const client = new GeminiClient({ fetch: async () => new Response('{}') });
      for (const body of [undefined, null, {}, { contents: [] }]) {
        const error = await rejects(client.stream(model, body), { code: invalid });
        equal(error.diagnostics[0].path, '/body');
      }
      await rejects(() => client.generate(), { name: 'StrataError', code: 'name.invalid' });
      await rejects(() => client.countTokens(model), { code: 'json.invalid' });
      const strata = await pkg.load();
      const prepared = pkg.prepareRequest(strata.thread({ model }));
      await rejects(prepared, { name: 'StrataError', code: invalid });
    },
  },
  {
    name: 'diffManifests accepts only manifests',
    async run({ templates: { loadTemplates } }) {
      const templates = await loadTemplates();
      for (const other of [null, undefined, 5]) {
        throws(() => templates.diffManifests(other, {}), {
          name: 'StrataError',
          code: 'manifest.version',
        });
      }
    },
  },
  {
    name: 'names the kind of handle that was disposed',
    async run(pkg) {
      const strata = await pkg.load();
      const templates = await pkg.templates.loadTemplates();
      const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
      const handles = {
        thread: strata.thread({ model }),
        template: templates.template('x'),
        response: strata.response(),
      };
      for (const handle of Object.values(handles)) handle[dispose]();
      throws(() => handles.thread.length, { message: 'This thread was disposed' });
      throws(() => handles.template.render({}), { message: 'This template was disposed' });
      throws(() => handles.response.finish(), { message: 'This response was disposed' });
    },
  },
];

const conversations = [
  {
    name: 'numbers that JSON lacks are refused instead of sent as null',
    async run(pkg) {
      const bodies = [];
      const client = new pkg.GeminiClient({ fetch: async (_, { body }) => bodies.push(body) });
      for (const temperature of [NaN, Infinity, -Infinity]) {
        const options = { model, generationConfig: { temperature } };
        const strata = await pkg.load();
        const message = new RegExp(
          `/generationConfig.*${temperature} \\(property "temperature"\\)`,
        );
        const expected = { code: 'json.invalid', message };
        throws(() => new pkg.Conversation(strata, client, options), expected);
      }
      equal(bodies.length, 0);
    },
  },
  {
    name: 'Conversation rejects unknown names and invalid values',
    async run(pkg) {
      const strata = await pkg.load();
      const client = new pkg.GeminiClient({ fetch: pkg.createEmulator() });
      const made = (more) => () => new pkg.Conversation(strata, client, { model, ...more });
      const store = new pkg.MemoryStore();
      check([
        [made({ model: undefined }), invalid, '/model'],
        [made({ tool: [] }), unknown, '/tool'],
        [made({ tools: {} }), invalid, '/tools'],
        [made({ tools: [null] }), invalid, '/tools/0'],
        [made({ concurrent: 'qeue' }), invalid, '/concurrent'],
        [made({ toolTimeoutMs: 'x' }), invalid, '/toolTimeoutMs'],
        [made({ masking: { protects: 1 } }), unknown, '/masking/protects'],
        [made({ compression: { form: 'short' } }), invalid, '/compression/form'],
        [made({ caching: 5 }), invalid, '/caching'],
        [made({ contextGuard: { exact: 1 } }), invalid, '/contextGuard/exact'],
        [made({ answerRetry: { attempt: 1 } }), unknown, '/answerRetry/attempt'],
        [made({ loopDetection: { call: 1 } }), unknown, '/loopDetection/call'],
        [made({ loopDetection: { onText: 'stop' } }), invalid, '/loopDetection/onText'],
        [made({ continue: { maxTurns: '3' } }), invalid, '/continue/maxTurns'],
        [made({ store }), invalid, '/store'],
        [made({ store: false }), invalid, '/store'],
        [made({ id: 'a' }), invalid, '/id'],
        [made({ thread: {} }), invalid, '/thread'],
        [made({ thread: strata.thread({ model: 'gemini-2.5-flash' }) }), invalid, '/thread'],
        [made({ thread: strata.thread({ model, backend: 'vertex' }) }), invalid, '/thread'],
        [made({ caching: { registry: {} } }), invalid, '/caching/registry'],
        [() => new pkg.Conversation(strata, {}, { model }), invalid, '/client'],
        [() => new pkg.Conversation(strata, made({})(), { model }), invalid, '/client'],
        [() => new pkg.Conversation(strata, undefined, { model }), invalid, '/client'],
      ]);
      ok(throws(made({ store })).message.includes('Conversation.open'));
      ok(throws(made({ store: false })).message.includes('storeRequests'));
      const valid = { tools: undefined, continue: false, caching: true, answerRetry: false };
      equal(made({ ...valid, toolTimeoutMs: Infinity, loopDetection: {} })().thread.length, 0);
      equal(made({ thread: strata.thread({ model: `models/${model}` }) })().thread.length, 0);
    },
  },
  {
    name: 'Conversation.open requires a store and an id',
    async run(pkg) {
      const strata = await pkg.load();
      const client = new pkg.GeminiClient({ fetch: pkg.createEmulator() });
      const store = new pkg.MemoryStore();
      const open = (more) => pkg.Conversation.open(strata, client, { model, ...more });
      const rows = [
        [{ store }, '/id'],
        [{ store, id: '' }, '/id'],
        [{ store, id: 5 }, '/id'],
        [{ id: 'a' }, '/store'],
        [{ id: 'a', store: {} }, '/store'],
      ];
      for (const [options, path] of rows) {
        const error = await rejects(open(options), { name: 'StrataError', code: invalid });
        equal(error.diagnostics[0].path, path);
      }
      await rejects(open({ store, id: 'a', tool: [] }), { code: unknown });
      equal((await open({ store, id: 'a' })).thread.length, 0);
    },
  },
  {
    name: 'rejects a tool source that returns no tools',
    async run(pkg) {
      const strata = await pkg.load();
      const client = new pkg.GeminiClient({ fetch: pkg.createEmulator() });
      for (const found of [undefined, {}, [null]]) {
        const tools = [{ discover: async () => found }];
        const chat = new pkg.Conversation(strata, client, { model, tools });
        const send = async () => {
          for await (const event of chat.send('Hi')) void event;
        };
        await rejects(send, { name: 'StrataError', code: invalid });
      }
    },
  },
];

export default [...checks, ...handles, ...loading, ...conversations];
