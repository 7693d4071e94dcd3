// Tools of the playground: they are declared, called, and answered by hand.
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

inEachBrowser('tools of the playground', (page, alike) => {
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

  alike('are declared as JSON, removed and restored', async () => {
    await openChat(page);
    await openTools(page);
    // Nothing is wrong before something was typed.
    assert.equal(await page.text('#tools-json-problem'), '');
    await fill(page, '#tools-json', '[{"description":"x"}]');
    await page.waitForText('#tools-json-problem', 'with a "name"');
    // A field that would not be sent is refused, so that it is not lost.
    await fill(page, '#tools-json', '[{"name":"count","behavior":"NON_BLOCKING"}]');
    await page.waitForText('#tools-json-problem', 'the field "behavior" of count');
    const parameters = { type: 'OBJECT', properties: { n: { type: 'STRING' } } };
    await fill(page, '#tools-json', JSON.stringify([{ name: 'count', parameters }]));
    await page.waitForText('#tools summary', 'Tools: 1');
    const text = () => page.evaluate(() => document.querySelector('#tools-json').value);
    await press(page, '#tools', 'Add a tool');
    await page.waitForText('#tools summary', 'Tools: 2');
    await press(page, '#tools', 'Remove all');
    await page.waitFor(() => document.querySelector('#tools-json').value === '');
    await press(page, '#offers', 'Undo');
    await page.waitForText('#tools summary', 'Tools: 2');
    assert.equal(JSON.parse(await text())[1].name, 'my_tool');
    assert.deepEqual(await page.complaints(), []);
  });

  alike('may be very many', async () => {
    const tools = Array.from({ length: 20_000 }, (_, i) => ({ ...weatherTool, name: `f${i}` }));
    await page.goto(linkTo(documentWith(tools)));
    await openTools(page);
    await page.waitForText('#tools summary', '20,000');
    assert.deepEqual(await page.complaints(), []);
  });

  alike('are broken on purpose: the prediction, the answer, and the accepted repair', async () => {
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
