// The Chat view in all three browsers, by mouse and by keyboard only: answers and their numbers, turns that are
// edited, deleted, branched and run again, and what a reload keeps.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inEachBrowser } from './drivers.mjs';
import { stopAtFirstText } from './stop-at-first-text.mjs';
import { idle, sent } from './tools-page.mjs';

const question = 'What is the weather in Paris and Rome?';

inEachBrowser('the Chat view', (page) => {
  const openChat = async () => {
    await page.click('#tab-chat');
    await page.waitFor('#tab-chat[aria-selected=true]');
    await page.waitForText('#version', 'prompt-strata');
  };
  const send = async (text) => {
    await page.focus('#instruction');
    await page.type(text);
    await page.press('Control+Enter');
    await sent(page);
    await idle(page);
  };
  const messages = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.turn.user > .text')].map((one) => one.textContent),
    );
  const turns = () => page.evaluate(() => document.querySelectorAll('.log > .turn').length);
  const waitForTurns = (count) =>
    page.waitFor((wanted) => document.querySelectorAll('.log > .turn').length === wanted, count);
  const turnButton = (action, turn) => `.turn-actions [aria-label="${action} turn ${turn}"]`;
  const isClean = async () => {
    assert.deepEqual(await page.complaints(), []);
    assert.deepEqual(await page.origins(), [new URL(page.url).origin]);
  };

  it('shows an answer with its numbers, its request and the raw answer', async () => {
    await openChat();
    await page.click('#examples button');
    await page.waitFor('.turn.user');
    await idle(page);
    await page.waitForText('.turn.model .text', 'Rome');
    assert.equal(await turns(), 3);
    const numbers = await page.text('.turn.model:last-of-type .numbers');
    assert.match(numbers, /Input[\d, ]+tokens \(estimated [\d,]+, [+−]\d+ %\)/);
    assert.match(numbers, /Cost \$0\.\d+ at the list price/);
    assert.match(numbers, /First piece after [\d,]+ ms/);
    assert.match(numbers, /End STOP: the model finished/);
    await page.waitForText('#request .raw-answer pre', '"finishReason":"STOP"');
    assert.match(await page.text('#request .raw-answer pre'), /^data: \{/);
    await isClean();
  });

  it('deletes a call only with its results, says why, and can undo it', async () => {
    await openChat();
    await send(question);
    await page.click(turnButton('Delete', 2));
    const reason = await page.text('.deletion');
    assert.match(reason, /no matching functionCall/);
    assert.match(reason, /Turn 3, Tools: result of get_weather, result of get_weather/);
    await page.click('.deletion .actions button');
    await waitForTurns(2);
    assert.equal(await page.text('.tool'), null);
    await page.waitForText('#offers', 'Deleted 2 turns');
    await page.click('#offers button');
    await waitForTurns(3);
    await page.waitForText('.tool', 'get_weather');
    await isClean();
  });

  it('edits, branches and runs again with the keyboard, and keeps all of it over a reload', async () => {
    const press = async (css, key) => {
      await page.focus(css);
      await page.press(key);
    };
    await openChat();
    await send('Hello');
    await send('And again');
    await waitForTurns(4);
    await press(turnButton('Edit', 1), 'Enter');
    await page.waitFor('.turn-form textarea');
    await page.type(' there');
    await page.press('Control+Enter');
    await page.waitFor(() => document.querySelectorAll('.log > .turn').length === 2);
    await idle(page);
    assert.deepEqual(await messages(), ['Hello there']);
    await press('.branches summary', 'Enter');
    await page.waitForText('.branches', 'And again (4 turns)');
    await press(turnButton('Run again', 2), 'Enter');
    await page.waitForText('.branches', 'Hello there (2 turns)');
    // The new answer has begun.
    await waitForTurns(2);
    await idle(page);
    await press('.branches li button', 'Enter');
    await waitForTurns(4);
    assert.deepEqual(await messages(), ['Hello', 'And again']);
    await page.waitForText('#saving', 'Saved');
    await page.waitForText('.requests-head', 'Kept until you leave or reload the page');
    await page.reload();
    await waitForTurns(4);
    assert.deepEqual(await messages(), ['Hello', 'And again']);
    assert.match(await page.text('.turn.model .numbers'), /End STOP/);
    await page.waitForText('.branches', 'Hello there (2 turns)');
    await isClean();
  });

  it('keeps a stopped answer in sight, also over a reload, and does not send it', async () => {
    await openChat();
    await page.evaluate(stopAtFirstText);
    await page.focus('#instruction');
    await page.type('Tell me about strata.');
    await page.press('Control+Enter');
    await page.waitForText('.turn.model.discarded', 'You stopped this answer. It is not part of');
    const text = await page.text('.turn.model.discarded > .text');
    await page.waitForText('#saving', 'Saved');
    await page.reload();
    await page.waitForText('.turn.model.discarded > .text', text);
    await page.waitForText('.failure', 'This message has no answer yet.');
    await page.click('.failure .actions button');
    await page.waitFor('.turn.model:not(.discarded) .numbers');
    const body = await page.evaluate(() =>
      [...document.querySelectorAll('.layer pre')].map((one) => one.textContent).join(''),
    );
    assert.doesNotMatch(body, /"role":"model"/);
    await isClean();
  });

  it('keeps what was said after a deletion when the deletion is undone', async () => {
    await openChat();
    await send('First');
    await send('Second');
    for (const [turn, left] of [
      [4, 3],
      [3, 2],
    ]) {
      await page.focus(turnButton('Delete', turn));
      await page.press('Enter');
      await waitForTurns(left);
    }
    await send('Third');
    await page.click('#offers button');
    await page.waitForText('.turn.user .text', 'Second');
    assert.deepEqual(await messages(), ['First', 'Second']);
    await page.waitForText('.branches', 'Third (4 turns)');
    await isClean();
  });

  it('shows Markdown without HTML, and loads nothing that an answer names', async () => {
    const hostile = [
      '# Title',
      '**bold** `<b>` [bad](javascript:alert(1)) [good](https://example.test/a)',
      '![picture](https://example.test/a.png) <img src=https://example.test/b.png onerror=alert(1)>',
      '<script>alert(1)</script>',
      '- one',
      '- two',
    ].join('\n\n');
    await openChat();
    await send('Hello');
    await page.click(turnButton('Edit', 2));
    await page.waitFor('.turn-form textarea');
    await page.evaluate((text) => {
      document.querySelector('.turn-form textarea').value = text;
    }, hostile);
    await page.click('.turn-form .actions button');
    await page.waitFor('.turn.model strong');
    const shown = await page.evaluate(() => {
      const answer = document.querySelector('.turn.model');
      const links = [...answer.querySelectorAll('a')];
      return {
        tags: ['img', 'script', 'b', 'iframe'].map((tag) => answer.querySelectorAll(tag).length),
        links: links.map(({ href, rel, target }) => [href, rel, target]),
        text: answer.querySelector(':scope > .text').textContent,
        bold: answer.querySelector('strong')?.textContent,
      };
    });
    assert.deepEqual(shown.tags, [0, 0, 0, 0]);
    const rel = 'noopener noreferrer';
    assert.deepEqual(shown.links, [
      ['https://example.test/a', rel, '_blank'],
      ['https://example.test/a.png', rel, '_blank'],
    ]);
    assert.match(shown.text, /good \(example\.test\).*image: picture \(example\.test\)/s);
    assert.match(shown.text, /<script>alert\(1\)<\/script>/);
    assert.equal(shown.bold, 'bold');
    await isClean();
  });
});
