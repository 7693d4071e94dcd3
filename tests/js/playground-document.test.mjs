// The playground's document: what may change it, what is undone, which saved ones are read, and how sessions are saved.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, afterEach, beforeEach, describe, mock } from 'node:test';
import { build } from 'esbuild';
import { root } from '../../scripts/setup/run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'strata-document-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const files = [
  'state/document-store',
  'state/playground-document',
  'state/page-state',
  'frame/recent/sessions',
  'frame/recent/session-storage',
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
  Sessions,
  UndoOffers,
  emptyDocument,
  readDocument,
  titleOf,
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
    store.update(withText(''), 'Cleared the request');
    store.update((value) => ({ ...value, view: 'chat' }));
    assert.equal(store.undoable.label, 'Cleared the request');
    assert.equal(store.undo(), 'Cleared the request');
    assert.equal(store.value.lint.text, 'one');
    assert.equal(store.value.view, 'chat');
    assert.equal(store.undo(), undefined);
    assert.deepEqual(causes, ['update', 'update', 'update', 'undo']);
  });

  test('keeps what was changed since, where something older is undone', () => {
    const change = (settings, undo) =>
      store.update((value) => ({ ...value, settings: { ...value.settings, ...settings } }), undo);
    change({ tools: 'a' });
    change({ tools: '' }, 'Removed the tools');
    change({ model: 'gemini-4-argon' });
    store.update(withText('typed since'));
    store.undo();
    const { settings, lint } = store.value;
    assert.equal(settings.tools, 'a');
    assert.deepEqual([settings.model, lint.text], ['gemini-4-argon', 'typed since']);
    assert.equal(store.undoable, undefined);
    // What has to give way can be brought back.
    change({ tools: '' }, 'Removed the tools');
    change({ tools: 'b' });
    store.undo();
    assert.equal(store.value.settings.tools, 'a');
    store.undo();
    assert.equal(store.value.settings.tools, 'b');
  });

  test('undoes an undo that replaced what was typed since', () => {
    store.update(withText('one'));
    store.update(withText(''), 'Cleared the request');
    store.update(withText('two'));
    store.undo();
    assert.equal(store.value.lint.text, 'one');
    assert.equal(store.undo(), 'Undone: Cleared the request');
    assert.equal(store.value.lint.text, 'two');
    assert.equal(store.undo(), undefined);
  });

  test('undoes an undo of a deletion that replaced newer turns, and changes nothing else', () => {
    const chat = (saved, undo) =>
      store.update((value) => ({ ...value, chat: { ...value.chat, saved } }), undo);
    chat('a');
    chat('', 'Deleted turn 1');
    store.undo();
    assert.deepEqual(store.value.chat, { ...emptyDocument().chat, saved: 'a' });
    chat('', 'Deleted turn 1');
    chat('c');
    store.undo();
    assert.equal(store.value.chat.saved, 'a');
    store.undo();
    assert.equal(store.value.chat.saved, 'c');
  });

  test('keeps what a view had not stored when it undoes', () => {
    store.update(withText('before'));
    store.update(withText('after'), 'Changed the text');
    store.beforeLeaving(() => store.update(withText('typed')));
    store.undo();
    assert.equal(store.value.lint.text, 'before');
    store.undo();
    assert.equal(store.value.lint.text, 'typed');
  });

  test('cannot undo what happened in another session', () => {
    store.update(withText(''), 'Cleared the request');
    store.open(emptyDocument());
    assert.equal(store.undo(), undefined);
  });
});

describe('an offer to undo', () => {
  let store;
  let offers;
  let said;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    store = new DocumentStore(emptyDocument());
    said = [];
    offers = new UndoOffers(store, (text) => said.push(text));
    store.update(withText(''), 'Cleared the request');
  });
  afterEach(() => {
    offers.end();
    mock.timers.reset();
  });
  const shown = () => offers.shown.value?.sentence;

  test('is shown and said, and undoes the change', () => {
    assert.equal(shown(), 'Cleared the request.');
    offers.shown.value.undo();
    assert.equal(store.value.lint.text, emptyDocument().lint.text);
    assert.equal(shown(), undefined);
    assert.deepEqual(said, [
      'Cleared the request. It can be undone.',
      'Undone: Cleared the request',
    ]);
  });

  test('ends with the next change, but not with another view', () => {
    store.update((value) => ({ ...value, view: 'chat' }));
    assert.equal(shown(), 'Cleared the request.');
    store.update(withText('pasted'));
    assert.equal(shown(), undefined);
  });

  test('ends with another session', () => {
    store.open(emptyDocument());
    assert.equal(shown(), undefined);
  });

  test('ends after ten seconds, but not while its buttons have the focus', () => {
    offers.hold(true);
    mock.timers.tick(60_000);
    assert.equal(shown(), 'Cleared the request.');
    offers.hold(false);
    mock.timers.tick(9_999);
    assert.equal(shown(), 'Cleared the request.');
    mock.timers.tick(1);
    assert.equal(shown(), undefined);
    offers.undo();
    assert.equal(store.value.lint.text, emptyDocument().lint.text);
  });

  test('says if something else cannot be restored, and tries again', async () => {
    let restore = () => Promise.reject(new Error('The disk is full.'));
    offers.offer('Deleted Paris', () => restore());
    offers.shown.value.undo();
    await new Promise(setImmediate);
    assert.equal(shown(), 'Deleted Paris. This was not undone: The disk is full.');
    restore = async () => {};
    offers.shown.value.undo();
    await new Promise(setImmediate);
    assert.equal(said.at(-1), 'Undone: Deleted Paris');
  });
});

