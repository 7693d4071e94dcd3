// The playground in Chromium: a change of settings, a rejected key, or a message that cannot be sent never loses what
// was typed or sent.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createEmulator } from 'prompt-strata/testing';
import {
  answerApi,
  ask,
  askForWeather,
  complaints,
  idle,
  never,
  openPlayground,
  page,
  setKey,
  shownBody,
} from './playground.mjs';

const validKey = 'a-key-that-the-emulator-takes';
const rejectedKey = 'a-key-that-is-refused';
const draft = 'A draft, not sent yet';

openPlayground();

const undo = () => page.getByRole('button', { name: 'Undo' });
const edit = () => page.getByRole('button', { name: 'Edit message' });
const tryAgain = () => page.getByRole('button', { name: 'Try again' });
const focused = () => page.evaluate(() => document.activeElement.id);
const message = () => page.inputValue('#instruction');
const messages = () => page.locator('.turn.user .text').allTextContents();
const typeDraft = () => page.fill('#instruction', draft);

async function askAndStop(text) {
  await page.fill('#instruction', text);
  await page.click('#send');
  await page.locator('.turn.user .text', { hasText: text }).waitFor();
  await page.click('#stop');
  await tryAgain().waitFor();
}

/** Returns the visible state of the conversation and its requests. */
const shown = () =>
  page.evaluate(async () => {
    // The end of a raw answer is drawn with the next frame.
    await new Promise(requestAnimationFrame);
    return {
      log: [...document.querySelectorAll('.turn, .sent, .tool')].map((one) => one.textContent),
      tabs: [...document.querySelectorAll('#tabs button')].map((one) => one.ariaLabel),
      request: document.querySelector('#request').textContent,
      model: document.querySelector('#model').value,
      key: document.querySelector('#key').value,
    };
  });

/** Presses Tab until `locator` has focus. */
async function tabTo(locator) {
  for (let presses = 0; presses < 20; presses += 1) {
    if (await locator.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail('Tab does not reach the element');
}

/** Hides texts that exceed the context of a model, because Chromium takes long to lay them out. */
const hideLongTexts = () =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.turn .text { display: none } textarea { white-space: pre }');
    document.adoptedStyleSheets.push(sheet);
  });

/** Returns an error response in the format of Google. */
const apiError = (code, status, text) => async () =>
  Response.json({ error: { code, message: text, status } }, { status: code });

describe('a change that starts a new conversation', () => {
  const changes = {
    'an arrow key in the list of models': async () => {
      await page.focus('#model');
      await page.keyboard.press('ArrowDown');
    },
    'a model': () => page.selectOption('#model', 'gemini-2.5-pro'),
    'the New chat button': () => page.click('#new'),
    'a key, which selects another service': () => setKey(validKey),
  };

  for (const [name, change] of Object.entries(changes)) {
    it(`can be undone: ${name}`, async () => {
      await askForWeather();
      await page.getByRole('button', { name: 'Request 1', exact: true }).click();
      await typeDraft();
      const before = await shown();
      await change();
      await page.getByText('No messages yet').waitFor();
      assert.deepEqual((await shown()).log, []);
      assert.equal(await message(), draft);
      await undo().click();
      assert.deepEqual(await shown(), before);
      assert.equal(await message(), draft);
      assert.equal(await undo().count(), 0);
      await ask('What time is it in Tokyo?');
      const { contents } = JSON.parse(await shownBody());
      assert.match(JSON.stringify(contents), /weather in Paris and Rome.*Tokyo/);
      assert.match(await page.locator('.turn.model').last().textContent(), /get_time for Tokyo/);
      assert.deepEqual(complaints, []);
    });
  }

  it('announces Undo in the log and makes it reachable with the keyboard', async () => {
    await ask('Hello');
    await page.focus('#model');
    await page.keyboard.press('ArrowDown');
    const notice = page.getByRole('log').locator('.undo');
    await page.locator('#log').evaluate((log) => {
      window.politeness = [];
      const note = () => window.politeness.push(log.ariaLive);
      new MutationObserver(note).observe(log, { attributes: true, attributeFilter: ['aria-live'] });
    });
    const text = /^New conversation with gemini-4-argon\. .*until you send a message\.Undo$/;
    assert.match(await notice.textContent(), text);
    assert.equal(await focused(), 'model');
    await tabTo(undo());
    await page.keyboard.press('Enter');
    assert.equal(await focused(), 'instruction');
    await page
      .getByRole('status')
      .getByText('Restored the conversation with gemini-3.8-flash')
      .waitFor();
    assert.deepEqual(await messages(), ['Hello']);
    // Restored messages are not announced again.
    await page.waitForFunction(() => window.politeness.length === 2);
    assert.deepEqual(await page.evaluate(() => window.politeness), ['off', null]);
    assert.deepEqual(complaints, []);
  });

  it('keeps the conversation through further changes', async () => {
    await ask('Hello');
    const before = await shown();
    await page.focus('#model');
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowDown');
    await page.click('#new');
    await undo().click();
    assert.deepEqual(await shown(), before);
  });

  it('can be undone until a message is sent in the new conversation', async () => {
    await ask('Hello');
    await page.click('#new');
    await setKey('a b');
    await ask(draft);
    await page.getByText('key.invalid').waitFor();
    assert.equal(await message(), draft);
    assert.equal(await undo().count(), 1);
    await setKey('');
    assert.equal(await undo().count(), 1);
    await ask('Good morning');
    assert.equal(await undo().count(), 0);
    assert.deepEqual(await messages(), ['Good morning']);
  });

  it('offers no Undo for an empty conversation', async () => {
    await typeDraft();
    await page.selectOption('#model', 'gemini-2.5-pro');
    await page.click('#new');
    await setKey(validKey);
    assert.equal(await undo().count(), 0);
    assert.equal(await message(), draft);
  });

  it('returns an unanswered message to the input field', async () => {
    const emulator = createEmulator();
    let respond = never;
    await answerApi((request) => respond(request));
    await setKey(validKey);
    await askAndStop('Tell me about strata.');
    respond = emulator;
    await typeDraft();
    await page.selectOption('#model', 'gemini-2.5-pro');
    assert.equal(await message(), `Tell me about strata.\n${draft}`);
    await undo().click();
    assert.equal(await message(), draft);
    await tryAgain().click();
    await idle();
    await page.locator('.turn.model > .text').waitFor();
    assert.deepEqual(await messages(), ['Tell me about strata.']);
  });
});

