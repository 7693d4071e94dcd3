// The lifetime of an instance of the core: a WebAssembly trap ends it, host functions and bad input do not, and
// other instances are not affected.
import { deepEqual, equal, match, ok, throws } from './assert.mjs';
import { countIn, loadWithMemory, withCrossings } from './memory.mjs';

const model = 'gemini-3.8-flash';
const now = '2026-11-21T10:00:00Z';
const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
const hello = { role: 'user', parts: [{ text: 'hi' }] };
const poisoned = { name: 'StrataError', code: 'instance.poisoned' };

/** Overwrites the memory so that every pointer in it is invalid and the next call traps. */
const corrupt = (memory) => new Uint8Array(memory.buffer).fill(0xff);

const runAll = (strata) => {
  const thread = strata.thread({ model });
  thread.append(hello);
  return thread.assemble({ now }).ok;
};

const traps = [
  {
    name: 'ends an instance and all its handles on a trap; other instances keep working',
    async run(pkg) {
      const { strata, memory } = await loadWithMemory(pkg.load);
      const other = await pkg.load();
      const thread = strata.thread({ model });
      thread.append(hello);
      const response = strata.response();
      const otherThread = other.thread({ model });
      otherThread.append(hello);

      corrupt(memory);
      const error = throws(() => thread.append({ ...hello, role: 'model' }), poisoned);
      ok(error.cause instanceof WebAssembly.RuntimeError, `the cause is ${error.cause}`);
      match(error.message, /Call load\(\) to create another/);

      const uses = {
        thread: () => strata.thread({ model }),
        schema: () => strata.schema({ type: 'string' }, { model }),
        response: () => strata.response(),
        estimateTokens: () => strata.estimateTokens('x'),
        append: () => thread.append(hello),
        length: () => thread.length,
        content: () => thread.content(0),
        fork: () => thread.fork(1),
        assemble: () => thread.assemble({ now }),
        save: () => thread.save(),
        push: () => response.push(new Uint8Array(1)),
        finish: () => response.finish(),
      };
      for (const [name, use] of Object.entries(uses)) throws(use, poisoned, name);
      for (const handle of [thread, response]) handle[dispose]();

      equal(otherThread.assemble({ now }).ok, true);
      equal(runAll(other), true);
      equal(runAll(await pkg.load()), true);
    },
  },
  {
    name: 'does not share catalogue rows between instances',
    async run(pkg) {
      const plain = await pkg.check.loadChecker();
      const strict = await pkg.check.loadChecker({
        rules: [{ code: 'text.empty', severity: 'error' }],
      });
      const empty = { contents: [{ role: 'user', parts: [{ text: '' }] }] };
      equal(strict.lint(empty, { model }).ok, false);
      equal(plain.lint(empty, { model }).ok, true);
    },
  },
  {
    name: 'renders templates in their own instance, and keeps the thread usable when that has trapped',
    async run(pkg) {
      const { strata: templates, memory } = await loadWithMemory(pkg.templates.loadTemplates);
      const thread = (await pkg.load()).thread({ model });
      const template = templates.template('{{ x }}');
      const input = { now, static: { template, variables: { x: 1 } }, trigger: 'hi' };
      ok(decodeBytes(thread.assemble(input).body).includes('"text":"1"'));
      const disposed = templates.template('x');
      disposed[dispose]();
      throws(() => thread.assemble({ ...input, static: { template: disposed } }), {
        name: 'ReferenceError',
      });
      corrupt(memory);
      const changed = { ...input, static: { template, variables: { x: 2 } } };
      throws(() => thread.assemble(changed), poisoned);
      throws(() => thread.assemble(changed), poisoned);
      equal(thread.assemble({ ...input, static: { text: 'x' } }).ok, true);
    },
  },
];

