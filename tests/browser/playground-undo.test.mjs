// The page in Chromium: nothing that was typed or said is lost by a change of the settings, by a key that
// is refused, or by a message that cannot be sent.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createEmulator } from 'prompt-strata';
import {
  answerApi,
  ask,
  askForWeather,
  complaints,
  idle,
  openPlayground,
  page,
  setKey,
  shownBody,
} from './playground.mjs';

const goodKey = 'a-key-that-the-emulator-takes';
const wrongKey = 'a-key-that-is-refused';
const draft = 'A draft, not sent yet';

openPlayground();

const undo = () => page.getByRole('button', { name: 'Undo' });
const edit = () => page.getByRole('button', { name: 'Edit message' });
const tryAgain = () => page.getByRole('button', { name: 'Try again' });
const focused = () => page.evaluate(() => document.activeElement.id);
const message = () => page.inputValue('#instruction');
const messages = () => page.locator('.turn.user .text').allTextContents();
const typeDraft = () => page.fill('#instruction', draft);

/** A service that does not answer. */
const never = () => new Promise(() => {});

async function askAndStop(text) {
  await page.fill('#instruction', text);
  await page.click('#send');
  await page.locator('.turn.user .text', { hasText: text }).waitFor();
  await page.click('#stop');
  await tryAgain().waitFor();
}

/** Everything that a reader sees of the conversation and its requests. */
const shown = () =>
  page.evaluate(() => ({
    log: [...document.querySelectorAll('.turn, .sent, .tool')].map((one) => one.textContent),
    tabs: [...document.querySelectorAll('#tabs button')].map((one) => one.ariaLabel),
    request: document.querySelector('#request').textContent,
    model: document.querySelector('#model').value,
    key: document.querySelector('#key').value,
  }));

/** Presses Tab until `locator` has the focus. */
async function tabTo(locator) {
  for (let presses = 0; presses < 20; presses += 1) {
    if (await locator.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail('Tab does not reach it');
}

/** Saves Chromium the layout of a text that is longer than what a model can read. */
const hideLongTexts = () =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.turn .text { display: none } textarea { white-space: pre }');
    document.adoptedStyleSheets.push(sheet);
  });

/** An error of the API, as Google writes it. */
const apiError = (code, status, text) => async () =>
  Response.json({ error: { code, message: text, status } }, { status: code });

