// The frame of the playground in Chromium: its layout, recent sessions, undo, settings, colors, links, and that nothing a
// user wrote is lost.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { freshPages, serveToChromium } from './served-chromium.mjs';
import { documentWith, linkTo } from './tools-page.mjs';

const opened = serveToChromium();
const freshPage = freshPages(opened, { serviceWorkers: 'block' }, (page) => {
  page.on('pageerror', (error) => complaints.push(String(error)));
});

let page;
let complaints = [];
beforeEach(async () => {
  page = await freshPage();
  complaints = [];
  await open('');
});

async function open(fragment) {
  await page.goto(opened.url + fragment);
  await editor().waitFor();
}

const button = (name) => page.getByRole('button', { name, exact: true });
const dialog = (name) => page.getByRole('dialog', { name });
const editor = (one = page) => one.getByRole('textbox', { name: /request/i }).first();
const saved = (one = page) => one.getByText('Saved in this browser.').waitFor();
const offer = () => page.getByRole('region', { name: 'Undo' });
const row = (name) => dialog('Recent').getByRole('button', { name }).first();

const blank = documentWith([]);
const documentOf = (text, changes = {}) => ({
  ...{ ...blank, view: 'lint', lint: { text } },
  settings: { ...blank.settings, model: 'gemini-2.5-pro' },
  ...changes,
});
const requestOf = (text) =>
  JSON.stringify({ contents: [{ role: 'user', parts: [{ text }] }] }, null, 2);

async function write(text, one = page) {
  await editor(one).fill(text);
  // A change is saved a moment later.
  await one.waitForTimeout(500);
  await saved(one);
}

/** Waits until the editor shows a text. */
const shows = (text, one = page) => editor(one).filter({ hasText: text }).waitFor();

async function newSession() {
  await button('Recent').click();
  await button('New session').click();
  await dialog('Recent').waitFor({ state: 'detached' });
}

describe('the layout', () => {
  for (const [width, height] of [
    [1440, 900],
    [1280, 720],
    [390, 844],
  ])
    it(`is as high as the window of ${width} pixels, and does not scroll`, async () => {
      await page.setViewportSize({ width, height });
      for (const view of ['Check a request', 'Prompt and cache', 'Chat']) {
        await page.getByRole('tab', { name: view }).click();
        await page.getByRole('tabpanel', { name: view }).locator('*').first().waitFor();
        const scrolls = await page.evaluate(() => {
          const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement;
          return [scrollHeight - clientHeight, scrollWidth - clientWidth];
        });
        assert.deepEqual(scrolls, [0, 0], view);
      }
      if (width > 1000) {
        const { height: own } = await page.getByRole('banner').boundingBox();
        assert.equal(own, 48);
      }
      assert.deepEqual(complaints, []);
    });

  it('shows the title of a rule, and the finding of its example below', async () => {
    await open('#rule/call.open');
    const rule = page.getByRole('region', { name: 'Rule call.open' });
    const { y } = await rule.getByRole('heading').boundingBox();
    assert.ok(y >= 48, `${y}`);
    await page.locator('.finding[data-code="call.open"]').waitFor();
    assert.equal(await page.evaluate(() => document.scrollingElement.scrollTop), 0);
  });

  it('keeps the message field in sight with open settings', async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole('tab', { name: 'Chat' }).click();
    await page.getByTitle('Open or close the settings').click();
    await dialog('Settings').getByText('Context').waitFor();
    const field = page.getByRole('textbox', { name: /message/i });
    const { y, height } = await field.boundingBox();
    assert.ok(y + height <= 720, `${y + height}`);
  });

  it('moves between the tabs with arrow keys', async () => {
    await page.getByRole('tab', { name: 'Check a request' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Prompt and cache', selected: true }).waitFor();
    await page.keyboard.press('End');
    await page.getByRole('tab', { name: 'Chat', selected: true }).waitFor();
    assert.equal(await page.locator(':focus').textContent(), 'Chat');
  });
});

describe('recent sessions', () => {
  it('are titled by their first message, and survive a reload', async () => {
    await write(requestOf('Weather in Paris?'));
    await newSession();
    await write(requestOf('A train to Rome'));
    await page.reload();
    await shows('A train to Rome');
    await button('Recent').click();
    const rows = dialog('Recent').getByRole('listitem');
    assert.match(await rows.first().textContent(), /^A train to RomeCurrentDelete$/);
    assert.match(
      await rows.last().textContent(),
      /^Weather in Paris\?[A-Z][a-z]{2} \d+, \d{4}, [\d:]+/,
    );
    await row(/^Weather in Paris/).click();
    await shows('Weather in Paris?');
    assert.deepEqual(complaints, []);
  });

  it('are deleted, and restored by Undo', async () => {
    await write(requestOf('Weather in Paris?'));
    await button('Recent').click();
    await button('Delete Weather in Paris?').click();
    await offer().getByText('Deleted Weather in Paris?.').waitFor();
    await editor().filter({ hasNotText: 'Weather in Paris?' }).waitFor();
    await offer().getByRole('button', { name: 'Undo' }).click();
    await shows('Weather in Paris?');
    await saved();
  });

  it('are opened as a copy in a second tab, which says so, and never overwritten', async () => {
    await write(requestOf('First tab'));
    const other = await page.context().newPage();
    await other.goto(opened.url);
    await other.getByText('Another tab has this open. This is a copy').waitFor();
    await write(requestOf('Second tab'), other);
    await write(requestOf('First tab again'));
    await page.reload();
    await shows('First tab again');
    await other.reload();
    await shows('Second tab', other);
  });

  const withoutStorage = {
    'refuses storage': () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('refused', 'SecurityError');
      };
    },
    'never answers': () => {
      IDBFactory.prototype.open = () => new EventTarget();
    },
  };
  for (const [how, script] of Object.entries(withoutStorage))
    it(`last as long as the page where the browser ${how}`, async (t) => {
      // The script would run in the pages of the next tests, too.
      t.after(() => page.close());
      await page.addInitScript(script);
      await page.reload();
      await page.getByText('This browser refuses storage here: nothing is saved.').waitFor();
      await editor().fill(requestOf('Kept in memory'));
      await newSession();
      await button('Recent').click();
      await row(/^Kept in memory/).click();
      await shows('Kept in memory');
      assert.deepEqual(complaints, []);
    });

  it('keep what was typed last, and a message that was not sent', async () => {
    await editor().fill(requestOf('Typed last'));
    await newSession();
    await page.getByRole('tab', { name: 'Chat' }).click();
    const message = page.getByRole('textbox', { name: /message/i });
    await message.fill('Not sent yet');
    await button('Recent').click();
    await row(/^Typed last/).click();
    await shows('Typed last');
    await page.getByRole('tab', { name: 'Chat' }).click();
    await page.waitForFunction(
      () => document.querySelector('[role=tabpanel] textarea')?.value === '',
    );
    await button('Recent').click();
    await row(/^Example request/).click();
    await page.waitForFunction(
      () => document.querySelector('#instruction')?.value === 'Not sent yet',
    );
  });

  it('say why they cannot be saved before something else takes their place', async () => {
    await write(requestOf('Saved once'));
    await page.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The disk is full.', 'QuotaExceededError');
      };
    });
    await editor().fill(requestOf('Not saved'));
    await page.getByText('The last change is not saved: The disk is full.').waitFor();
    await button('Recent').click();
    await button('New session').click();
    await dialog('Recent')
      .getByText(/The open session is not saved: The disk is full/)
      .waitFor();
    await shows('Not saved');
  });
});

