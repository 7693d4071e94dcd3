// The playground of `npm start` in Chromium: it shows each request, sends signatures back, and shows the error of a
// request without its signature.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEmulator } from 'prompt-strata/testing';
import {
  answerApi,
  api,
  ask,
  askForWeather,
  complaints,
  coreLoaded,
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
import { stopAtFirstText } from './stop-at-first-text.mjs';

const layers = ['static', 'dynamic', 'buffered', 'trigger'];

openPlayground();

describe('the playground', () => {
  it('shows the calls, their results, the answer, and a request per step', async () => {
    await askForWeather();
    const tools = await page.locator('.tool').allTextContents();
    assert.equal(tools.length, 2);
    assert.match(tools[0], /get_weather\({ "city": "Paris" }\).*invented/s);
    assert.match(tools[1], /get_weather\({ "city": "Rome" }\).*invented/s);
    assert.match(await page.locator('.turn.model').last().textContent(), /Paris.*Rome/s);
    assert.equal(await page.locator('.thoughts').first().getAttribute('open'), null);
    assert.equal(await page.locator('#tabs button').count(), 2);
    assert.deepEqual([...origins], [new URL(url).origin]);
    assert.deepEqual(complaints, []);
  });

  it('shows the four layers, which together are the body', async () => {
    await askForWeather();
    const shown = page.locator('section.layer');
    assert.deepEqual(await shown.evaluateAll((all) => all.map((layer) => layer.ariaLabel)), layers);
    const body = JSON.parse(await shownBody());
    assert.deepEqual(Object.keys(body), [
      'systemInstruction',
      'tools',
      'generationConfig',
      'store',
      'contents',
    ]);
    assert.equal(body.contents.length, 4);
    assert.equal(body.contents[3].parts[1].functionResponse.response.output.city, 'Rome');
    const [call] = body.contents[2].parts.filter((part) => part.functionCall);
    assert.equal(await page.locator('.tool .signature').textContent(), call.thoughtSignature);
    await page.getByText('sent back in request 2, byte for byte').waitFor();
    const before = await shown.last().textContent();
    await page.getByLabel('indent for reading').check();
    assert.notEqual(await shown.last().textContent(), before);
  });

  it('reports a dropped signature with its path, and shows the error when it is sent anyway', async () => {
    await askForWeather();
    await page.getByRole('button', { name: 'Drop the signature' }).click();
    const finding = await page.locator('.break-it .findings').textContent();
    assert.match(finding, /signature\.missing at \/contents\/2\/parts\/\d+/);
    assert.match(finding, /Google answers: Function call is missing a thought_signature/);
    await page.getByRole('button', { name: 'Send it anyway' }).click();
    const answer = page.locator('.break-it .answer:not(:empty)');
    assert.match(
      await answer.textContent(),
      /^HTTP 400 INVALID_ARGUMENT: Function call is missing a thought_signature/,
    );
    await ask('What time is it in Tokyo?');
    assert.match(await page.locator('.turn.model').last().textContent(), /get_time for Tokyo/);
    assert.deepEqual(complaints, []);
  });

  it('stops, and resumes from the stored turn', async () => {
    const emulator = createEmulator();
    let respond = never;
    await answerApi((request) => respond(request));
    await setKey('a-key-that-is-none');
    await page.fill('#instruction', 'Tell me about strata.');
    await page.click('#send');
    await page.locator('.turn.user').waitFor();
    await page.click('#stop');
    await page.getByText('You stopped the answer.').waitFor();
    await idle();
    respond = emulator;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.turn.model .text').last().waitFor();
    await idle();
    assert.equal(await page.locator('.turn.user').count(), 1);
    assert.deepEqual(complaints, []);
  });

  it('sends requests with a key only to Google, in a header, and shows errors with their delay', async () => {
    const key = 'a-key-that-is-none';
    const requests = [];
    // The page can still load its own files.
    const own = new URL(url).origin;
    await page.route(
      ({ origin }) => origin !== own,
      (route) => {
        requests.push(route.request());
        return route.fulfill({
          status: 429,
          headers: { 'access-control-allow-origin': '*' },
          json: {
            error: {
              code: 429,
              status: 'RESOURCE_EXHAUSTED',
              message: 'Quota exceeded.',
              details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' }],
            },
          },
        });
      },
    );
    await page.fill('#key', key);
    await page.press('#key', 'Enter');
    await page.getByText('Using the Gemini API').waitFor();
    await ask('Hello');
    const failure = await page.locator('.failure').textContent();
    assert.match(failure, /HTTP 429 api\.RESOURCE_EXHAUSTED.*Quota exceeded\..*wait 34 s/s);
    assert.equal(requests.length, 1);
    assert.equal(requests[0].headers()['x-goog-api-key'], key);
    assert.ok(requests[0].url().startsWith(`${api}/v1beta/models/gemini-3.8-flash`));
    assert.ok(!`${requests[0].url()} ${page.url()}`.includes(key));
    const stored = await page.evaluate(() => Object.keys({ ...localStorage, ...sessionStorage }));
    assert.deepEqual(stored, ['prompt-strata session']);
    const session = await page.evaluate(() => sessionStorage.getItem('prompt-strata session'));
    assert.match(session, /^[\da-f-]{36}$/);
  });

  it('completes the variables of a template, and sends the rendered text', async () => {
    await page.getByText('Static layer').click();
    const field = page.locator('#template');
    const offered = () => page.locator('.completion:visible [role=option] b').allTextContents();
    await field.pressSequentially('Say {{ sys');
    assert.deepEqual(await offered(), ['system']);
    assert.equal(await field.getAttribute('aria-expanded'), 'true');
    await field.press('Tab');
    assert.deepEqual(await offered(), []);
    assert.equal(await field.inputValue(), 'Say {{ sys');
    await field.press('Backspace');
    await field.press('ArrowDown');
    await field.press('Tab');
    await field.pressSequentially('.date_');
    assert.deepEqual(await offered(), ['date_rfc1123', 'date_unix', 'date_unix_ms']);
    await field.press('ArrowDown');
    await field.press('Enter');
    await field.press('Escape');
    await field.pressSequentially(' }}{% for block in memory %}{{ block.te');
    assert.deepEqual(await offered(), ['text']);
    await field.press('Enter');
    await field.pressSequentially(' }}{% endfor %} {{ "sys');
    assert.deepEqual(await offered(), []);
    await field.pressSequentially('tem" }} by {{ assistant.name }}');
    const source =
      'Say {{ system.date_unix }}{% for block in memory %}{{ block.text }}{% endfor %} ' +
      '{{ "system" }} by {{ assistant.name }}';
    assert.equal(await field.inputValue(), source);
    await field.blur();
    await ask('Hello');
    const { systemInstruction } = JSON.parse(await shownBody());
    assert.match(systemInstruction.parts[0].text, /^Say \d{10} system by Prompt Strata$/);
    assert.deepEqual(complaints, []);
  });

  it('sends nothing with a template that does not compile, and shows its place', async () => {
    await page.getByText('Static layer').click();
    await page.fill('#template', '{{ unclosed');
    await page.locator('#template').blur();
    await ask('Hello');
    const failure = page.locator('.failure').filter({ hasText: 'template.syntax' });
    assert.match(await failure.textContent(), /\/static\/template, line 1, column \d+:/);
    assert.equal(await page.inputValue('#instruction'), 'Hello');
    await page.fill('#template', '{{ "" }}');
    await page.locator('#template').blur();
    await ask('Hello');
    assert.match(
      await page.locator('section.static').textContent(),
      /the template rendered no text/,
    );
  });

  it('keeps a text that could not be sent', async () => {
    const field = page.locator('#instruction');
    await page.fill('#key', 'a b');
    await page.press('#key', 'Enter');
    await page.getByText('Invalid API key').waitFor();
    assert.ok(await field.evaluate((one) => one === document.activeElement));
    await ask('Hello');
    await page.getByText('key.invalid').first().waitFor();
    assert.equal(await field.inputValue(), 'Hello');
    await page.fill('#key', '');
    await page.press('#key', 'Enter');
    await coreLoaded();
    await page.press('#instruction', 'Control+Enter');
    await page.locator('.turn.model > .text').waitFor();
  });

  it('can be stopped before the core is loaded, and reports that the core is not running', async () => {
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
    await page.getByText('The core failed to load').waitFor();
    // The settings load a core as well. This is the failure of the one that the next message would wait for.
    await page.locator('.failure:not(.stopped)').waitFor();
    await page.unroute('**/load-core-*.js');
    await page.click('#send');
    await page.locator('.turn.model > .text').waitFor();
    assert.equal(await page.locator('.turn.user').count(), 1);
  });

  it('offers Try again only while a message has no answer', async () => {
    await page.evaluate(stopAtFirstText);
    await page.fill('#instruction', 'Tell me about strata.');
    await page.click('#send');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await ask('Tell me about strata.');
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
  });

  it('keeps focus on a control', async () => {
    const focused = () => page.evaluate(() => document.activeElement.id);
    await answerApi(never);
    await setKey('a-key-that-is-none');
    await page.fill('#instruction', 'Hello');
    await page.focus('#send');
    await page.keyboard.press('Enter');
    assert.equal(await focused(), 'send');
    await page.locator('.turn.user').waitFor();
    await page.getByRole('button', { name: 'What time is it' }).click({ force: true });
    await page.focus('#stop');
    await page.keyboard.press('Enter');
    await idle();
    assert.equal(await focused(), 'send');
    assert.equal(await page.locator('.turn.user').count(), 1);
  });

  it('explains that a model without signatures accepts calls without them', async () => {
    await page.selectOption('#model', 'gemini-2.5-flash');
    await askForWeather();
    await page.getByRole('button', { name: /^Drop the/ }).click();
    const explanation = await page.locator('.break-it').textContent();
    assert.match(explanation, /gemini-2\.5-flash accepts calls without signatures/);
  });

  it('keeps the log readable and the footer uncovered in low windows', async () => {
    for (const [width, height] of [
      [1024, 600],
      [1280, 620],
      [1280, 420],
      [1440, 900],
    ]) {
      await page.setViewportSize({ width, height });
      await askForWeather();
      const boxes = await page.evaluate(() =>
        ['.log', '.composer', 'footer', '.place'].map((name) =>
          document.querySelector(name).getBoundingClientRect().toJSON(),
        ),
      );
      const [log, composer, footer, place] = boxes;
      assert.ok(log.height >= 200, `${height}: ${log.height}`);
      assert.ok(composer.bottom <= footer.top && place.bottom <= footer.top, String(height));
      if (height === 900) assert.ok(footer.bottom <= height);
    }
  });

  it('marks an answer that was cut as discarded', async () => {
    const candidates = [{ content: { role: 'model', parts: [{ text: 'Once upon' }] } }];
    await page.route(`${api}/**`, (route) =>
      route.fulfill({
        headers: { 'access-control-allow-origin': '*', 'content-type': 'text/event-stream' },
        body: `data: ${JSON.stringify({ candidates })}\r\n\r\n`,
      }),
    );
    await page.fill('#key', 'a-key-that-is-none');
    await page.press('#key', 'Enter');
    await ask('Hello');
    const answer = await page.locator('.turn.model.discarded').textContent();
    assert.match(answer, /Once upon.*This answer was discarded/);
    assert.match(await page.locator('.failure').textContent(), /answer\.cut/);
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 1);
  });

  it('has unique accessible names, and distinct layers in forced colors', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await askForWeather();
    const names = await page
      .getByRole('button', { name: /^Copy/ })
      .evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel));
    assert.ok(names.length >= 4);
    assert.equal(new Set(names).size, names.length);
    const colors = await page
      .locator('.strip span')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
    assert.equal(new Set(colors).size, 5);
    assert.equal(await page.getByLabel('Conversation').count(), 1);
  });

  it('enforces its content security policy', async () => {
    const policy = await page
      .locator('meta[http-equiv="Content-Security-Policy"]')
      .getAttribute('content');
    assert.equal(
      policy,
      "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; " +
        `connect-src 'self' ${api}; frame-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; ` +
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
    await page.getByText('Static layer').click();
    await askForWeather();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(width, 360);
    const sizes = await page
      .locator('input:not([type="checkbox"]), select, textarea')
      .evaluateAll((fields) => fields.map((field) => parseFloat(getComputedStyle(field).fontSize)));
    assert.ok(sizes.every((size) => size >= 16));
    await page.getByRole('button', { name: /^Request 1:/ }).click();
    const top = await page.locator('#tabs').evaluate((tabs) => tabs.getBoundingClientRect().top);
    assert.ok(top < 40, String(top));
  });
});