const hosts = [
  {
    name: 'passes values to a host function and returns its value',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      const seen = [];
      const template = templates.template('{{ pick(items, 1) }} {{ "a" | twice("!") }}', {
        functions: {
          pick: (items, index) => {
            seen.push([items, index]);
            return items[index];
          },
        },
        filters: { twice: (value, mark) => value + value + mark },
      });
      equal(template.render({ items: ['x', '日本'] }), '日本 aa!');
      deepEqual(seen, [[['x', '日本'], 1]]);
    },
  },
  {
    name: 'reports what a host function throws as a TemplateError, and the instance stays usable',
    async run(pkg) {
      const strata = await pkg.load();
      const templates = await pkg.templates.loadTemplates();
      const thrown = [
        new Error('no such city'),
        'text',
        undefined,
        null,
        5,
        new RangeError('deep'),
        Object.create(null),
        Symbol('x'),
      ];
      for (const reason of thrown) {
        const functions = {
          fail: () => {
            throw reason;
          },
        };
        const template = templates.template('line\n  {{ fail() }}', { functions });
        const error = throws(() => template.render({}), { name: 'TemplateError', line: 2 });
        if (reason instanceof Error) ok(error.message.includes(reason.message), error.message);
        equal(runAll(strata), true);
      }
    },
  },
  {
    name: 'converts a host function result that is not JSON to null or a TemplateError',
    async run(pkg) {
      const strata = await pkg.load();
      const templates = await pkg.templates.loadTemplates();
      const circular = {};
      circular.self = circular;
      for (const [result, convertible] of [
        [undefined, true],
        [NaN, true],
        [Symbol('x'), true],
        [circular, false],
        [10n, false],
      ]) {
        const template = templates.template('[{{ odd() }}]', { functions: { odd: () => result } });
        if (convertible) equal(template.render({}), '[None]', String(result));
        else throws(() => template.render({}), { name: 'TemplateError' }, String(result));
      }
      equal(runAll(strata), true);
    },
  },
  {
    name: 'throws instance.busy when a host function calls its own instance, but not another one',
    async run(pkg) {
      const strata = await pkg.load();
      const templates = await pkg.templates.loadTemplates();
      const errors = [];
      const attempts = [
        () => templates.fingerprint('x'),
        () => template.render({}),
        () => templates.template('x'),
      ];
      const functions = {
        reenter: () => {
          for (const attempt of attempts) errors.push(throws(attempt).code);
          return runAll(strata);
        },
      };
      const template = templates.template('{{ reenter() }}', { functions });
      equal(template.render({}), 'True');
      deepEqual(errors, Array(attempts.length).fill('instance.busy'));
    },
  },
  {
    name: 'throws instance.busy when a template of a layer calls the instance of the thread',
    async run(pkg) {
      const strata = await pkg.load();
      const templates = await pkg.templates.loadTemplates();
      const thread = strata.thread({ model });
      const codes = [];
      const functions = { reenter: () => (codes.push(throws(() => thread.length).code), 'x') };
      const template = templates.template('{{ reenter() }}', { functions });
      const { body } = thread.assemble({ now, static: { template }, trigger: 'hi' });
      ok(decodeBytes(body).includes('"text":"x"'));
      deepEqual(codes, ['instance.busy']);
      equal(runAll(strata), true);
    },
  },
  {
    name: 'does not dispose a handle while a host function runs',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      const codes = [];
      const functions = {
        free: () => {
          codes.push(throws(() => template[dispose]()).code);
          return 'kept';
        },
      };
      const template = templates.template('{{ free() }}', { functions });
      equal(template.render({}), 'kept');
      equal(template.render({}), 'kept');
      deepEqual(codes, ['instance.busy', 'instance.busy']);
      template[dispose]();
      throws(() => template.render({}), { name: 'ReferenceError' });
    },
  },
];

