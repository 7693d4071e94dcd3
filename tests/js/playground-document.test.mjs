// The playground's document: what may change it, what is undone, which saved ones are read, and how sessions are saved.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, beforeEach, describe, mock } from 'node:test';
import { build } from 'esbuild';
import { root } from '../../scripts/setup/run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'strata-document-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const files = [
  'document/document-store',
  'document/playground-document',
  'document/read-document',
  'sessions/session-claim',
  'sessions/sessions',
  'sessions/session-storage',
  'settings/generation-config',
];
await build({
  stdin: {
    contents: files.map((file) => `export * from './${file}.js';`).join('\n'),
    resolveDir: join(root, 'web/playground'),
  },
  ...{ outfile: join(folder, 'parts.mjs'), bundle: true, format: 'esm', logLevel: 'silent' },
});
const {
  DocumentStore,
  MemorySessions,
  SessionClaim,
  Sessions,
  emptyDocument,
  fieldAt,
  readDocument,
  setField,
} = await import(join(folder, 'parts.mjs'));

const withText = (text) => (value) => ({ ...value, lint: { text } });

describe('the document', () => {
  let store;
  let causes;
  beforeEach(() => {
    store = new DocumentStore(emptyDocument());
    causes = [];
    store.subscribe((value, previous, cause) => {
      assert.notEqual(value, previous);
      causes.push(cause);
    });
  });

  test('tells its listeners about each change, and about nothing else', () => {
    store.update(withText('{}'));
    store.update((value) => value);
    assert.equal(store.value.lint.text, '{}');
    assert.deepEqual(causes, ['update']);
  });

  test('undoes what removes, newest first, and keeps the open view', () => {
    store.update(withText('one'));
    store.update(withText(''), { undo: 'Cleared the request' });
    store.update((value) => ({ ...value, view: 'chat' }));
    assert.equal(store.undoable.label, 'Cleared the request');
    assert.equal(store.undo(), 'Cleared the request');
    assert.equal(store.value.lint.text, 'one');
    assert.equal(store.value.view, 'chat');
    assert.equal(store.undo(), undefined);
    assert.deepEqual(causes, ['update', 'update', 'update', 'undo']);
  });

  test('keeps what was changed since, where something older is undone', () => {
    const tool = (name) => ({ name, description: '', parameters: '', answer: 'hand', script: '' });
    const change = (settings, options) =>
      store.update(
        (value) => ({ ...value, settings: { ...value.settings, ...settings } }),
        options,
      );
    const [a, b, c] = ['a', 'b', 'c'].map(tool);
    change({ tools: [a, c] });
    change({ tools: [c] }, { undo: 'Removed the tool' });
    change({ tools: [b], model: 'gemini-4-argon' });
    store.update(withText('typed since'));
    store.undo();
    const { settings, lint } = store.value;
    assert.deepEqual(settings.tools, [a, b]);
    assert.deepEqual([settings.model, lint.text], ['gemini-4-argon', 'typed since']);
    assert.equal(store.undoable, undefined);
  });

  test('undoes an undo that replaced what was typed since', () => {
    store.update(withText('one'));
    store.update(withText(''), { undo: 'Cleared the request' });
    store.update(withText('two'));
    store.undo();
    assert.equal(store.value.lint.text, 'one');
    assert.equal(store.undo(), 'Undone: Cleared the request');
    assert.equal(store.value.lint.text, 'two');
    assert.equal(store.undo(), undefined);
  });

  test('undoes an undo also if the chat, which keeps its lost turns itself, was changed too', () => {
    const change = (text, saved, options) =>
      store.update(
        (value) => ({ ...value, lint: { text }, chat: { ...value.chat, saved } }),
        options,
      );
    change('one', 'a');
    change('', '', { undo: 'Cleared all' });
    change('two', 'b');
    store.undo();
    assert.deepEqual([store.value.lint.text, store.value.chat.saved], ['one', 'a']);
    assert.equal(store.undo(), 'Undone: Cleared all');
    assert.equal(store.value.lint.text, 'two');
    const chat = (saved, options) =>
      store.update((value) => ({ ...value, chat: { ...value.chat, saved } }), options);
    chat('', { undo: 'Deleted turn 1' });
    chat('c');
    store.undo();
    assert.equal(store.undoable, undefined);
  });

  test('keeps what a view had not stored when it undoes', () => {
    store.update(withText('before'));
    store.update(withText('after'), { undo: 'Changed the text' });
    store.beforeLeaving(() => store.update(withText('typed')));
    store.undo();
    assert.equal(store.value.lint.text, 'before');
    store.undo();
    assert.equal(store.value.lint.text, 'typed');
  });

  test('puts a removed item back where it was, whatever was changed since', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => ({ name, template: '' }));
    const sections = (list) => (value) => ({
      ...value,
      prompt: { ...value.prompt, sections: list },
    });
    const edited = { ...c, template: 'edited' };
    const added = { name: 'e', template: '' };
    for (const [before, after, current, expected] of [
      [
        [a, b, c],
        [a, c],
        [{ ...a, template: 'x' }, c],
        ['a', 'b', 'c'],
      ],
      [
        [a, c, b, d],
        [a, c, d],
        [a, edited, d],
        ['a', 'c', 'b', 'd'],
      ],
      [[a, b, c, d], [], [added], ['a', 'b', 'c', 'd', 'e']],
      [
        [a, b, c],
        [a, b],
        [b, added],
        ['b', 'c', 'e'],
      ],
    ]) {
      store.open(sections(before)(emptyDocument()));
      store.update(sections(after), { undo: 'Removed' });
      store.update(sections(current));
      store.undo();
      assert.deepEqual(
        store.value.prompt.sections.map(({ name }) => name),
        expected,
      );
    }
  });

  test('changes only its view while it is read-only, until it is forked', () => {
    store.open(emptyDocument(), { isReadOnly: true });
    store.update(withText('changed'), { undo: 'Changed it' });
    store.update((value) => ({ ...withText('changed')(value), view: 'prompt' }));
    assert.equal(store.value.lint.text, emptyDocument().lint.text);
    assert.equal(store.value.view, 'prompt');
    assert.equal(store.undoable, undefined);
    store.fork();
    store.update(withText('changed'));
    assert.equal(store.value.lint.text, 'changed');
    assert.deepEqual(causes, ['open', 'update', 'fork', 'update']);
  });

  test('cannot undo what happened in another session', () => {
    store.update(withText(''), { undo: 'Cleared the request' });
    store.open(emptyDocument());
    assert.equal(store.undo(), undefined);
  });
});

