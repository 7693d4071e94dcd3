// The chat of `npm start` in Chromium, with the emulator and with a simulated API: requests and signatures, errors, keys,
// models and services that change, stopped and missing answers, focus, and the policy of the page.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEmulator } from 'prompt-strata/testing';
import {
  answerApi,
  api,
  ask,
  askForWeather,
  complaints,
  idle,
  never,
  openChat,
  openPlayground,
  origins,
  page,
  setKey,
  shownBody,
  url,
} from './playground.mjs';

const key = 'a-key-that-the-emulator-takes';

openPlayground();

const getAnswer = () => page.getByRole('button', { name: 'Get an answer' });
const button = (name) => page.getByRole('button', { name, exact: true });
const facts = () => page.locator('#request dl').textContent();
const messages = () => page.locator('.turn.user .text').allTextContents();
const focused = () => page.evaluate(() => document.activeElement.id);

const apiError =
  (code, status, text, details = []) =>
  async () =>
    Response.json({ error: { code, message: text, status, details } }, { status: code });

describe('a request of the chat', () => {
  it('is shown with its four layers, which together are the body', async () => {
    await askForWeather();
    const tools = await page.locator('.tool').allTextContents();
    assert.match(tools[0], /get_weather\({ "city": "Paris" }\).*invented/s);
    assert.match(tools[1], /get_weather\({ "city": "Rome" }\).*invented/s);
    const shown = page.locator('section.layer');
    const body = JSON.parse(await shownBody());
    const [call] = body.contents.flatMap(({ parts }) => parts).filter((part) => part.functionCall);
    assert.equal(
      await page.locator('.tool .signature').first().textContent(),
      call.thoughtSignature,
    );
    await page.getByText('sent back in request 2, byte for byte').first().waitFor();
    const before = await shown.last().textContent();
    await page.getByLabel('indent for reading').check();
    assert.notEqual(await shown.last().textContent(), before);
    const names = await page
      .getByRole('button', { name: /^Copy/ })
      .evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel));
    assert.ok(names.length >= 4);
    assert.equal(new Set(names).size, names.length);
    // The library's own order: what changes with each request stands behind the history.
    await ask('And now?');
    await page.locator('#tabs [aria-current]').getByText('3').waitFor();
    const order = await shown.evaluateAll((all) => all.map((layer) => layer.ariaLabel));
    assert.deepEqual(order, ['static', 'buffered', 'dynamic', 'trigger']);
    assert.deepEqual([...origins], [new URL(url).origin]);
    assert.deepEqual(complaints, []);
  });

  it('is copied as code without the signatures of the emulator', async () => {
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => void (window.copied = text);
    });
    await askForWeather();
    assert.match(await shownBody(), /cHJvbXB0LXN0cmF0YSBlbXVsYXRlZCBzaWduYXR1cmU6/);
    for (const name of ['prompt-strata', 'cURL', 'Python', '@google/genai', 'JSON']) {
      await page.getByRole('button', { name: `Copy as ${name}` }).click();
      const copied = await page.evaluate(() => window.copied);
      assert.match(copied, /skip_thought_signature_validator/, name);
      assert.doesNotMatch(copied, /cHJvbXB0LXN0cmF0YSBlbXVsYXRlZ/, name);
    }
  });

  it('explains that a model without signatures accepts calls without them', async () => {
    await page.selectOption('#model', 'gemini-2.5-flash');
    await askForWeather();
    await page.getByRole('button', { name: /^Drop the/ }).click();
    const explanation = await page.locator('.break-it').textContent();
    assert.match(explanation, /gemini-2\.5-flash accepts calls without signatures/);
    assert.doesNotMatch(explanation, /Fix:|dummySignatures/);
  });
});

