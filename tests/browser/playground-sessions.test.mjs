// The frame of the playground in Chromium: sessions survive a reload, every command is found by its name, the key is
// kept only where the user asks for it, and the page says what it cannot do.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { complaints, coreLoaded, openPlayground, page, setKey, url } from './playground.mjs';

openPlayground();

const text = () => page.locator('#model').inputValue();
const openSessions = () => page.getByRole('button', { name: 'Sessions' }).click();
const saved = () => page.getByText('Saved in this browser.').waitFor();
const openSettings = () => page.getByTitle('Open or close the settings').click();

// The page answers to keys once it has read the sessions, as its header shows.
async function openPalette() {
  await page.getByRole('button', { name: 'Commands' }).waitFor();
  await page.keyboard.press('Control+k');
}

async function run(command) {
  await openPalette();
  await page.getByRole('combobox', { name: 'Find a command' }).fill(command);
  await page.getByRole('option', { name: command }).first().waitFor();
  await page.keyboard.press('Enter');
}

/** Returns a second tab, which has a session of its own beside the one that is saved here. */
async function anotherTab() {
  await page.selectOption('#model', 'gemini-2.5-pro');
  await saved();
  const other = await page.context().newPage();
  await other.goto(url);
  await other.getByRole('tab', { name: 'Lint', selected: true }).waitFor();
  return other;
}

describe('sessions', () => {
  it('survive a reload with their view, and are opened from the list', async () => {
    await page.selectOption('#model', 'gemini-2.5-pro');
    await saved();
    await page.reload();
    await page.getByRole('tab', { name: 'Chat', selected: true }).waitFor();
    await openSettings();
    assert.equal(await text(), 'gemini-2.5-pro');
    await openSessions();
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByRole('tab', { name: 'Lint', selected: true }).waitFor();
    assert.equal(await text(), 'gemini-3.8-flash');
    await openSessions();
    await page.getByRole('button', { name: /^Open: / }).click();
    await page.getByRole('tab', { name: 'Chat', selected: true }).waitFor();
    assert.equal(await text(), 'gemini-2.5-pro');
    assert.deepEqual(complaints, []);
  });

  it('are renamed, deleted and restored', async () => {
    await page.selectOption('#model', 'gemini-2.5-pro');
    await saved();
    await openSessions();
    await page.locator('.sessions input').fill('Paris');
    await page.locator('.sessions input').press('Tab');
    await page.getByRole('button', { name: 'Close' }).last().click();
    await openSessions();
    await page.getByRole('button', { name: 'Delete Paris' }).click();
    await page.getByText('Deleted the session Paris.').first().waitFor();
    assert.equal(await text(), 'gemini-3.8-flash');
    await page.locator('#offers').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('tab', { name: 'Chat', selected: true }).waitFor();
    assert.equal(await text(), 'gemini-2.5-pro');
    assert.deepEqual(complaints, []);
  });

  it('say if a deleted one cannot be restored, and try again', async () => {
    await page.selectOption('#model', 'gemini-2.5-pro');
    await saved();
    await openSessions();
    await page.getByRole('button', { name: /^Delete/ }).click();
    const undo = page.locator('#offers').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await page.evaluate(() => {
      window.put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The disk is full.', 'QuotaExceededError');
      };
    });
    await undo.click();
    await page.locator('#offers', { hasText: 'not undone: The disk is full.' }).waitFor();
    assert.doesNotMatch(await page.textContent('#announcements'), /^Undone/);
    await page.evaluate(() => (IDBObjectStore.prototype.put = window.put));
    await undo.click();
    await page.waitForFunction(() => document.querySelector('#model').value === 'gemini-2.5-pro');
    await page
      .locator('#announcements', { hasText: /^Undone: Deleted the session/ })
      .waitFor({ state: 'attached' });
  });

  it('say in the dialog why one is not renamed or deleted', async () => {
    await page.selectOption('#model', 'gemini-2.5-pro');
    await saved();
    await page.evaluate(() => {
      for (const method of ['put', 'delete'])
        IDBObjectStore.prototype[method] = () => {
          throw new DOMException(`The browser refused to ${method}.`, 'UnknownError');
        };
    });
    await openSessions();
    const name = page.locator('.sessions input');
    const before = await name.inputValue();
    await name.fill('Paris');
    await name.press('Tab');
    await page.locator('.modal').getByText('The browser refused to put.').waitFor();
    assert.equal(await name.inputValue(), before);
    await page.getByRole('button', { name: `Delete ${before}` }).click();
    await page.locator('.modal').getByText('The browser refused to delete.').waitFor();
    assert.equal(await text(), 'gemini-2.5-pro');
  });

  it('are not shared by two tabs', async () => {
    const other = await anotherTab();
    await other.getByRole('button', { name: 'Sessions' }).click();
    await other.getByRole('button', { name: /^Open: / }).click();
    await other.getByText(/is open in another tab/).waitFor();
    const row = other.locator('.sessions li', {
      has: other.getByRole('button', { name: /^Open: / }),
    });
    const elsewhere = other.getByText('This session is open in another tab. Change it there.');
    await row.getByRole('button', { name: /^Delete/ }).click();
    await elsewhere.waitFor();
    const name = await row.locator('input').inputValue();
    await row.locator('input').fill('Paris');
    await row.locator('input').press('Tab');
    const field = await row.locator('input').elementHandle();
    await other.waitForFunction(([one, before]) => one.value === before, [field, name]);
    await elsewhere.waitFor();
  });

  it('are listed as another tab has left them', async () => {
    const other = await anotherTab();
    await openSessions();
    await page.locator('.sessions input').fill('Paris');
    await page.locator('.sessions input').press('Tab');
    await page.getByRole('button', { name: 'Close' }).last().click();
    await openSessions();
    await page.getByLabel('Name of Paris').waitFor();
    await other.getByRole('button', { name: 'Sessions' }).click();
    await other.getByLabel('Name of Paris').waitFor();
  });

  it('last as long as the page where the browser refuses storage', async (t) => {
    // The script below would run in the pages of the next tests, too.
    t.after(() => page.close());
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('refused', 'SecurityError');
      };
    });
    await page.reload();
    await page.getByText('This browser refuses storage here: nothing is saved.').waitFor();
    await page.getByText('signature.missing').first().waitFor();
    await openSessions();
    await page.getByText(/sessions last until you leave or reload/).waitFor();
    assert.deepEqual(complaints, []);
  });
});