const tool = { name: 'go', description: '', parameters: '{}', answer: 'hand', script: '' };

/** A document with a value in every list. */
function fullDocument() {
  const empty = emptyDocument();
  return {
    ...empty,
    settings: { ...empty.settings, tools: [tool] },
    prompt: { ...empty.prompt, sections: [{ name: 'Rules', template: 'Be brief.' }] },
    chat: {
      ...empty.chat,
      discarded: [{ after: 1, text: 'Once', reason: 'stopped' }],
      branches: [{ name: 'First', saved: '{}' }],
    },
  };
}

// All paths of a value, with those of its members.
function pathsOf(value, path = []) {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.keys(value).flatMap((key) => pathsOf(value[key], [...path, key]))];
}

function replaced(value, [key, ...rest], replacement) {
  if (key === undefined) return replacement;
  const copy = structuredClone(value);
  copy[key] = replaced(value[key], rest, replacement);
  return copy;
}

describe('a saved document', () => {
  test('is read as it is, also after JSON', () => {
    const document = fullDocument();
    assert.deepEqual(readDocument(JSON.parse(JSON.stringify(document))), document);
  });

  test('is refused if any of its fields has another type, with the path of the field', () => {
    const paths = pathsOf(fullDocument()).filter(([first]) => first && first !== 'version');
    assert.ok(paths.length > 25);
    for (const path of paths) {
      for (const wrong of [5n, null, undefined, Symbol.iterator]) {
        assert.throws(() => readDocument(replaced(fullDocument(), path, wrong)), {
          name: 'DocumentError',
          message: new RegExp(`^This session is damaged: /${path.join('/')}\\b`),
        });
      }
    }
  });

  test('is refused if it has an unknown field', () => {
    for (const path of [['apiKey'], ['settings', 'host'], ['settings', 'tools', '0', 'allowed']]) {
      assert.throws(() => readDocument(replaced(fullDocument(), path, 'x')), {
        message: new RegExp(`^This session is damaged: /${path.join('/')} is not an option`),
      });
    }
  });

  const versions = [
    [2, /newer version of this page\. Reload/],
    [0, /older version of this page/],
    ['1', /not a session of this page/],
    [undefined, /not a session of this page/],
  ];
  for (const [version, message] of versions)
    test(`is refused in the version ${JSON.stringify(version)}`, () => {
      assert.throws(() => readDocument({ ...emptyDocument(), version }), { message });
    });

  test('is refused if it is no object', () => {
    for (const value of [null, undefined, 'text', 1, []])
      assert.throws(() => readDocument(value), { name: 'DocumentError' });
  });
});

