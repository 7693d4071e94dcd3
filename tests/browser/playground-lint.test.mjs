// The view Lint in Chromium, Firefox and WebKit: see why a request fails, repair it, step through its history, paste.
import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';
import { inEachBrowser } from './drivers.mjs';

const repairAll = '.lint-found .lint-head button';
const apply = '.repair-panel button.main';
const state = '.lint-state';
const verdict = '.verdict';
const slider = '.history input';
const key = `AIza${'x'.repeat(35)}`;

/** Returns a request whose call has no signature. */
const unsigned = (city) => ({
  contents: [
    { role: 'user', parts: [{ text: `The weather in ${city}?` }] },
    { role: 'model', parts: [{ functionCall: { name: 'weather', args: { city } } }] },
    {
      role: 'user',
      parts: [{ functionResponse: { name: 'weather', response: { sky: 'clear' } } }],
    },
  ],
});
const harmless = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };

/** Returns a HAR file with these bodies. */
function harOf(...bodies) {
  const url = `https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:generateContent?key=${key}`;
  const entries = bodies.map((body) => ({
    request: { method: 'POST', url, postData: { text: JSON.stringify(body) } },
  }));
  return JSON.stringify({ log: { entries } });
}

const focused = (page, css) =>
  page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, css);

/** Presses Tab until an element has the focus. */
async function tabTo(page, css, keys = 'Tab') {
  for (let presses = 0; presses < 40; presses += 1) {
    if (await focused(page, css)) return;
    await page.press(keys);
  }
  const where = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
  assert.fail(`${keys} does not reach ${css}; the focus is at ${where}`);
}

/** Replaces the text of the editor by pasting: the text is copied from a field, with keys only. */
async function paste(page, text) {
  await page.evaluate((copied) => {
    const field = document.createElement('textarea');
    field.id = 'copied';
    document.body.append(field);
    field.value = copied;
    field.focus();
    field.select();
  }, text);
  await page.press('Control+c');
  await page.evaluate(() => document.getElementById('copied').remove());
  await page.click('.cm-content');
  await page.press('Control+a');
  await page.press(text === '' ? 'Delete' : 'Control+v');
}

/** Clicks the first button inside `css` with this text. */
async function clickButton(page, css, text) {
  await page.waitForText(`${css} button`, text);
  await page.evaluate(
    (selector, label) =>
      [...document.querySelectorAll(`${selector} button`)]
        .find((one) => one.textContent === label)
        .click(),
    css,
    text,
  );
}

const editorText = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'),
  );
/** Drops a file on the editor. */
const drop = (page, text, name) =>
  page.evaluate(
    (content, file) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], file));
      const options = { dataTransfer, bubbles: true, cancelable: true };
      document.querySelector('.text-box').dispatchEvent(new DragEvent('drop', options));
    },
    text,
    name,
  );
const selectedLine = (page) => page.text('.cm-activeLineGutter.cm-gutterElement');

