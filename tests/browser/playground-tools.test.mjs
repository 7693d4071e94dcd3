// Tools of the playground: they are declared, checked, called, and answered by hand.
// "Break it" predicts, sends and repairs.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inEachBrowser } from './drivers.mjs';
import {
  ask,
  documentWith,
  fill,
  idle,
  linkTo,
  openChat,
  openTools,
  press,
  weatherTool,
} from './tools-page.mjs';

const question = 'What is the weather in Paris and Rome?';
const allText = (page, css) =>
  page.evaluate(
    (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent),
    css,
  );

async function breakRequest(page, label) {
  await press(page, '.break-it .actions', label);
  await press(page, '.break-it', 'Send it anyway to the emulator');
  await page.waitFor('.break-it .answer:not(:empty)');
}

inEachBrowser('tools of the playground', (page) => {
  it('are answered by hand, with checked JSON or an error', async () => {
    await page.goto(linkTo(documentWith([weatherTool])));
    await openChat(page);
    await ask(page, question);
    await page.waitFor('.tool:nth-of-type(2) .call-card');
    assert.equal((await allText(page, '.call-card')).length, 2);
    await press(page, '.call-card', 'Send this result');
    await page.waitForText('.call-card .problem', 'Write the result as JSON');
    await fill(page, '.call-card textarea', '{"celsius":');
    await press(page, '.call-card', 'Send this result');
    await page.waitForText('.call-card .problem', 'Not JSON');
    await fill(page, '.call-card textarea', '{"celsius": 3}');
    await press(page, '.call-card', 'Send this result');
    await page.waitFor(() => document.querySelectorAll('.call-card').length === 1);
    await fill(page, '.call-card textarea', 'no such city');
    await press(page, '.call-card', 'Send it as an error');
    await idle(page);
    const [first, second] = await allText(page, '.tool');
    assert.match(first, /get_weather\({ "city": "Paris" }\).*{ "output": { "celsius": 3 } }/s);
    assert.match(second, /get_weather\({ "city": "Rome" }\).*{ "error": "no such city" }/s);
    assert.deepEqual(await page.complaints(), []);
    assert.deepEqual(await page.origins(), [new URL(page.url).origin]);
  });

  it('are declared as JSON, checked, repaired, removed and restored', async () => {
    await openChat(page);
    await openTools(page);
    await press(page, '#tools', 'Edit as JSON');
    await fill(page, '#tools-json', '[{"description":"x"}]');
    await press(page, '#tools', 'Apply');
    await page.waitForText('#tools .problem', 'with a "name"');
    // A field that would not be sent is refused, so that it is not lost.
    await fill(page, '#tools-json', '[{"name":"count","behavior":"NON_BLOCKING"}]');
    await press(page, '#tools', 'Apply');
    await page.waitForText('#tools .problem', 'the field "behavior" of count');
    const parameters = { type: 'OBJECT', properties: { n: { type: 'STRING', const: 'a' } } };
    await fill(page, '#tools-json', JSON.stringify([{ name: 'count', parameters }]));
    await press(page, '#tools', 'Apply');
    await page.waitForText('#tools summary', 'count');
    await page.evaluate(() => (document.querySelector('#tools .one').open = true));
    await page.waitForText('#tools .problem', 'schema.unknown_keyword');
    const invalidFields = () =>
      page.evaluate(() =>
        ['name', 'description', 'parameters'].filter(
          (name) => document.querySelector(`#tool-1-${name}`).ariaInvalid === 'true',
        ),
      );
    assert.deepEqual(await invalidFields(), ['parameters']);
    await press(page, '#tools', 'Repair the parameters');
    await page.waitFor(() => !document.querySelector('#tools .problem'));
    const repaired = await page.evaluate(() => document.querySelector('#tool-1-parameters').value);
    assert.equal(JSON.parse(repaired).properties.n.const, undefined);
    await fill(page, '#tool-1-parameters', '{"type":');
    await page.waitForText('#tools .problem', 'Parameters:');
    await fill(page, '#tool-1-parameters', '');
    await fill(page, '#tool-1-name', '');
    await page.waitForText('#tools .problem', 'Give the tool a name');
    assert.deepEqual(await invalidFields(), ['name']);
    await fill(page, '#tool-1-name', 'count');
    await press(page, '#tools', 'Remove');
    await page.waitFor(() => !document.querySelector('#tools .one'));
    await press(page, '#offers', 'Undo');
    await page.waitForText('#tools summary', 'count');
    // A new tool has no name yet, which is no mistake before its field was used.
    await press(page, '#tools', 'Add a tool');
    await page.waitFor(() => document.activeElement.id === 'tool-2-name');
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 600)));
    assert.equal(await page.text('#tools .one:nth-of-type(2) .problem'), null);
    assert.deepEqual(await page.complaints(), []);
  });

  it('have a bounded number of forms, however many a link declares', async () => {
    const tools = Array.from({ length: 20_000 }, (_, i) => ({ ...weatherTool, name: `f${i}` }));
    await page.goto(linkTo(documentWith(tools)));
    await page.waitForText('#tools > summary', '20,000');
    const forms = () => page.evaluate(() => document.querySelectorAll('#tools .one').length);
    assert.equal(await forms(), 100);
    await page.waitForText('#tools', 'The first 100 of 20,000 tools have a form.');
    assert.deepEqual(await page.complaints(), []);
  });

  it('are broken on purpose: the prediction, the answer, and the accepted repair', async () => {
    await openChat(page);
    await ask(page, question);
    await page.waitForText('#tabs', '2');
    await idle(page);
    const expected = {
      'Drop the signatures': ['signature.missing', /^HTTP 400 .*thought_signature/],
      'Split the results': ['response.split', /^HTTP 400 .*function response/],
      'Empty a turn': ['parts.empty', /^HTTP 400 .*must not be empty/],
      'Merge two turns': ['response.interleaved', /^HTTP 400 .*function call/],
      'Swap two results': ['response.order', /^HTTP 200: accepted/],
      'Expire the cache': ['no check before sending can find this', /^HTTP 403 .*not found/],
    };
    for (const [label, [prediction, answer]] of Object.entries(expected)) {
      await breakRequest(page, label);
      const text = await page.text('.break-it .result');
      assert.ok(text.includes(prediction), `${label}: ${text}`);
      assert.match(await page.text('.break-it .answer:not(:empty)'), answer);
      await page.evaluate(() => {
        const send = document.querySelector('.break-it .step:last-child button');
        send.click();
      });
      await page.waitForText('.break-it .answer.accepted', 'HTTP 200: accepted.');
      await page.waitFor(() =>
        document.querySelector('.break-it .step:last-child .answer').textContent.includes('200'),
      );
    }
    assert.deepEqual(await page.complaints(), []);
  });
});