describe('a change of the template', () => {
  it('keeps the conversation and applies to the next request', async () => {
    await ask('Hello');
    await typeDraft();
    await page.getByText('Static layer').click();
    await page.fill('#template', 'Speak like a sailor.');
    await page.locator('#template').blur();
    assert.deepEqual(await messages(), ['Hello']);
    assert.equal(await message(), draft);
    await page.click('#send');
    await idle();
    const { systemInstruction, contents } = JSON.parse(await shownBody());
    assert.equal(systemInstruction.parts[0].text, 'Speak like a sailor.');
    assert.match(JSON.stringify(contents), /"Hello".*"A draft/);
    assert.match(
      await page.locator('#request dl').textContent(),
      /no earlier answered request starts/,
    );
    assert.deepEqual(await messages(), ['Hello', draft]);
  });
});

describe('another key of the same service', () => {
  it('continues the conversation with its earlier requests', async () => {
    const requests = await answerApi(createEmulator());
    await setKey('the-first-key');
    await askForWeather();
    await setKey('the-second-key');
    await ask('And in Oslo?');
    assert.equal(await undo().count(), 0);
    assert.match(await shownBody(), /Paris and Rome.*And in Oslo/s);
    assert.match(
      await page.locator('#request dl').textContent(),
      /match the last answered request/,
    );
    await page.getByRole('button', { name: 'Request 1', exact: true }).click();
    await page.getByRole('button', { name: 'Request 2', exact: true }).click();
    await page.getByRole('button', { name: /^Drop the/ }).click();
    await page.getByRole('button', { name: 'Send it anyway' }).click();
    await page.locator('.break-it .answer:not(:empty)').waitFor();
    const keys = requests.map((request) => request.headers()['x-goog-api-key']);
    assert.deepEqual(new Set(keys.slice(0, 2)), new Set(['the-first-key']));
    assert.deepEqual(new Set(keys.slice(2)), new Set(['the-second-key']));
  });
});

describe('a rejected key', () => {
  const rejections = {
    'HTTP 400 API_KEY_INVALID': createEmulator({ apiKey: validKey }),
    'HTTP 401': apiError(401, 'UNAUTHENTICATED', 'Request had invalid credentials.'),
    'HTTP 403': apiError(403, 'PERMISSION_DENIED', 'Your API key was reported as leaked.'),
  };

  for (const [name, reject] of Object.entries(rejections)) {
    it(`keeps the message for the next key: ${name}`, async () => {
      const emulator = createEmulator({ apiKey: validKey });
      const requests = await answerApi((request) =>
        request.headers.get('x-goog-api-key') === validKey ? emulator(request) : reject(request),
      );
      await setKey(rejectedKey);
      await ask('Hello');
      const failure = await page.locator('.failure').textContent();
      assert.match(failure, new RegExp(name.slice(0, 8)));
      assert.match(failure, /Your message is kept\. Change the API key above, then try again\./);
      await typeDraft();
      await setKey(validKey);
      assert.deepEqual(await messages(), ['Hello']);
      await tryAgain().click();
      await page.locator('.turn.model > .text').waitFor();
      await idle();
      assert.deepEqual(await messages(), ['Hello']);
      assert.equal(await message(), draft);
      assert.equal(await page.locator('.failure button').count(), 0);
      await ask('And now?');
      assert.match(await shownBody(), /Hello.*And now\?/s);
      const keys = requests.map((request) => request.headers()['x-goog-api-key']);
      assert.deepEqual(keys, [rejectedKey, validKey, validKey]);
    });
  }

  it('keeps the message for the emulator', async () => {
    await answerApi(createEmulator({ apiKey: validKey }));
    await setKey(rejectedKey);
    await ask('Hello');
    await tryAgain().waitFor();
    await setKey('');
    assert.equal(await message(), 'Hello');
    await page.click('#send');
    await page.locator('.turn.model > .text').waitFor();
  });

  it('keeps message and conversation if it is not a valid header value', async () => {
    await ask('Hello');
    await setKey('a b');
    assert.deepEqual(await messages(), ['Hello']);
    await ask(draft);
    const failure = await page.locator('.failure').textContent();
    assert.match(failure, /key\.invalid.*Your message is kept\. Change the API key above/s);
    assert.equal(await message(), draft);
    await setKey('');
    assert.equal(await undo().count(), 0);
    await page.click('#send');
    await idle();
    assert.match(await shownBody(), /Hello.*A draft/s);
    assert.deepEqual(await messages(), ['Hello', draft]);
    assert.deepEqual(complaints, []);
  });
});

describe('an unanswered message', () => {
  it('returns to the input field after context.too_large, and can be shortened', async () => {
    await ask('Hello');
    await hideLongTexts();
    const long = `${'word '.repeat(200)}\n`.repeat(4500);
    await page.locator('#instruction').evaluate((field, text) => (field.value = text), long);
    await page.click('#send');
    await idle();
    assert.match(await page.locator('.failure').textContent(), /context\.too_large/);
    await page.fill('#instruction', 'typed since');
    await edit().click();
    assert.equal(await message(), `${long}\ntyped since`);
    assert.equal(await focused(), 'instruction');
    assert.deepEqual(await messages(), ['Hello']);
    assert.equal(await page.locator('.failure').count(), 0);
    await ask('Short');
    assert.doesNotMatch(await shownBody(), /word word/);
    assert.deepEqual(await messages(), ['Hello', 'Short']);
    assert.equal(await page.locator('.turn.model').count(), 2);
    assert.deepEqual(complaints, []);
  });

  it('returns to the input field, and its tool calls are removed', async () => {
    const emulator = createEmulator({ faults: [{ at: 2, kind: 'http503' }] });
    await answerApi(emulator);
    await setKey(validKey);
    await askForWeather();
    assert.match(await page.locator('.failure').textContent(), /HTTP 503/);
    await edit().click();
    assert.equal(await message(), 'What is the weather in Paris and Rome?');
    await page.getByText('No messages yet').waitFor();
    assert.equal(await page.locator('.tool').count(), 0);
    await page.click('#send');
    await idle();
    assert.equal(await page.locator('.tool').count(), 2);
    assert.match(await page.locator('.turn.model').last().textContent(), /Paris.*Rome/s);
  });

  it('returns to the input field one by one when there are two', async () => {
    await answerApi(never);
    await setKey(validKey);
    await askAndStop('First');
    await askAndStop('Second');
    await edit().click();
    assert.equal(await message(), 'Second');
    await page.getByText('has no answer yet').waitFor();
    await edit().click();
    assert.equal(await message(), 'First\nSecond');
    assert.deepEqual(await messages(), []);
    assert.equal(await edit().count(), 0);
    assert.equal(await focused(), 'instruction');
  });
});

describe('the lint result of a request', () => {
  beforeEach(() => answerApi(createEmulator({ apiKey: validKey })));

  it('does not claim that the API accepted a request it rejected', async () => {
    await setKey(rejectedKey);
    await ask('Hello');
    assert.match(await page.locator('.failure').textContent(), /HTTP 400/);
    const facts = await page.locator('#request dl').textContent();
    assert.match(facts, /Lintno errors found/);
    assert.doesNotMatch(await page.locator('#view-chat').textContent(), /accepted/);
  });
});