describe('a conversation', () => {
  it('stays when the model changes, and when the service does, which gets placeholders', async () => {
    await askForWeather();
    await page.selectOption('#model', 'gemini-2.5-pro');
    assert.equal(await page.locator('.turn').count(), 3);
    await ask('And now?');
    assert.match(await facts(), /gemini-2\.5-pro/);
    assert.match(await shownBody(), /Paris and Rome.*And now/s);
    await page.selectOption('#model', 'gemini-3.8-flash');
    const requests = await answerApi(createEmulator());
    await setKey(key);
    await ask('And at Google?');
    await page.getByText('replaced by the placeholder that Google documents').waitFor();
    const sent = requests.at(-1).postData();
    assert.match(sent, /Paris and Rome.*And at Google/s);
    assert.match(sent, /skip_thought_signature_validator/);
    assert.doesNotMatch(sent, /cHJvbXB0LXN0cmF0YSBlbXVsYXRlZ/);
    assert.deepEqual(complaints, []);
  });

  it('continues on the Interactions API of Google, and back', async () => {
    const requests = await answerApi(createEmulator({ checkSignatures: true }));
    await setKey(key);
    await page.selectOption('#wire', 'interactions');
    await askForWeather();
    await page.selectOption('#wire', 'generateContent');
    await ask('And in Oslo?');
    const paths = requests.map((request) => new URL(request.url()).pathname);
    assert.deepEqual(paths, [
      '/v1beta/interactions',
      '/v1beta/interactions',
      '/v1beta/models/gemini-3.8-flash:streamGenerateContent',
    ]);
    assert.match(await page.locator('.turn.model h3').first().textContent(), /steps/);
    assert.match(requests.at(-1).postData(), /"functionCall".*"thoughtSignature"/s);
    assert.deepEqual(complaints, []);
  });

  it('starts anew, and Undo brings the old one back', async () => {
    await ask('Hello');
    await page.fill('#instruction', 'A draft');
    await button('New chat').click();
    await page.getByText('No messages yet').waitFor();
    assert.equal(await page.inputValue('#instruction'), 'A draft');
    await button('Undo').click();
    await page.locator('.turn.model').waitFor();
    assert.deepEqual(await messages(), ['Hello']);
    await page.getByText('byte for byte as it was sent').waitFor();
  });
});

describe('an answer', () => {
  it('can be stopped, and requested later', async () => {
    const emulator = createEmulator();
    let respond = never;
    await answerApi((request) => respond(request));
    await setKey(key);
    await page.fill('#instruction', 'Tell me about strata.');
    await page.focus('#send');
    await page.keyboard.press('Enter');
    assert.equal(await focused(), 'stop');
    await page.locator('.turn.user').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('You stopped the answer.').waitFor();
    await getAnswer().waitFor();
    assert.equal(await focused(), 'send');
    respond = emulator;
    await getAnswer().click();
    await page.locator('.turn.model .text').last().waitFor();
    await idle();
    assert.equal(await getAnswer().count(), 0);
    assert.deepEqual(await messages(), ['Tell me about strata.']);
    assert.deepEqual(complaints, []);
  });

  it('that was cut is shown as discarded', async () => {
    const candidates = [{ content: { role: 'model', parts: [{ text: 'Once upon' }] } }];
    await page.route(`${api}/**`, (route) =>
      route.fulfill({
        headers: { 'access-control-allow-origin': '*', 'content-type': 'text/event-stream' },
        body: `data: ${JSON.stringify({ candidates })}\r\n\r\n`,
      }),
    );
    await setKey(key);
    await ask('Hello');
    const answer = await page.locator('.turn.model.discarded').textContent();
    assert.match(answer, /Once upon.*This answer was discarded/);
    assert.match(await page.locator('.failure').first().textContent(), /answer\.cut/);
    await getAnswer().waitFor();
  });

  it('of an edited turn waits while another one streams', async () => {
    const emulator = createEmulator();
    let isSilent = false;
    await answerApi((request) => (isSilent ? never() : emulator(request)));
    await setKey(key);
    await ask('Hello');
    await button('Edit turn 1').click();
    await page.locator('.turn-form textarea').fill('Hello, edited');
    isSilent = true;
    await page.fill('#instruction', 'And again');
    await page.press('#instruction', 'Enter');
    await button('Save').click();
    await page.getByText('Wait until the answer has ended.').waitFor();
    await button('Stop').click();
    await idle();
    await button('Save').click();
    await page.locator('.turn.user .text', { hasText: 'Hello, edited' }).waitFor();
  });
});

