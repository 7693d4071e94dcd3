// The view Lint in Chromium, Firefox and WebKit: see why a request fails, repair it, take it away, paste anything.
import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';
import { inEachBrowser } from './drivers.mjs';

const verdict = '[aria-label=Verdict]';
const repairAll = `${verdict} button.main`;
const made = '[aria-label=Repaired]';
const chip = '.lint-head span.chip';
const counts = '.lint-bar';
const requests = '.request-list button';
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
  const message = 'Please ensure that function call turn comes immediately after a user turn';
  const entries = bodies.map((body, i) => ({
    request: { method: 'POST', url, postData: { text: JSON.stringify(body) } },
    response:
      i === 0
        ? { status: 200, content: { text: '{}' } }
        : { status: 400, content: { text: JSON.stringify({ error: { code: 400, message } }) } },
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

/** Copies a text from a field, with keys only. */
async function copy(page, text) {
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
}

/** Replaces the text of the editor by pasting. */
async function paste(page, text) {
  await copy(page, text);
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
      document.querySelector('.lint-input').dispatchEvent(new DragEvent('drop', options));
    },
    text,
    name,
  );
const selectedLine = (page) => page.text('.cm-activeLineGutter.cm-gutterElement');

inEachBrowser('the view Lint', (page, alike) => {
  const text = (css) => page.evaluate((one) => document.querySelector(one)?.textContent, css);
  const verdictIs = (words) => page.waitForText(verdict, words);

  afterEach(async () => {
    assert.deepEqual(await page.complaints(), []);
    assert.deepEqual(await page.origins(), [new URL(page.url).origin]);
  });

  it('says what Google answers, where and why, and repairs one finding after the other', async () => {
    await verdictIs('Google answers 400 to this request');
    assert.match(
      await text(verdict),
      /number of function response parts.*2 errors, both repairable/,
    );
    assert.equal(await text('.lint-head h2'), 'Example request');
    await page.waitForText(chip, 'JSON body · 7 turns · 135 lines');
    const finding = '[data-code="response.count"]';
    await page.waitFor('.cm-lintRange-error');
    await page.waitFor('.cm-lint-marker-error');
    await page.click(`${finding} summary`);
    await page.waitFor(`${finding} .sources a`);
    assert.match(await text(finding), /Reported by users of the API/);

    await page.click(`${finding} .place-link`);
    assert.equal(await focused(page, '.cm-content'), true);
    assert.equal((await selectedLine(page)).trim(), '35');

    await clickButton(page, finding, 'Add an error result for call-2');
    await page.waitForText(made, 'Added an error result for call-2. ');
    await page.waitForText('.cm-inserted', '"functionResponse": {');
    await verdictIs('Function call is missing a thought_signature');
    await clickButton(page, verdict, 'Repair');
    await verdictIs('No rule refuses this request');
    assert.equal(await focused(page, `${verdict} h2`), true);
    await page.waitForText(verdict, 'cURL');
    assert.match(await text(made), /Added a placeholder signature\. Better: send back/);

    await page.click(`${made} li:first-child button`);
    await page.waitFor(
      () => !document.querySelector('[aria-label=Repaired]').textContent.includes('call-2'),
    );
    await verdictIs('1 error, repairable');
    assert.match(await editorText(page), /skip_thought_signature_validator/);
    await page.press('Control+z');
    await verdictIs('2 errors, both repairable');
  });

  it('is operated with the keyboard alone', async () => {
    await page.waitFor('.cm-content');
    await verdictIs('both repairable');
    await tabTo(page, '.cm-content');
    await page.press('Tab');
    assert.equal(await focused(page, '.cm-content'), false);
    await tabTo(page, '.finding.error .place-link');
    await page.press('Enter');
    await page.waitFor(() => document.activeElement.matches('.cm-content'));
    await tabTo(page, repairAll);
    await page.press('Enter');
    await verdictIs('No rule refuses this request');
    assert.equal(await focused(page, `${verdict} h2`), true);
    await tabTo(page, `${made} button`);
    await page.press('Enter');
    await verdictIs('1 error, repairable');
  });

  it('removes credentials from what is pasted, and lists the requests of a HAR file', async () => {
    await page.waitFor('.cm-content');
    await paste(page, harOf(harmless, unsigned('Paris')));
    await page.waitForText(chip, 'HAR file · 2 requests');
    await page.waitForText('.lint-notice', '2 API keys or tokens were removed');
    assert.doesNotMatch(await editorText(page), /AIza/);
    await verdictIs('1 error');
    const options = await page.evaluate(
      (css) => [...document.querySelectorAll(css)].map(({ textContent }) => textContent),
      requests,
    );
    assert.match(options[0], /^entry 1, generateContent.*200No errors/);
    assert.match(
      options[1],
      /^entry 2, generateContent.*400 Please ensure that function call turn.*1 error/,
    );
    await page.focus(requests);
    await page.press('Enter');
    await verdictIs('No rule refuses this request');
    await paste(page, JSON.stringify(harmless));
    await page.waitForText(chip, 'JSON body');
    await page.waitFor(() => document.querySelector('.lint-notice').hidden);
  });

  alike('marks characters that change the direction of the text', async () => {
    await page.waitFor('.cm-content');
    const text = 'ok \u202ecba \u202a \u2068';
    await paste(page, JSON.stringify({ contents: [{ role: 'user', parts: [{ text }] }] }));
    await page.waitFor(() => document.querySelectorAll('.cm-specialChar').length === 3);
  });

  alike('lists the findings of the chosen request, however many others there are', async () => {
    await page.waitFor('.cm-content');
    const empty = JSON.stringify({ contents: [] });
    await paste(page, `${`${empty}\n`.repeat(1200)}${JSON.stringify(unsigned('Paris'))}`);
    await page.waitForText(chip, 'JSON Lines');
    const last = () =>
      page.evaluate((css) => [...document.querySelectorAll(css)].at(-1).click(), requests);
    await last();
    await page.waitFor(() => document.querySelectorAll('.request-list button').length === 1201);
    await last();
    await page.waitFor('[data-code="signature.missing"]');
    await page.waitFor('.cm-lintRange-error');
  });

  it('takes pastes anywhere in place of the example, and scrolls to the first error', async () => {
    await page.waitFor('.cm-content');
    const long = JSON.stringify(
      {
        contents: [
          ...unsigned('Oslo').contents,
          ...Array(80).fill(unsigned('Rome').contents).flat(),
        ],
      },
      null,
      2,
    );
    await copy(page, long);
    await page.evaluate(() => document.activeElement.blur());
    await page.press('Control+v');
    await page.waitForText('#offers', 'Pasted the request.');
    await verdictIs('Google answers 400');
    assert.equal(await text('.lint-head h2'), 'Request');
    await page.waitFor(
      () => document.querySelector('.cm-lintRange-error')?.getClientRects().length > 0,
    );
    await clickButton(page, '#offers', 'Undo');
    await page.waitForText('.lint-head h2', 'Example request');
  });

  alike('keeps a request that was pasted over the whole example when one types on', async () => {
    await page.waitFor('.cm-content');
    await paste(page, JSON.stringify(unsigned('Oslo')));
    await page.waitForText('.lint-head h2', 'Request');
    await page.press('Enter');
    await page.waitForText('.cm-lineNumbers', '2');
    assert.match(await text('.cm-content'), /Oslo/);
  });

  alike('says where a text stops being JSON, while one types', async () => {
    await page.waitFor('.cm-content');
    await paste(page, '{\n  "contents": [\n    {"role": "user" "parts": []}\n  ]\n}');
    await page.waitForText('.finding.error', 'line 3');
    await paste(page, '');
    await verdictIs('Nothing to check yet');
    await page.type('{}');
    await page.waitFor('[data-code="contents.empty"]');
  });

  alike(
    'judges for the model and the service of the settings, where the request names none',
    async () => {
      await verdictIs('both repairable');
      await page.waitForText('button.chip', 'gemini-3.8-flash · Gemini APIdefault');
      await page.click('button.chip');
      await page.waitFor(() => document.activeElement.id === 'model');
      await page.evaluate(() => {
        const model = document.querySelector('#model');
        model.value = 'gemini-2.5-flash';
        model.dispatchEvent(new Event('change', { bubbles: true }));
      });
      await page.waitFor(() => !document.querySelector('[data-code="signature.missing"]'));
      await page.waitForText('button.chip', 'gemini-2.5-flash · Gemini APIdefault');
      await page.click('[aria-label=Settings] button');
      const url =
        'https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:generateContent';
      await page.waitFor('.cm-content');
      await paste(page, `curl ${url} -d '${JSON.stringify(harmless)}'`);
      await page.waitForText('button.chip', 'gemini-3.8-flash · Gemini APIdetected');
    },
  );

  alike('formats a log of one line, and keeps the text in the session', async () => {
    await page.waitFor('.cm-content');
    await paste(page, JSON.stringify(unsigned('Oslo')));
    await verdictIs('1 error');
    await page.waitForText('.finding .place-link', 'Turn 2');
    await clickButton(page, '.lint-head', 'Format');
    await page.waitForText('.finding .place-link', 'Line 1');
    await clickButton(page, '.lint-head', 'Clear');
    await verdictIs('Nothing to check yet');
    await clickButton(page, '#offers', 'Undo');
    await verdictIs('1 error');
    await page.waitForText('#saving', 'Saved');
    await page.reload();
    await verdictIs('1 error');
    await page.waitFor('.cm-content');
    assert.match(await editorText(page), /Oslo/);
  });

  it('opens a dropped file, and refuses one that is too long', async () => {
    await verdictIs('both repairable');
    const lines = `${JSON.stringify(harmless)}\n${JSON.stringify({ request: unsigned('Lima') })}\n`;
    await drop(page, lines, 'lines.jsonl');
    await page.waitForText(chip, 'JSON Lines');
    await page.waitForText('#offers', 'Opened lines.jsonl');
    await page.waitForText('.place-link', 'Line 2');
    await drop(page, lines.padEnd(7_000_000), 'lines.jsonl');
    await page.waitForText('.lint-notice', '7 million characters and was not inserted');
    assert.match(await text(counts), /1 error/);
  });

  alike('says that a paste was too long, and keeps the text before', async () => {
    await page.waitFor('.cm-content');
    await paste(page, JSON.stringify(unsigned('Oslo')));
    await page.waitForText('.lint-head h2', 'Request');
    await paste(page, ' '.repeat(7_000_000));
    await page.waitForText('.lint-notice', '7 million characters and was not inserted');
    assert.match(await editorText(page), /Oslo/);
  });

  alike('keeps a command whose lines end as on Windows', async () => {
    const command = [
      'curl "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:generateContent"',
      "  -H 'Content-Type: application/json'",
      `  --data-raw '${JSON.stringify(harmless)}'`,
    ];
    await page.waitFor('.cm-content');
    await drop(page, command.join(' \\\r\n'), 'request.sh');
    await page.waitForText(chip, 'cURL command');
    await verdictIs('No rule refuses this request');
    assert.equal(await editorText(page), command.join(' \\\n'));
  });

  alike('repairs the request and continues it as a chat', async () => {
    await verdictIs('both repairable');
    await clickButton(page, verdict, 'Repair and try in Chat');
    await page.waitForText('[role=tabpanel]:not([hidden])', 'Book me a train to Rome.');
  });

  alike('says what a chat leaves out of the request that it continues', async () => {
    await page.waitFor('.cm-content');
    await paste(page, JSON.stringify({ ...harmless, tools: [{ googleSearch: {} }] }));
    await clickButton(page, verdict, 'Try it in Chat');
    await page.waitForText('#offers', 'Replaced the chat. Left out: googleSearch.');
    await page.waitFor(() => document.activeElement.id === 'instruction');
  });
});