describe('sessions', () => {
  let storage;
  let claimed;

  // Opens the page: a document and its sessions, restored.
  async function openTab(lastOpen = { id: undefined }) {
    const store = new DocumentStore(emptyDocument());
    const claim = async (id) => (claimed.has(id) ? undefined : () => {});
    const options = { storage, document: store, claim, lastOpen, onChange: () => {} };
    const sessions = new Sessions(options);
    await sessions.load();
    const problems = await sessions.restore();
    return { store, sessions, problems };
  }

  beforeEach(() => {
    storage = new MemorySessions();
    claimed = new Set();
  });

  test('are saved with the first change, and restored', async () => {
    const { store, sessions } = await openTab();
    assert.deepEqual(await storage.list(), []);
    store.update(withText('kept'));
    await sessions.flush();
    assert.equal(sessions.state, 'saved');
    const again = await openTab();
    assert.equal(again.store.value.lint.text, 'kept');
    assert.equal(again.sessions.current.id, sessions.current.id);
  });

  test('are restored as the tab left them, not by their age', async () => {
    const tab = { id: undefined };
    const { store, sessions } = await openTab(tab);
    store.update(withText('older'));
    const { id } = sessions.current;
    await sessions.create();
    store.update(withText('newer'));
    await sessions.flush();
    await storage.write({ ...sessions.current, changed: Date.now() + 1000 });
    await sessions.open(id);
    assert.equal((await openTab(tab)).store.value.lint.text, 'older');
    assert.equal((await openTab()).store.value.lint.text, 'newer');
  });

  test('count as saved only when their newest change is', async () => {
    const { store, sessions } = await openTab();
    const ends = [];
    storage.write = () => new Promise((resolve) => ends.push(resolve));
    const changed = (text) => {
      store.update(withText(text));
      return sessions.flush();
    };
    const [older, newer] = [changed('older'), changed('newer')];
    ends[0]();
    await older;
    assert.equal(sessions.state, 'saving');
    ends[1]();
    await newer;
    assert.equal(sessions.state, 'saved');
  });

  test('are not opened while another tab has them open', async () => {
    const { store, sessions } = await openTab();
    store.update(withText('kept'));
    await sessions.flush();
    claimed.add(sessions.current.id);
    const other = await openTab();
    assert.equal(other.store.value.lint.text, emptyDocument().lint.text);
    assert.equal(await other.sessions.open(sessions.current.id), false);
  });

  test('are saved before another is opened', async () => {
    const { store, sessions } = await openTab();
    const first = sessions.current.id;
    store.update(withText('first'));
    await sessions.create();
    store.update(withText('second'));
    assert.equal(await sessions.open(first), true);
    assert.equal(store.value.lint.text, 'first');
    const texts = await Promise.all(sessions.rows.map(({ id }) => storage.read(id)));
    assert.deepEqual(texts.map(({ lint }) => lint.text).sort(), ['first', 'second']);
  });

  test('are read only once no other tab can change them', async () => {
    const { store, sessions } = await openTab();
    store.update(withText('older'));
    await sessions.flush();
    const row = sessions.current;
    claimed.add(row.id);
    const other = await openTab();
    // The first tab saves and closes at the last moment.
    claimed = {
      has: () => {
        void storage.write({ ...row, name: 'Newer' }, withText('newer')(store.value));
        return false;
      },
    };
    await other.sessions.open(row.id);
    assert.equal(other.store.value.lint.text, 'newer');
    assert.equal(other.sessions.current.name, 'Newer');
  });

  test('are not renamed or deleted while another tab has them open', async () => {
    const { store, sessions } = await openTab();
    store.update(withText('kept'));
    await sessions.flush();
    const { id, name } = sessions.current;
    claimed.add(id);
    const other = await openTab();
    await assert.rejects(other.sessions.rename(id, 'Paris'), { name: 'OpenElsewhereError' });
    await assert.rejects(other.sessions.remove(id), { name: 'OpenElsewhereError' });
    assert.equal((await storage.list())[0].name, name);
  });

  test('keep their claim if another one does not open', async () => {
    const released = [];
    const claim = new SessionClaim(async (id) => () => released.push(id));
    const nothing = async () => {};
    await claim.moveTo('one', nothing);
    await assert.rejects(claim.moveTo('two', () => Promise.reject(new Error('damaged'))));
    assert.deepEqual(released, ['two']);
    await claim.moveTo('three', nothing);
    assert.deepEqual(released, ['two', 'one']);
  });

  test('are named by their start, also after midnight', async () => {
    mock.timers.enable({ apis: ['Date'], now: new Date(2026, 10, 22, 0, 5) });
    const { sessions } = await openTab();
    mock.timers.reset();
    assert.equal(sessions.current.name, 'Nov 22, 00:05');
  });

  test('keep their new name', async () => {
    const { store, sessions } = await openTab();
    store.update(withText('kept'));
    await sessions.flush();
    await sessions.rename(sessions.current.id, ' Paris ');
    await sessions.rename(sessions.current.id, ' ');
    assert.equal((await openTab()).sessions.current.name, 'Paris');
  });

  test('keep a new name before they have a change', async () => {
    const { sessions } = await openTab();
    const { id } = sessions.current;
    await sessions.rename(id, 'Paris');
    const again = await openTab();
    assert.deepEqual([again.sessions.current.id, again.sessions.current.name], [id, 'Paris']);
  });

  test('are saved with what a view has not stored yet', async () => {
    const { store, sessions } = await openTab();
    const { id } = sessions.current;
    store.beforeLeaving(() => store.update(withText('typed last')));
    await sessions.create();
    assert.equal((await storage.read(id)).lint.text, 'typed last');
  });

  test('can be restored after they were deleted', async () => {
    const { store, sessions } = await openTab();
    store.update(withText('kept'));
    const { id } = sessions.current;
    const restore = await sessions.remove(id);
    assert.equal(store.value.lint.text, emptyDocument().lint.text);
    assert.deepEqual(await storage.list(), []);
    await restore();
    assert.equal(sessions.current.id, id);
    assert.equal(store.value.lint.text, 'kept');
  });

  test('can be restored if this version of the page does not open them', async () => {
    const { sessions } = await openTab();
    const newer = { version: 2, all: 'that it knows' };
    await storage.write({ id: 'newer', name: 'Newer', changed: 1 }, newer);
    const restore = await sessions.remove('newer');
    assert.equal(await storage.read('newer'), undefined);
    await restore();
    assert.deepEqual(await storage.read('newer'), newer);
    assert.equal(sessions.rows[0].name, 'Newer');
  });

  test('leave out a damaged one, which stays saved', async () => {
    const { store, sessions } = await openTab();
    store.update(withText('kept'));
    await sessions.flush();
    const damaged = { id: 'damaged', name: 'Damaged', changed: Date.now() + 1000 };
    await storage.write(damaged, { version: 1 });
    const again = await openTab();
    assert.equal(again.problems.length, 1);
    assert.match(
      again.problems[0],
      /^The session Damaged was not opened\. This session is damaged/,
    );
    assert.equal(again.store.value.lint.text, 'kept');
    assert.equal(again.sessions.rows.length, 2);
    await assert.rejects(again.sessions.open('damaged'), { name: 'DocumentError' });
  });

  test('never save a shared link, but its fork', async () => {
    const { store, sessions } = await openTab();
    store.open(withText('shared')(emptyDocument()), { isReadOnly: true });
    await sessions.flush();
    assert.equal(sessions.current, undefined);
    assert.deepEqual(await storage.list(), []);
    store.fork();
    await sessions.flush();
    const [row] = await storage.list();
    assert.equal((await storage.read(row.id)).lint.text, 'shared');
  });

  test('say why a change is not saved', async () => {
    const { store, sessions } = await openTab();
    const full = new Error('quota');
    storage.write = () => Promise.reject(full);
    store.update(withText('kept'));
    await sessions.flush();
    assert.deepEqual(sessions.state, { failed: full });
  });

  test('that cannot be saved are left only when the user knows', async () => {
    const { store, sessions } = await openTab();
    const { id } = sessions.current;
    storage.write = () => Promise.reject(new Error('The disk is full.'));
    store.update(withText('kept'));
    const unsaved = { name: 'UnsavedError', message: /^The open session is not saved: The disk/ };
    await assert.rejects(sessions.create(), unsaved);
    store.update(withText('kept, and more'));
    await assert.rejects(sessions.leave(), unsaved);
    assert.deepEqual([sessions.current.id, store.value.lint.text], [id, 'kept, and more']);
    await sessions.create();
    assert.notEqual(sessions.current.id, id);
    assert.equal(sessions.state, 'saved');
  });
});

describe('the generationConfig', () => {
  test('is changed field by field, and keeps all others', () => {
    const text = setField('{"topK":3,"x":[1]}', ['thinkingConfig', 'thinkingLevel'], 'LOW');
    assert.deepEqual(JSON.parse(text), {
      topK: 3,
      x: [1],
      thinkingConfig: { thinkingLevel: 'LOW' },
    });
    assert.equal(fieldAt(text, ['thinkingConfig', 'thinkingLevel']), 'LOW');
    const without = setField(text, ['thinkingConfig', 'thinkingLevel']);
    assert.deepEqual(JSON.parse(without), { topK: 3, x: [1] });
  });

  test('is empty without fields, and unchanged if it is no object', () => {
    assert.equal(setField('{"topK":3}', ['topK']), '');
    assert.equal(setField('', ['seed'], 1), '{\n  "seed": 1\n}');
    for (const text of ['[]', '{', 'null']) assert.equal(setField(text, ['seed'], 1), text);
  });
});