describe('the command palette', () => {
  it('finds the commands of all views, and runs one in its view', async () => {
    await run('Edit the dynamic template');
    await page.getByRole('tab', { name: 'Prompt', selected: true }).waitFor();
    await run('Show Lint');
    await page.getByRole('tab', { name: 'Lint', selected: true }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it('sets the colors, which are kept', async () => {
    await run('Use dark colors');
    const scheme = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    assert.equal(await scheme(), 'dark');
    await page.reload();
    assert.equal(await scheme(), 'dark');
    await run('Use the colors of the system');
    assert.equal(await page.evaluate(() => localStorage.length), 0);
  });

  it('closes with Escape, and says if nothing matches', async () => {
    await openPalette();
    await page.getByRole('combobox', { name: 'Find a command' }).fill('no such command');
    await page.getByText('No command matches.').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.locator('.palette').waitFor({ state: 'hidden' });
  });
});

describe('the settings', () => {
  it('keep a key in the tab only if the user asks, and never in the sessions', async () => {
    const stores = () => page.evaluate(() => JSON.stringify([sessionStorage, localStorage]));
    await setKey('a-key-to-remember');
    assert.doesNotMatch(await stores(), /a-key/);
    await page.getByLabel('Remember in this tab').check();
    assert.match(await stores(), /a-key-to-remember/);
    await page.selectOption('#model', 'gemini-2.5-pro');
    await saved();
    await page.reload();
    await openSettings();
    assert.equal(await page.inputValue('#key'), 'a-key-to-remember');
    await page.getByLabel('Remember in this tab').uncheck();
    assert.doesNotMatch(await stores(), /a-key/);
    const documents = await page.evaluate(
      () =>
        new Promise((resolve) => {
          indexedDB.open('prompt-strata playground').onsuccess = ({ target: { result } }) => {
            const all = result.transaction('documents').objectStore('documents').getAll();
            all.onsuccess = () => resolve(JSON.stringify(all.result));
          };
        }),
    );
    assert.match(documents, /gemini-2\.5-pro/);
    assert.doesNotMatch(documents, /a-key/);
  });

  it('show the row of any model', async () => {
    await page.selectOption('#model', 'Another model');
    await page.getByLabel('Name of the model').fill('models/gemini-2.5-flash');
    await page.getByLabel('Name of the model').press('Tab');
    await page.locator('.model-row', { hasText: '$0.3 input' }).waitFor();
    await page.selectOption('#model', 'Another model');
    await page.getByLabel('Name of the model').fill('a-model-of-tomorrow');
    await page.getByLabel('Name of the model').press('Tab');
    await page.locator('.model-row', { hasText: 'has no row for this name' }).waitFor();
  });

  it('keep the name of a model that is being typed', async () => {
    await page.selectOption('#model', 'Another model');
    await page.keyboard.type('gemini-2.5-fl');
    // Changes the document without the focus, as an answer does.
    await page.evaluate(() => {
      const message = document.querySelector('#instruction');
      message.value = 'typed';
      message.dispatchEvent(new Event('input'));
    });
    assert.equal(await page.textContent('.service .model'), 'gemini-3.8-flash');
    await page.keyboard.type('ash');
    await page.keyboard.press('Tab');
    await page.locator('.service .model', { hasText: 'gemini-2.5-flash' }).waitFor();
    await page.selectOption('#model', 'Another model');
    await page.keyboard.type('unfinished');
    await run('Start a new session');
    await page.locator('.service .model', { hasText: 'gemini-3.8-flash' }).waitFor();
    assert.equal(await text(), 'gemini-3.8-flash');
  });

  it('show the generationConfig of another session, whatever was being typed', async () => {
    await page.locator('summary', { hasText: 'generationConfig' }).click();
    const json = page.getByLabel('The same as JSON');
    for (const typed of ['{ "topK": 7 }', '{ "topK": ']) {
      await json.fill(typed);
      await run('Start a new session');
      await page.waitForFunction(() => document.querySelector('#generation-config').value === '');
      assert.equal(await page.getByLabel('topK').inputValue(), '');
      assert.equal(await page.getByText('This is not a JSON object').count(), 0);
    }
  });

  it('change the generationConfig by form and as JSON', async () => {
    await page.locator('summary', { hasText: 'generationConfig' }).click();
    await page.getByLabel('Temperature').fill('0.5');
    await page.getByLabel('Thinking level').selectOption('LOW');
    const json = page.getByLabel('The same as JSON');
    const config = { temperature: 0.5, thinkingConfig: { thinkingLevel: 'LOW' } };
    assert.deepEqual(JSON.parse(await json.inputValue()), config);
    await json.fill('{ "topK": 7 }');
    assert.equal(await page.getByLabel('topK').inputValue(), '7');
    assert.equal(await page.getByLabel('Temperature').inputValue(), '');
    await json.fill('{');
    await page.getByText('This is not a JSON object').waitFor();
    assert.equal(await page.getByLabel('topK').inputValue(), '7');
  });
});

describe('the focus', () => {
  const focused = () =>
    page.evaluate(() => {
      const { id, textContent, role } = document.activeElement;
      return id || role || textContent;
    });
  const press = async (name, place = page) => {
    await place.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
  };

  it('stays near the tools when one is added or removed, or all are edited as JSON', async () => {
    await page.locator('#tools summary').first().click();
    await press('Add the demonstration tools');
    assert.match(await focused(), /-name$/);
    await press('Edit as JSON');
    await press('Cancel');
    assert.equal(await focused(), 'Edit as JSON');
    await press('Edit as JSON');
    await press('Apply');
    assert.equal(await focused(), 'Edit as JSON');
    for (const left of [1, 0]) {
      await page
        .locator('#tools details button', { hasText: /^Remove/ })
        .first()
        .focus();
      await page.keyboard.press('Enter');
      assert.match(await focused(), left > 0 ? /-name$/ : /^Add a tool$/);
    }
    const offers = page.locator('#offers');
    await press('Undo', offers);
    assert.notEqual(await page.evaluate(() => document.activeElement.tagName), 'BODY');
    await page.locator('#key').focus();
    await press('Dismiss', offers);
    assert.equal(await focused(), 'key');
  });
});

describe('the dialog Share', () => {
  const share = () => page.getByRole('button', { name: 'Share', exact: true }).click();

  it('says itself that the browser refuses to copy, and is there once', async () => {
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
    });
    for (let times = 0; times < 2; times += 1) {
      await share();
      const dialog = page.locator('dialog[open]', { has: page.locator('#link') });
      await dialog.getByRole('button', { name: 'Copy link' }).click();
      await dialog.getByText('The browser refused to copy.').waitFor();
      assert.equal(await page.locator('#link').count(), 1);
      await page.keyboard.press('Escape');
    }
  });

  it('closes with a click beside it, not with one on its padding', async () => {
    await share();
    const dialog = page.locator('dialog[open]', { has: page.locator('#link') });
    const { x, y } = await dialog.boundingBox();
    await page.mouse.click(x + 4, y + 4);
    assert.ok(await dialog.isVisible());
    await page.mouse.click(x - 4, y + 4);
    await dialog.waitFor({ state: 'hidden' });
  });

  it('says why it does not open', async () => {
    await page.route('**/share-dialog*', (route) => route.abort());
    await share();
    await page.getByRole('alert').getByText('This did not open:').waitFor();
  });
});

describe('without the core', () => {
  it('says what is missing, and loads it again', async () => {
    await page.route('**/load-core-*.js', (route) => route.abort());
    await page.reload();
    await openSettings();
    const problem = page.getByRole('alert').filter({ hasText: 'cannot check requests yet' });
    await problem.waitFor();
    await page.unroute('**/load-core-*.js');
    await problem.getByRole('button', { name: 'Load again' }).click();
    await problem.waitFor({ state: 'hidden' });
    await coreLoaded();
  });
});