/** A document with a value in every list. */
function fullDocument() {
  const empty = emptyDocument();
  return {
    ...empty,
    chat: {
      ...empty.chat,
      numbers: [
        {
          at: 'now',
          ...{ input: 1, cached: 0, thought: 0, output: 1, cost: 1e-6 },
          finishReason: 'STOP',
        },
      ],
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

test('a new session places the dynamic layer as a conversation does, so that the history can be cached', () => {
  assert.equal(emptyDocument().prompt.placement, 'before-current-turn');
});

describe('a saved document', () => {
  test('is read as it is, also after JSON', () => {
    const document = fullDocument();
    assert.deepEqual(readDocument(JSON.parse(JSON.stringify(document))), document);
  });

  test('is refused if any of its fields has another type, with the path of the field', () => {
    const paths = pathsOf(fullDocument()).filter(([first]) => first && first !== 'version');
    assert.ok(paths.length > 20);
    for (const path of paths) {
      const isOptional = /^(?:numbers|input|cached|thought|output|cost)$/.test(path.at(-1));
      for (const wrong of [5n, null, Symbol.iterator, ...(isOptional ? [] : [undefined])]) {
        assert.throws(() => readDocument(replaced(fullDocument(), path, wrong)), {
          name: 'DocumentError',
          message: new RegExp(`^This session is damaged: /${path.join('/')}\\b`),
        });
      }
    }
  });

  test('is refused if it has an unknown field', () => {
    for (const path of [['apiKey'], ['settings', 'host'], ['chat', 'numbers', '0', 'allowed']]) {
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
  let tab;

  const claim = async (id) => {
    if (claimed.has(id)) return undefined;
    claimed.add(id);
    return () => claimed.delete(id);
  };

  // Opens the page in another tab: a document and its sessions, restored.
  async function openTab() {
    const store = new DocumentStore(emptyDocument());
    const sessions = new Sessions(storage, store, claim);
    const { opened, problems } = await sessions.restore();
    return { store, sessions, opened, problems };
  }

  // Reloads the page of a tab, which gives its session back.
  async function reload({ sessions }) {
    await sessions.flush();
    claimed.delete(sessions.openId);
    return openTab();
  }

  beforeEach(async () => {
    storage = new MemorySessions();
    claimed = new Set();
    const stored = new Map();
    globalThis.sessionStorage = {
      getItem: (name) => stored.get(name) ?? null,
      setItem: (name, value) => stored.set(name, value),
    };
    tab = await openTab();
  });
  after(() => delete globalThis.sessionStorage);

  test('are saved with the first change, and restored', async () => {
    const { store, sessions } = tab;
    store.update((value) => ({ ...value, view: 'chat' }));
    await sessions.flush();
    assert.deepEqual([await storage.list(), sessions.state.value], [[], 'new']);
    store.update(withText('kept'));
    await sessions.flush();
    assert.equal(sessions.state.value, 'saved');
    const again = await reload(tab);
    assert.equal(again.store.value.lint.text, 'kept');
    assert.equal(again.sessions.openId, sessions.openId);
  });

  test('are restored as the tab left them, not by their age', async () => {
    const { store, sessions } = tab;
    store.update(withText('older'));
    await sessions.flush();
    const older = sessions.openId;
    await sessions.create();
    store.update(withText('newer'));
    await sessions.open(older);
    assert.equal((await reload(tab)).store.value.lint.text, 'older');
  });

  test('count as saved only when their newest change is', async () => {
    const { store, sessions } = tab;
    const ends = [];
    storage.write = () => new Promise((resolve) => ends.push(resolve));
    const changed = (text) => {
      store.update(withText(text));
      return sessions.flush();
    };
    const [older, newer] = [changed('older'), changed('newer')];
    ends[0]();
    await older;
    assert.equal(sessions.state.value, 'saving');
    ends[1]();
    await newer;
    assert.equal(sessions.state.value, 'saved');
  });

  test('are opened as a copy while another tab has them open, and never overwritten', async () => {
    tab.store.update(withText('first tab'));
    await tab.sessions.flush();
    const other = await openTab();
    assert.equal(other.opened, 'copy');
    assert.equal(other.store.value.lint.text, 'first tab');
    await other.sessions.flush();
    assert.equal((await storage.list()).length, 1);
    other.store.update(withText('second tab'));
    await other.sessions.flush();
    assert.equal((await storage.read(tab.sessions.openId)).lint.text, 'first tab');
    assert.equal((await storage.read(other.sessions.openId)).lint.text, 'second tab');
    await assert.rejects(other.sessions.remove(tab.sessions.openId), /open in another tab/);
  });

  test('are saved before another is opened, with what a view has not stored yet', async () => {
    const { store, sessions } = tab;
    const first = sessions.openId;
    let typed = 'typed last';
    store.beforeLeaving(() => {
      if (typed) store.update(withText(typed));
      typed = '';
    });
    await sessions.create();
    assert.equal((await storage.read(first)).lint.text, 'typed last');
    assert.equal(claimed.has(first), false);
  });

  test('can be restored after they were deleted', async () => {
    const { store, sessions } = tab;
    store.update(withText('kept'));
    const { openId } = sessions;
    const restore = await sessions.remove(openId);
    assert.equal(store.value.lint.text, emptyDocument().lint.text);
    assert.deepEqual(await storage.list(), []);
    await restore();
    assert.equal(sessions.openId, openId);
    assert.equal(store.value.lint.text, 'kept');
  });

  test('leave out a damaged one, which stays saved and can be deleted and restored', async () => {
    tab.store.update(withText('kept'));
    await tab.sessions.flush();
    const damaged = { id: 'damaged', name: 'Damaged', changed: Date.now() + 1000 };
    await storage.write(damaged, { version: 2, all: 'that it knows' });
    globalThis.sessionStorage.setItem('prompt-strata session', 'damaged');
    const { problems, store, sessions } = await reload(tab);
    assert.match(problems[0], /^The session Damaged was not opened\. .*newer version/);
    assert.equal(store.value.lint.text, 'kept');
    await assert.rejects(sessions.open('damaged'), { name: 'DocumentError' });
    const restore = await sessions.remove('damaged');
    assert.equal(await storage.read('damaged'), undefined);
    await restore();
    assert.deepEqual(await storage.read('damaged'), { version: 2, all: 'that it knows' });
  });

  test('that cannot be saved say why, and are left only when the user knows', async () => {
    const { store, sessions } = tab;
    const { openId } = sessions;
    const full = new Error('The disk is full.');
    storage.write = () => Promise.reject(full);
    store.update(withText('kept'));
    const unsaved = { name: 'UnsavedError', message: /^The open session is not saved: The disk/ };
    await assert.rejects(sessions.create(), unsaved);
    assert.deepEqual(sessions.state.value, { failed: full });
    assert.deepEqual([sessions.openId, store.value.lint.text], [openId, 'kept']);
    await sessions.create();
    assert.notEqual(sessions.openId, openId);
  });
});

describe('the title of a session', () => {
  const titled = (changes) => titleOf({ ...emptyDocument(), ...changes });
  const lint = (value) => ({ lint: { text: JSON.stringify(value) } });

  test('is its first message, in all forms of a request', () => {
    const parts = [{ text: 'Weather in "Paris"?\nAnd in Rome?' }];
    const system = { parts: [{ text: 'Be brief.' }] };
    for (const request of [
      { systemInstruction: system, contents: [{ role: 'user', parts }] },
      { messages: [{ role: 'user', content: 'Weather in "Paris"?' }] },
      { system_instruction: 'Be brief.', input: 'Weather in "Paris"?' },
    ])
      assert.equal(titled(lint(request)), 'Weather in "Paris"?');
    const saved = JSON.stringify({ strata: 1, kind: 'user', content: { role: 'user', parts } });
    assert.equal(titled({ view: 'chat', chat: { saved } }), 'Weather in "Paris"?');
  });

  test('is the message of an error, or the first line of anything else', () => {
    assert.equal(titled(lint({ error: { code: 400, message: 'Bad turn.' } })), 'Bad turn.');
    assert.equal(titled({ lint: { text: '\n  no JSON\n' } }), 'no JSON');
    assert.equal(titled({ lint: { text: 'x'.repeat(500) } }).length, 80);
    assert.equal(titled({}), 'Example request');
  });
});