describe('an offer to undo', () => {
  const template = () => page.getByRole('textbox', { name: 'Static template' });
  const showsTemplate = (text) => template().filter({ hasText: text }).waitFor();

  beforeEach(async () => {
    const value = { view: 'prompt', prompt: { ...blank.prompt, static: 'Know Paris.' } };
    await page.goto(opened.url + linkTo(documentOf(requestOf('Hello'), value)));
    await page.reload();
    await showsTemplate('Know Paris.');
    await page.getByRole('button', { name: 'Use the default static template' }).click();
    await offer().waitFor();
  });

  it('covers no control, stays in its place when all is saved, and gives the focus back', async () => {
    const { x, y } = await offer().boundingBox();
    await page.getByText('Saved in this browser.').waitFor();
    assert.ok(Math.abs((await offer().boundingBox()).x - x) < 8);
    const { y: footer } = await page.getByRole('contentinfo').boundingBox();
    assert.ok(y >= footer);
    await offer().getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await showsTemplate('Know Paris.');
    assert.notEqual(await page.evaluate(() => document.activeElement.tagName), 'BODY');
  });

  it('is taken by Ctrl+Z outside of text fields', async () => {
    await page.getByRole('tab', { name: 'Check a request' }).focus();
    await page.keyboard.press('Control+z');
    await showsTemplate('Know Paris.');
    await offer().waitFor({ state: 'detached' });
  });

  it('ends with the next change, so that it never replaces a newer text', async () => {
    await template().fill('Newer');
    await offer().waitFor({ state: 'detached' });
    await showsTemplate('Newer');
  });
});