describe('an error', () => {
  it('of the API is shown with its delay; the key goes only to Google, in a header', async () => {
    const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' };
    const requests = await answerApi(
      apiError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.', [retry]),
    );
    await setKey(key);
    await ask('Hello');
    const failure = await page.locator('.failure').first().textContent();
    assert.match(failure, /HTTP 429 api\.RESOURCE_EXHAUSTED.*Quota exceeded\..*wait 34 s/s);
    assert.match(await facts(), /LintNo errors/);
    assert.equal(requests.length, 1);
    assert.equal(requests[0].headers()['x-goog-api-key'], key);
    assert.ok(!`${requests[0].url()} ${page.url()}`.includes(key));
  });

  it('of the network says what to do', async () => {
    await page.route(`${api}/**`, (route) => route.abort());
    await setKey(key);
    await ask('Hello');
    await page.getByText('Google could not be reached. Check the connection').waitFor();
    await page.fill('#instruction', 'typed since');
    await button('Edit message').click();
    assert.equal(await page.inputValue('#instruction'), 'Hello\ntyped since');
    await page.locator('.turn').waitFor({ state: 'detached' });
  });

  it('of a key keeps the message for the next key', async () => {
    const emulator = createEmulator({ apiKey: key });
    await answerApi(emulator);
    await setKey('a-key-that-is-refused');
    await ask('Hello');
    const failure = await page.locator('.failure').first().textContent();
    assert.match(failure, /Your message is kept\. Change the API key in the settings/);
    await setKey(key);
    await getAnswer().click();
    await page.locator('.turn.model > .text').waitFor();
    await idle();
    await setKey('a b');
    await ask('And now?');
    await page.getByText('key.invalid').first().waitFor();
    assert.equal(await page.inputValue('#instruction'), 'And now?');
    await setKey('');
    await page.press('#instruction', 'Enter');
    await idle();
    assert.deepEqual(await messages(), ['Hello', 'And now?']);
    assert.deepEqual(
      complaints.filter((text) => !text.includes('Failed to load')),
      [],
    );
  });

  it('of a core that does not load ends with the next message', async () => {
    let answer;
    const held = new Promise((resolve) => (answer = resolve));
    // The file of the core, which contains its module.
    await page.route('**/load-core-*.js', (route) => held.then(() => route.abort()));
    await page.reload();
    await openChat();
    await page.fill('#instruction', 'Hello');
    await page.click('#send');
    await page.click('#stop');
    await page.getByText('You stopped before anything was sent.').waitFor();
    assert.equal(await page.inputValue('#instruction'), 'Hello');
    answer();
    await page.locator('.failure:not(.stopped)').waitFor();
    await page.waitForLoadState('networkidle');
    await page.unroute('**/load-core-*.js');
    await page.click('#send');
    await page.locator('.turn.model > .text').waitFor();
    assert.equal(await page.locator('.turn.user').count(), 1);
  });
});

describe('the page', () => {
  it('sends with Enter and breaks the line with Shift+Enter', async () => {
    const field = page.locator('#instruction');
    await field.pressSequentially('one');
    await field.press('Shift+Enter');
    await field.pressSequentially('two');
    await field.press('Enter');
    await idle();
    assert.deepEqual(await messages(), ['one\ntwo']);
  });

  it('keeps the message field and the log in sight in low windows, beside the settings', async () => {
    await ask('Hello');
    for (const [width, height] of [
      [1280, 720],
      [1024, 600],
      [1440, 900],
    ]) {
      await page.setViewportSize({ width, height });
      const boxes = await page.evaluate(() =>
        ['.log', '.composer', '.place'].map((name) =>
          document.querySelector(name).getBoundingClientRect().toJSON(),
        ),
      );
      const [log, composer, place] = boxes;
      assert.ok(log.height >= 128, `${height}: ${log.height}`);
      assert.ok(composer.bottom <= height && place.bottom <= height, `${height}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight));
    }
  });

  it('enforces its content security policy', async () => {
    const policy = await page
      .locator('meta[http-equiv="Content-Security-Policy"]')
      .getAttribute('content');
    assert.equal(
      policy,
      "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; " +
        `connect-src 'self' ${api}; style-src 'self'; style-src-attr 'unsafe-inline'; ` +
        "img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'",
    );
    const violated = await page.evaluate(() => {
      const directives = [];
      const both = new Promise((resolve) =>
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
          if (directives.push(effectiveDirective) === 2) resolve(directives.sort());
        }),
      );
      document.body.append(Object.assign(document.createElement('script'), { textContent: '1' }));
      fetch('https://example.com').catch(() => {});
      return both;
    });
    assert.deepEqual(violated, ['connect-src', 'script-src-elem']);
  });

  it('fits a phone', async () => {
    await page.getByRole('button', { name: 'Close' }).click();
    await page.setViewportSize({ width: 360, height: 740 });
    await askForWeather();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    const sizes = await page
      .locator('.chat-view :is(input:not([type="checkbox"]), select, textarea)')
      .evaluateAll((fields) => fields.map((field) => parseFloat(getComputedStyle(field).fontSize)));
    assert.ok(sizes.every((size) => size >= 16));
    await page.getByRole('button', { name: /^Request 1:/ }).click();
    await page.locator('#tabs [aria-current]').getByText('1').waitFor();
    const top = await page.locator('#tabs').evaluate((tabs) => tabs.getBoundingClientRect().top);
    assert.ok(top < 740, String(top));
  });
});