describe('a change that starts a new conversation', () => {
  const changes = {
    'an arrow key in the list of models': async () => {
      await page.focus('#model');
      await page.keyboard.press('ArrowDown');
    },
    'a model': () => page.selectOption('#model', 'gemini-2.5-pro'),
    'the button for a new chat': () => page.click('#new'),
    'a key, which is another service': () => setKey(goodKey),
  };

  for (const [name, change] of Object.entries(changes)) {
    it(`can be undone: ${name}`, async () => {
      await askForWeather();
      await page.getByRole('button', { name: 'Request 1', exact: true }).click();
      await typeDraft();
      const before = await shown();
      await change();
      await page.getByText('Nothing said yet').waitFor();
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

  it('announces the offer in the log, and the keyboard reaches it', async () => {
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
    await page.getByRole('status').getByText('with gemini-3.8-flash is back').waitFor();
    assert.deepEqual(await messages(), ['Hello']);
    // What was announced before is not announced again.
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

  it('keeps it until a message enters the new conversation', async () => {
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

  it('offers nothing where nothing was said', async () => {
    await typeDraft();
    await page.selectOption('#model', 'gemini-2.5-pro');
    await page.click('#new');
    await setKey(goodKey);
    assert.equal(await undo().count(), 0);
    assert.equal(await message(), draft);
  });

  it('gives a message without an answer back, so that another model can answer it', async () => {
    const emulator = createEmulator();
    let respond = never;
    await answerApi((request) => respond(request));
    await setKey(goodKey);
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
  it('keeps the conversation and holds from the next request on', async () => {
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
    assert.match(await page.locator('dl').textContent(), /no answered request before it begins/);
    assert.deepEqual(await messages(), ['Hello', draft]);
  });
});

describe('another key of the same service', () => {
  it('continues the conversation, and what was sent before is not forgotten', async () => {
    const requests = await answerApi(createEmulator());
    await setKey('the-first-key');
    await askForWeather();
    await setKey('the-second-key');
    await ask('And in Oslo?');
    assert.equal(await undo().count(), 0);
    assert.match(await shownBody(), /Paris and Rome.*And in Oslo/s);
    assert.match(await page.locator('dl').textContent(), /those of the last answered request/);
    await page.getByRole('button', { name: 'Request 1', exact: true }).click();
    await page.getByRole('button', { name: 'Request 2', exact: true }).click();
    await page.getByRole('button', { name: /^Drop the/ }).click();
    await page.getByRole('button', { name: 'Send it anyway' }).click();
    await page.locator('.experiment .answer:not(:empty)').waitFor();
    const keys = requests.map((request) => request.headers()['x-goog-api-key']);
    assert.deepEqual(new Set(keys.slice(0, 2)), new Set(['the-first-key']));
    assert.deepEqual(new Set(keys.slice(2)), new Set(['the-second-key']));
  });
});

describe('a key that is refused', () => {
  const refusals = {
    'HTTP 400 API_KEY_INVALID': createEmulator({ apiKey: goodKey }),
    'HTTP 401': apiError(401, 'UNAUTHENTICATED', 'Request had invalid credentials.'),
    'HTTP 403': apiError(403, 'PERMISSION_DENIED', 'Your API key was reported as leaked.'),
  };

  for (const [name, refuse] of Object.entries(refusals)) {
    it(`keeps the message for the next key: ${name}`, async () => {
      const emulator = createEmulator({ apiKey: goodKey });
      const requests = await answerApi((request) =>
        request.headers.get('x-goog-api-key') === goodKey ? emulator(request) : refuse(request),
      );
      await setKey(wrongKey);
      await ask('Hello');
      const failure = await page.locator('.failure').textContent();
      assert.match(failure, new RegExp(name.slice(0, 8)));
      assert.match(failure, /Your message is kept\. Change the API key above, then try again\./);
      await typeDraft();
      await setKey(goodKey);
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
      assert.deepEqual(keys, [wrongKey, goodKey, goodKey]);
    });
  }

  it('keeps the message for the emulator, too', async () => {
    await answerApi(createEmulator({ apiKey: goodKey }));
    await setKey(wrongKey);
    await ask('Hello');
    await tryAgain().waitFor();
    await setKey('');
    assert.equal(await message(), 'Hello');
    await page.click('#send');
    await page.locator('.turn.model > .text').waitFor();
  });

  it('keeps message and conversation where no header can carry it', async () => {
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

describe('a message without an answer', () => {
  it('is taken back after context.too_large, and can be sent shorter', async () => {
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

  it('is taken back with the tool calls that came of it', async () => {
    const emulator = createEmulator({ faults: [{ at: 2, kind: 'http503' }] });
    await answerApi(emulator);
    await setKey(goodKey);
    await askForWeather();
    assert.match(await page.locator('.failure').textContent(), /HTTP 503/);
    await edit().click();
    assert.equal(await message(), 'What is the weather in Paris and Rome?');
    await page.getByText('Nothing said yet').waitFor();
    assert.equal(await page.locator('.tool').count(), 0);
    await page.click('#send');
    await idle();
    assert.equal(await page.locator('.tool').count(), 2);
    assert.match(await page.locator('.turn.model').last().textContent(), /Paris.*Rome/s);
  });

  it('is taken back after another one that has no answer either', async () => {
    await answerApi(never);
    await setKey(goodKey);
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

describe('what lint says of a request', () => {
  beforeEach(() => answerApi(createEmulator({ apiKey: goodKey })));

  it('is not taken for the word of the API, which refused it', async () => {
    await setKey(wrongKey);
    await ask('Hello');
    assert.match(await page.locator('.failure').textContent(), /HTTP 400/);
    const facts = await page.locator('dl').textContent();
    assert.match(facts, /Lintno errors found/);
    assert.doesNotMatch(await page.locator('body').textContent(), /accepted/);
  });
});
