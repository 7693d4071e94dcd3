// Tests what a deployment may configure: unknown options, wrong values, names, and the default.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../../scripts/setup/run.mjs';
import { loadParts, loadSource } from './worker-parts.mjs';

const { defineDeployment, requestedConfiguration, storedConfiguration } = await loadParts([
  'define-deployment',
]);
const { default: own } = await loadParts(['deployment']);

const tool = (name) => ({ name, run: () => null });
const with1 = (configuration, name = 'a') => ({
  configurations: { [name]: configuration },
  default: name,
});

test('takes the options of conversations, and those of the Worker', () => {
  for (const configuration of [
    {},
    { model: 'gemini-3.8-flash', systemInstruction: 'Be brief.' },
    { static: { text: 'x' }, dynamic: () => ({ text: 'y' }), tools: [tool('a'), tool('b')] },
    { tools: [{ googleSearch: {} }, { discover: () => [] }] },
    { callerTools: true, hideToolResults: true, expiresAfterMs: 1 },
    { masking: true, compression: {}, caching: true, contextGuard: false, plugins: [{}] },
    { maxToolRounds: 3, generationConfig: { temperature: 0 }, confirmTool: () => true },
  ]) {
    const deployment = with1(configuration);
    assert.equal(defineDeployment(deployment), deployment);
  }
});

for (const [what, deployment, code, place] of [
  ['nothing', undefined, 'field.invalid', 'The options'],
  ['an unknown field', { ...with1({}), callers: [] }, 'field.unknown', '/callers'],
  ['no configurations', { default: 'a' }, 'field.invalid', '/configurations'],
  ['a list', { configurations: [], default: 'a' }, 'field.invalid', '/configurations'],
  ['no configuration', { configurations: {}, default: 'a' }, 'field.invalid', '/default'],
  ['no default', { configurations: { a: {} } }, 'field.invalid', '/default'],
  ['another default', { ...with1({}), default: 'b' }, 'field.invalid', '/default'],
  ['an inherited default', { ...with1({}), default: 'toString' }, 'field.invalid', '/default'],
  ['a name with a space', with1({}, 'a b'), 'field.invalid', '/configurations/a b'],
  ['an empty name', with1({}, ''), 'field.invalid', '/configurations/'],
  ['a long name', with1({}, 'x'.repeat(65)), 'field.invalid', '/configurations/x'],
  ['a function', with1(() => ({})), 'field.invalid', '/configurations/a'],
  [
    'an unknown option',
    with1({ temperature: 1 }),
    'field.unknown',
    '/configurations/a/temperature',
  ],
  [
    'a misspelled option',
    with1({ callerTool: true }),
    'field.unknown',
    '/configurations/a/callerTool',
  ],
  ['a store', with1({ store: {} }), 'field.unknown', '/configurations/a/store'],
  ['an id', with1({ id: 'x' }), 'field.unknown', '/configurations/a/id'],
  ['a thread', with1({ thread: {} }), 'field.unknown', '/configurations/a/thread'],
  ['a queue', with1({ concurrent: 'queue' }), 'field.unknown', '/configurations/a/concurrent'],
  ['an empty model', with1({ model: '' }), 'field.invalid', '/configurations/a/model'],
  [
    'a text for true',
    with1({ callerTools: 'yes' }),
    'field.invalid',
    '/configurations/a/callerTools',
  ],
  ['a text for false', with1({ hideToolResults: '' }), 'field.invalid', '/configurations/a/hide'],
  ['no time', with1({ expiresAfterMs: 0 }), 'field.invalid', '/configurations/a/expiresAfterMs'],
  [
    'an endless time',
    with1({ expiresAfterMs: Infinity }),
    'field.invalid',
    '/configurations/a/exp',
  ],
  ['half a tool', with1({ tools: [{ name: 'a' }] }), 'field.invalid', '/configurations/a/tools/0'],
  ['two tools of one name', with1({ tools: [tool('a'), tool('a')] }), 'field.invalid', '/conf'],
  [
    'two instructions',
    with1({ static: { text: 'a' }, systemInstruction: 'b' }),
    'field.invalid',
    '/configurations/a/systemInstruction',
  ],
  ['a wrong plugin option', with1({ caching: 7 }), 'field.invalid', '/configurations/a/caching'],
]) {
  test(`refuses ${what}`, () => {
    assert.throws(
      () => defineDeployment(deployment),
      (error) => {
        assert.equal(error.code, code, error.message);
        assert.ok(error.message.startsWith(place), error.message);
        return true;
      },
    );
  });
}

test("the repository's own deployment has one configuration, and takes tools of callers", () => {
  const { name, configuration } = requestedConfiguration(own);
  assert.equal(name, 'assistant');
  assert.equal(requestedConfiguration(own, 'assistant').configuration, configuration);
  assert.equal(storedConfiguration(own, 'assistant'), configuration);
  assert.deepEqual(
    configuration.tools.map((each) => each.name),
    ['get_weather', 'get_time'],
  );
  assert.equal(configuration.callerTools, true);
});

test('names that the deployment does not have are refused, inherited ones too', () => {
  for (const name of ['other', '', 'toString', '__proto__', 'constructor']) {
    const refused = { status: 400, code: 'configuration.unknown' };
    assert.throws(() => requestedConfiguration(own, name), refused, name);
    const removed = { status: 409, code: 'configuration.removed' };
    assert.throws(() => storedConfiguration(own, name), removed, name);
  }
});

// The example imports a tool of its own.
const orders = {
  name: 'orders',
  setup(build) {
    build.onResolve({ filter: /^\.\/orders\.js$/ }, () => ({
      path: 'orders',
      namespace: 'orders',
    }));
    build.onLoad({ filter: /.*/, namespace: 'orders' }, () => ({
      contents: "export const searchOrders = { name: 'search_orders', run: () => null };",
    }));
  },
};

test('the deployment in docs/worker.md passes the checks', async () => {
  const text = readFileSync(join(root, 'docs/worker.md'), 'utf8');
  const [, code] = /^```ts web\/worker\/deployment\.ts\n([\s\S]*?)^```$/m.exec(text);
  const { default: deployment } = await loadSource(code, [orders]);
  assert.equal(deployment.default, 'support');
  assert.equal(deployment.configurations.support.hideToolResults, true);
});