inEachBrowser('the view Lint', (page) => {
  afterEach(async () => {
    assert.deepEqual(await page.complaints(), []);
    assert.deepEqual(await page.origins(), [new URL(page.url).origin]);
  });

  it('explains, locates and repairs the findings of its example with the mouse', async () => {
    await page.waitForText(state, '2 errors');
    const finding = await page.text('.finding.error');
    assert.match(finding, /response\.count/);
    assert.match(finding, /Google answers:.*number of function response parts/);
    assert.match(finding, /Reported by users of the API/);
    await page.waitFor('.finding.error .evidence li a');
    await page.waitFor('.cm-lintRange-error');
    await page.waitFor('.cm-lint-marker-error');

    const place = /Line (\d+)/.exec(finding)[1];
    await page.click('.finding.error .place-link');
    assert.equal(await focused(page, '.cm-content'), true);
    assert.equal((await selectedLine(page)).trim(), place);

    assert.match(await page.text(verdict), /refused from here on\. Rules: response\.count/);
    await page.click('.finding.error .actions button:last-child');
    await page.waitForText(state, '1 error');
    await page.waitForText(verdict, 'signature.missing');
    assert.match(await page.text('#offers'), /Repaired response\.count/);

    await page.click(repairAll);
    await page.waitForText('.repair-panel', 'Make 1 of 1 repair');
    assert.match(await page.text('.difference'), /skip_thought_signature_validator/);
    await page.click('.hunk input');
    assert.match(await page.text(apply), /Make 0 of 1/);
    assert.equal(await page.evaluate((css) => document.querySelector(css).disabled, apply), true);
    await page.click('.hunk input');
    await page.click(apply);
    await page.waitForText(state, '1 note');
    await page.waitForText(verdict, 'breaks no rule');
    await page.click('#offers button');
    await page.waitForText(state, '1 error');
  });

  it('is operated with the keyboard alone', async () => {
    await page.waitFor('.cm-content');
    await page.waitForText(state, '2 errors');
    await tabTo(page, '.cm-content');
    await page.press('Tab');
    assert.equal(await focused(page, '.cm-content'), false);
    await tabTo(page, '.finding.error .place-link');
    await page.press('Enter');
    await page.waitFor(() => document.activeElement.matches('.cm-content'));
    await tabTo(page, repairAll);
    await page.press('Enter');
    await page.waitFor(() => document.activeElement.matches('.repair-panel h2'));
    await page.press('Escape');
    await page.waitFor((css) => document.activeElement.matches(css), repairAll);
    await page.press('Enter');
    await page.waitFor(apply);
    await tabTo(page, '.hunk input');
    await page.press(' ');
    await page.waitForText(apply, 'Make 1 of 2 repairs');
    await tabTo(page, apply, 'Shift+Tab');
    await page.press('Enter');
    await page.waitForText(state, '1 error');

    await tabTo(page, slider);
    await page.press('Home');
    await page.waitForText(verdict, 'breaks no rule');
    const spoken = await page.evaluate((css) => document.querySelector(css).ariaValueText, slider);
    assert.match(spoken, /^Content 0, user\. A request that ends here breaks no rule/);
    await page.press('ArrowRight');
    await page.waitForText('.history', 'Content 1: model, turn 1');
    await tabTo(page, '.history [role=listbox]');
    await page.press('End');
    await page.waitForText(verdict, 'is refused. Rules: response.count');
    const option = await page.evaluate(
      () =>
        document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))
          .textContent,
    );
    assert.match(option, /^6 tool results turn 2/);
  });

  it('removes credentials from what is pasted, and lets the user choose a request', async () => {
    await page.waitFor('.cm-content');
    await paste(page, harOf(harmless, unsigned('Paris')));
    await page.waitForText('.form-name', 'HAR file');
    await page.waitForText('.lint-notice', '2 API keys or tokens were removed');
    assert.doesNotMatch(await editorText(page), /AIza/);
    await page.waitForText(state, '1 error');
    const options = await page.evaluate(() =>
      [...document.querySelectorAll('#lint-request option')].map(({ textContent }) => textContent),
    );
    assert.match(options[0], /entry 1, generateContent: no errors/);
    assert.match(options[1], /entry 2, generateContent: 1 error/);
    await page.focus('#lint-request');
    await page.press('ArrowUp');
    await page.waitForText(state, 'No findings');
  });

  it('takes away the chosen request as code, and forgets the choice with the session', async () => {
    await page.waitFor('.cm-content');
    await paste(page, harOf(unsigned('Paris'), harmless));
    await page.waitForText(state, '1 error');
    await page.focus('#lint-request');
    await page.press('ArrowDown');
    await page.waitForText(state, 'No findings');
    await page.click('#lint-model');
    await page.type('gemini-2.5-flash');
    await page.press('Enter');
    await clickButton(page, '#bar', 'Share');
    const code = () => document.querySelector('.share .code')?.value;
    await page.waitFor(code);
    assert.deepEqual(JSON.parse(await page.evaluate(code)), harmless);
    await page.focus('#format');
    await page.press('ArrowDown');
    await page.waitFor(() =>
      document.querySelector('.share .code').value.includes('models/gemini-2.5-flash'),
    );
    await page.press('Escape');
    await clickButton(page, '#bar', 'Sessions');
    await clickButton(page, '.modal[open]', 'New session');
    await page.waitForText(state, '2 errors');
    assert.equal(await page.evaluate(() => document.querySelector('#lint-model').value), '');
  });

  it('lists the findings of the chosen request, however many others there are', async () => {
    await page.waitFor('.cm-content');
    const empty = JSON.stringify({ contents: [] });
    await paste(page, `${`${empty}\n`.repeat(1200)}${JSON.stringify(unsigned('Paris'))}`);
    await page.waitForText('.form-name', 'JSON Lines');
    await page.focus('#lint-request');
    await page.press('End');
    await page.waitForText('.finding', 'signature.missing');
    await page.waitForText(state, '1 error');
    await page.waitFor('.cm-lintRange-error');
  });

  it('says where a text stops being JSON, while one types', async () => {
    await page.waitFor('.cm-content');
    await paste(page, '{\n  "contents": [\n    {"role": "user" "parts": []}\n  ]\n}');
    await page.waitForText('.finding.error', 'json.');
    assert.match(await page.text('.finding.error'), /Line 3\b/);
    await paste(page, '');
    await page.waitForText(state, 'Nothing to lint yet');
    await page.waitForText('.lint .empty', 'Paste or drop');
    await page.type('{}');
    await page.waitForText('.finding.error', 'contents.empty');
  });

  it('judges for another model and another service than the request names', async () => {
    await page.waitForText(state, '2 errors');
    await page.click('#lint-model');
    await page.type('gemini-2.5-flash');
    await page.press('Enter');
    await page.waitFor(
      () => !document.querySelector('.findings-list').textContent.includes('signature.missing'),
    );
    assert.match(await page.text(state), /error|warning|note|No findings/);
  });

  it('keeps the text in the session, and restores it after Clear and after a reload', async () => {
    await page.waitFor('.cm-content');
    await paste(page, JSON.stringify(unsigned('Oslo')));
    await page.waitForText(state, '1 error');
    await page.evaluate(() =>
      [...document.querySelectorAll('.lint-input button')]
        .find(({ textContent }) => textContent === 'Clear')
        .click(),
    );
    await page.waitForText(state, 'Nothing to lint yet');
    await page.click('#offers button');
    await page.waitForText(state, '1 error');
    assert.match(await editorText(page), /Oslo/);
    await page.waitForText('#saving', 'Saved');
    await page.reload();
    await page.waitForText(state, '1 error');
    await page.waitFor('.cm-content');
    assert.match(await editorText(page), /Oslo/);
  });

  it('opens a dropped file, and refuses one that is too long', async () => {
    await page.waitForText(state, '2 errors');
    const lines = `${JSON.stringify(harmless)}\n${JSON.stringify({ request: unsigned('Lima') })}\n`;
    await drop(page, lines, 'lines.jsonl');
    await page.waitForText('.form-name', 'JSON Lines');
    await page.waitForText('#offers', 'Opened lines.jsonl');
    await page.waitForText(state, '1 error');
    await page.waitForText('.place-link', 'Line 2');
    await drop(page, lines.padEnd(7_000_000), 'lines.jsonl');
    await page.waitForText('.lint-notice', '7 million characters and was not inserted');
    await page.click('#offers button');
    await page.waitForText(state, '2 errors');
  });

  it('keeps a command whose lines end as on Windows', async () => {
    const command = [
      'curl "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:generateContent"',
      "  -H 'Content-Type: application/json'",
      `  --data-raw '${JSON.stringify(harmless)}'`,
    ];
    await page.waitFor('.cm-content');
    await paste(page, command.join(' \\\n'));
    await page.waitForText('.form-name', 'cURL command');
    await drop(page, command.join(' \\\r\n'), 'request.sh');
    await page.waitForText(state, 'No findings');
    assert.equal(await editorText(page), command.join(' \\\n'));
    await drop(
      page,
      JSON.stringify(unsigned('Lima'), null, 2).replaceAll('\n', '\r\n'),
      'crlf.json',
    );
    await page.waitForText('#offers', 'Opened crlf.json');
    assert.equal(await editorText(page), JSON.stringify(unsigned('Lima'), null, 2));
  });

  it('continues the repaired request as a chat, and says why it cannot continue a refused one', async () => {
    await page.waitForText(state, '2 errors');
    await page.click('.lint-input .actions button:last-child');
    await page.waitForText('.lint-found [role=alert]', 'A chat cannot continue this request');
    await page.click(repairAll);
    await page.click(apply);
    await page.waitForText(state, '1 note');
    await page.click('.lint-input .actions button:last-child');
    await page.waitForText('#view-chat', 'Book me a train to Rome.');
    await page.click('#offers button');
  });

  it('says what a chat leaves out of the request that it continues', async () => {
    await page.waitFor('.cm-content');
    await paste(page, JSON.stringify({ ...harmless, tools: [{ googleSearch: {} }] }));
    await page.waitForText(state, 'No findings');
    await page.click('.lint-input .actions button:last-child');
    await page.waitForText('#offers', 'Replaced the chat. Left out: googleSearch.');
  });
});