describe('the settings', () => {
  beforeEach(() => page.getByTitle('Open or close the settings').click());

  const settings = () => dialog('Settings');
  const chip = () => page.getByTitle('Open or close the settings');
  const stores = () => page.evaluate(() => JSON.stringify([sessionStorage, localStorage]));

  it('keep a key in memory, or in the tab if the user asks', async () => {
    await settings().getByLabel('API key').fill('a-key-to-remember');
    await settings().getByLabel('Remember in this tab').check();
    await page.getByText('This key is kept until you close this tab.').waitFor();
    assert.match(await stores(), /a-key-to-remember/);
    await settings().getByLabel('Remember in this tab').uncheck();
    assert.doesNotMatch(await stores(), /a-key/);
    await page.getByText('Requests are sent only to Google.').waitFor();
    await settings().getByLabel('API key').fill('a b');
    await settings().getByLabel('API key').press('Enter');
    await page.getByText('Invalid API key').waitFor();
    assert.doesNotMatch(JSON.stringify(await page.evaluate(readAll)), /a-key/);
  });

  it('take any model, and say what is known about it', async () => {
    await settings().getByLabel('Model', { exact: true }).selectOption('Another model');
    await settings().getByLabel('Name of the model').fill('models/gemini-1-none');
    await page.keyboard.press('Tab');
    await page.getByText('unknown: the catalogue has no row for this name').waitFor();
    await chip().getByText('gemini-1-none').waitFor();
    await settings().getByLabel('Service').selectOption('Vertex AI');
    await chip().getByText('Vertex AI').waitFor();
  });

  it('keep JSON that is being typed, and use it once it is an object', async () => {
    await page.getByText('generationConfig', { exact: true }).click();
    const json = settings().getByLabel(/^Temperature, thinking/);
    await json.fill('{"topK": 3,');
    await page.locator('#generation-config-problem').getByText(/JSON/).waitFor();
    await settings().getByLabel('Service').selectOption('Vertex AI');
    await settings().getByRole('button', { name: 'Close' }).click();
    await chip().click();
    assert.equal(await json.inputValue(), '{"topK": 3,');
    await json.fill('[3]');
    await page.getByText('This is not a JSON object.').waitFor();
    await json.fill('{"topK": 3}');
    await page.waitForFunction(
      () => document.querySelector('#generation-config-problem').textContent === '',
    );
  });

  it('close with Escape and return the focus', async () => {
    await page.keyboard.press('Escape');
    await dialog('Settings').waitFor({ state: 'hidden' });
    assert.match(await page.locator(':focus').getAttribute('title'), /settings/);
  });
});

// Everything that the page has stored in IndexedDB.
const readAll = () =>
  new Promise((resolve) => {
    indexedDB.open('prompt-strata playground').onsuccess = ({ target: { result } }) => {
      const all = result.transaction('documents').objectStore('documents').getAll();
      all.onsuccess = () => resolve(all.result);
    };
  });

it('changes the colors with a button, and keeps only a choice that differs from the system', async () => {
  const colors = () =>
    page.evaluate(() => [
      getComputedStyle(document.documentElement).colorScheme,
      getComputedStyle(document.body).backgroundColor,
    ]);
  await button('Use dark colors').click();
  assert.deepEqual(await colors(), ['dark', 'rgb(21, 23, 27)']);
  await page.reload();
  assert.deepEqual(await colors(), ['dark', 'rgb(21, 23, 27)']);
  await button('Use light colors').click();
  assert.deepEqual(await colors(), ['light', 'rgb(247, 245, 241)']);
  assert.equal(await page.evaluate(() => localStorage.length), 0);
});

describe('a shared link', () => {
  const shared = 'Opened from a link';

  it('opens a copy that can be edited at once, and is saved when it is changed', async () => {
    await write(requestOf('My own'));
    await page.evaluate((hash) => (location.hash = hash), linkTo(documentOf(requestOf(shared))));
    await shows(shared);
    await page.getByRole('region', { name: 'Shared link' }).waitFor();
    await page.getByTitle('Open or close the settings').getByText('gemini-2.5-pro').waitFor();
    await button('Recent').click();
    assert.equal(await dialog('Recent').getByRole('listitem').count(), 1);
    await page.keyboard.press('Escape');
    await write(requestOf('Changed'));
    assert.equal(new URL(page.url()).hash, '');
    await page.reload();
    await shows('Changed');
    await button('Recent').click();
    await row(/^My own/).click();
    await shows('My own');
  });

  it('can be chatted with at once', async () => {
    await page.goto(opened.url + linkTo(documentOf('{}', { view: 'chat' })));
    await page.reload();
    const message = page.getByRole('textbox', { name: /message/i });
    await message.fill('What time is it in Tokyo?');
    await message.press('Control+Enter');
    await page
      .getByText(/get_time/)
      .filter({ visible: true })
      .first()
      .waitFor();
  });

  it('keeps the signatures, so that the findings are the same', async () => {
    await open('#rule/signature.not_base64');
    const findings = () =>
      page
        .getByRole('tabpanel')
        .getByText(/signature\.\w+/)
        .allTextContents();
    await page
      .getByText(/signature\.not_base64/)
      .nth(1)
      .waitFor();
    const before = await findings();
    await button('Share').click();
    const field = dialog('Share').getByLabel('Link');
    await page.waitForFunction(() => document.querySelector('#link')?.value);
    await dialog('Share').getByText('Thought signatures are in the link').waitFor();
    const link = await field.inputValue();
    await open(new URL(link).hash);
    await page.getByRole('region', { name: 'Shared link' }).waitFor();
    await page
      .getByText(/signature\.not_base64/)
      .first()
      .waitFor();
    assert.deepEqual(await findings(), before);
  });

  it('that chat programs cut says so', async () => {
    const noise = Array.from({ length: 30_000 }, (_, index) => (index * 7919) % 9973).join(' ');
    await write(requestOf(noise));
    await button('Share').click();
    await dialog('Share')
      .getByText(/Chat programs cut links of more than 32,000/)
      .waitFor();
  });
});
