// One instance of the core: what ends it (a WebAssembly trap), what does not (anything that a host function or
// bad input does), and that its end is nobody else's.
import { deepEqual, equal, match, ok, throws } from './assert.mjs';
import { loadWithMemory } from './memory.mjs';

const model = 'gemini-3.8-flash';
const now = '2026-11-21T10:00:00Z';
const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
const hello = { role: 'user', parts: [{ text: 'hi' }] };
const poisoned = { name: 'StrataError', code: 'instance.poisoned' };

/** Every pointer in the memory now leads outside of it: the next call traps. */
const ruin = (memory) => new Uint8Array(memory.buffer).fill(0xff);

const wholeUse = (strata) => {
  const thread = strata.thread({ model });
  thread.append(hello);
  const { body, ok: fine } = thread.assemble({ now });
  equal(fine, true);
  return strata.lint(body, { model }).ok;
};

const traps = [
  {
    name: 'a trap ends its instance and all handles of it; another instance works on',
    async run(pkg) {
      const { strata, memory } = await loadWithMemory(pkg.load);
      const other = await pkg.load();
      const thread = strata.thread({ model });
      thread.append(hello);
      const [template, response] = [strata.template('{{ x }}'), strata.response()];
      const kept = other.thread({ model });
      kept.append(hello);

      ruin(memory);
      const error = throws(() => thread.append({ ...hello, role: 'model' }), poisoned);
      ok(error.cause instanceof WebAssembly.RuntimeError, `the cause is ${error.cause}`);
      match(error.message, /Call load\(\) to create another/);

      const uses = {
        lint: () => strata.lint({ contents: [hello] }, { model }),
        thread: () => strata.thread({ model }),
        template: () => strata.template('x'),
        response: () => strata.response(),
        estimateTokens: () => strata.estimateTokens('x'),
        append: () => thread.append(hello),
        length: () => thread.length,
        content: () => thread.content(0),
        fork: () => thread.fork(1),
        assemble: () => thread.assemble({ now }),
        save: () => thread.save(),
        render: () => template.render({ x: 1 }),
        push: () => response.push(new Uint8Array(1)),
        finish: () => response.finish(),
      };
      for (const [name, use] of Object.entries(uses)) throws(use, poisoned, name);
      for (const handle of [thread, template, response]) handle[dispose]();

      equal(kept.assemble({ now }).ok, true);
      equal(wholeUse(other), true);
      equal(wholeUse(await pkg.load()), true);
    },
  },
  {
    name: 'instances share nothing: rows added to one are not in another',
    async run(pkg) {
      const plain = await pkg.load();
      const strict = await pkg.load({ rules: [{ code: 'text.empty', severity: 'error' }] });
      const empty = { contents: [{ role: 'user', parts: [{ text: '' }] }] };
      equal(strict.lint(empty, { model }).ok, false);
      equal(plain.lint(empty, { model }).ok, true);
    },
  },
  {
    name: 'a template belongs to the instance that compiled it',
    async run(pkg) {
      const [one, two] = [await pkg.load(), await pkg.load()];
      const thread = two.thread({ model });
      const template = one.template('x');
      const input = { now, static: { template }, trigger: 'hi' };
      throws(() => thread.assemble(input), { name: 'ReferenceError' });
      equal(thread.assemble({ ...input, static: { text: 'x' } }).ok, true);
    },
  },
];

const hosts = [
  {
    name: 'a host function gets values and gives values',
    async run(pkg) {
      const strata = await pkg.load();
      const seen = [];
      const template = strata.template('{{ pick(items, 1) }} {{ "a" | twice("!") }}', {
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
    name: 'what a host function throws is an error of the template, and the instance lives on',
    async run(pkg) {
      const strata = await pkg.load();
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
        const template = strata.template('line\n  {{ fail() }}', { functions });
        const error = throws(() => template.render({}), { name: 'TemplateError', line: 2 });
        if (reason instanceof Error) ok(error.message.includes(reason.message), error.message);
        equal(wholeUse(strata), true);
      }
    },
  },
  {
    name: 'what a host function returns and JSON has no word for is an error or null, not the end',
    async run(pkg) {
      const strata = await pkg.load();
      const circular = {};
      circular.self = circular;
      for (const [result, fine] of [
        [undefined, true],
        [NaN, true],
        [Symbol('x'), true],
        [circular, false],
        [10n, false],
      ]) {
        const template = strata.template('[{{ odd() }}]', { functions: { odd: () => result } });
        if (fine) equal(template.render({}), '[None]', String(result));
        else throws(() => template.render({}), { name: 'TemplateError' }, String(result));
      }
      equal(wholeUse(strata), true);
    },
  },
  {
    name: 'a host function that calls its own instance gets instance.busy; another instance may be called',
    async run(pkg) {
      const strata = await pkg.load();
      const other = await pkg.load();
      const thread = strata.thread({ model });
      const errors = [];
      const attempts = [
        () => strata.lint({}, { model }),
        () => thread.length,
        () => thread.append(hello),
        () => template.render({}),
        () => strata.template('x'),
      ];
      const functions = {
        reenter: () => {
          for (const attempt of attempts) errors.push(throws(attempt).code);
          return other.lint({ contents: [hello] }, { model }).ok;
        },
      };
      const template = strata.template('{{ reenter() }}', { functions });
      equal(template.render({}), 'True');
      deepEqual(errors, Array(attempts.length).fill('instance.busy'));
      equal(wholeUse(strata), true);
      equal(thread.length, 0);
    },
  },
  {
    name: 'a handle is not freed while a host function runs: the call may still need it',
    async run(pkg) {
      const strata = await pkg.load();
      const codes = [];
      const functions = {
        free: () => {
          codes.push(throws(() => template[dispose]()).code);
          return 'kept';
        },
      };
      const template = strata.template('{{ free() }}', { functions });
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
    name: 'handles that are disposed give their memory back',
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
        const template = strata.template(text);
        for (const handle of [thread, response, template]) handle[dispose]();
        throws(() => strata.template(`${text}{% if`), { name: 'TemplateError' });
        throws(() => strata.thread({ model, from: `[${JSON.stringify(hello)},5` }));
      };
      for (let i = 0; i < 10; i++) use();
      const before = held.buffer.byteLength;
      for (let i = 0; i < 60; i++) use();
      equal(held.buffer.byteLength, before);
    },
  },
];

export default [...traps, ...hosts, ...memory];