const memory = [
  {
    name: 'frees the memory of disposed handles',
    async run(pkg) {
      const { strata, memory: held } = await loadWithMemory(pkg.load);
      const text = 'x'.repeat(200_000);
      const use = () => {
        const thread = strata.thread({ model });
        thread.append({ role: 'user', parts: [{ text }] });
        const response = strata.response();
        response.push(
          new TextEncoder().encode(`{"candidates":[{"content":{"parts":[{"text":"${text}"}]}}]}`),
        );
        for (const handle of [thread, response]) handle[dispose]();
        throws(() => strata.thread({ model, from: `[${JSON.stringify(hello)},5` }));
      };
      for (let i = 0; i < 10; i++) use();
      const before = held.buffer.byteLength;
      for (let i = 0; i < 60; i++) use();
      equal(held.buffer.byteLength, before);
    },
  },
  {
    name: 'frees the memory of disposed templates',
    async run(pkg) {
      const { strata: templates, memory: held } = await loadWithMemory(pkg.templates.loadTemplates);
      const text = 'x'.repeat(200_000);
      const use = () => {
        templates.template(text)[dispose]();
        throws(() => templates.template(`${text}{% if`), { name: 'TemplateError' });
      };
      for (let i = 0; i < 10; i++) use();
      const before = held.buffer.byteLength;
      for (let i = 0; i < 60; i++) use();
      equal(held.buffer.byteLength, before);
    },
  },
];

/** Returns how often `work` calls into the core: each reply is parsed once, and a manifest that is read once more. */
async function crossings(work) {
  const { parse } = JSON;
  let count = 0;
  JSON.parse = (...args) => {
    count++;
    return parse(...args);
  };
  try {
    await work();
    return count;
  } finally {
    JSON.parse = parse;
  }
}

const answer = { content: { role: 'model', parts: [{ text: 'Hello.' }] }, finishReason: 'STOP' };
const line = `data: ${JSON.stringify({ candidates: [answer] })}\r\n\r\n`;

/** A client whose answer has `reads` reads. The last one is long and ends in a member that no event has. */
function answering(pkg, reads, mark = '') {
  const lineOf = (part, end) =>
    `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [part] }, ...end }] })}\r\n\r\n`;
  const last = { text: 'x'.repeat(20_000), partMetadata: { mark } };
  const fetch = async () => {
    let left = reads;
    const pull = (out) => {
      const isLast = --left === 0;
      const text = isLast
        ? lineOf(last, { finishReason: 'STOP' })
        : lineOf({ text: `Read ${left}.` });
      out.enqueue(new TextEncoder().encode(text));
      if (isLast) out.close();
    };
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
  };
  return new pkg.GeminiClient({ fetch });
}

const calls = [
  {
    name: 'calls into the core five times to ask, and once for each read of the answer',
    run: (pkg) =>
      withCrossings(async (crossed) => {
        const strata = await pkg.load();
        for (const reads of [1, 2, 5]) {
          const client = answering(pkg, reads);
          const chat = new pkg.Conversation(strata, client, { model });
          // The buffer of the calls has grown then.
          for (let i = 0; i < 3; i++) await chat.ask('hi');
          crossed();
          await chat.ask('hi');
          // The question, the request, the end of the answer, its append, and its object, which is freed.
          equal(crossed(), 5 + reads);
        }
      }),
  },
  {
    name: 'holds an answer three times to ask: as it was read, as a Content, and as a turn',
    async run(pkg) {
      const mark = 'mark 0123456789abcdef 0123456789abcdef';
      for (const reads of [1, 2, 5]) {
        const { strata, memory } = await loadWithMemory(pkg.load);
        const chat = new pkg.Conversation(strata, answering(pkg, reads, mark), { model });
        await chat.ask('hi');
        equal(countIn(memory, mark), 3);
      }
    },
  },
  {
    name: 'calls into the core once for each append',
    async run(pkg) {
      const strata = await pkg.load();
      const thread = strata.thread({ model });
      equal(await crossings(() => thread.append(hello)), 1);
      const client = new pkg.GeminiClient({ fetch: async () => new Response(line) });
      const chat = new pkg.Conversation(strata, client, { model });
      const send = async () => {
        for await (const event of chat.send('hi')) void event;
      };
      await send();
      // The bytes of the answer before, whose event may be read later; two appends, one request with its manifest, and the
      // push and the end of the answer.
      equal(await crossings(send), 7);
      equal(chat.thread.length, 4);
    },
  },
];

const decodeBytes = (bytes) => new TextDecoder().decode(bytes);

export default [...traps, ...hosts, ...memory, ...calls];
