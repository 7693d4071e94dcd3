// The Chat view in all three browsers: answers and their numbers, turns that are edited, deleted and run again, both
// APIs, what a reload keeps, and Markdown.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inEachBrowser } from './drivers.mjs';
import { stopAtFirstText } from './stop-at-first-text.mjs';
import { ask, documentWith, fill, idle, linkTo, openChat, press } from './tools-page.mjs';

const question = 'What is the weather in Paris and Rome?';

inEachBrowser('the Chat view', (page, alike) => {
  const send = async (text) => {
    await ask(page, text);
    await idle(page);
  };
  const messages = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.turn.user > .text')].map((one) => one.textContent),
    );
  const waitForTurns = (count) =>
    page.waitFor((wanted) => document.querySelectorAll('.turn').length === wanted, count);
  const turnButton = (action, turn) => `.turn-actions [aria-label="${action} turn ${turn}"]`;
  const pressKey = async (css, key = 'Enter') => {
    await page.focus(css);
    await page.press(key);
  };
  const undo = () => press(page, '#offers', 'Undo');
  const isClean = async () => {
    assert.deepEqual(await page.complaints(), []);
    assert.deepEqual(await page.origins(), [new URL(page.url).origin]);
  };

  it('shows an answer with its numbers, its request and the raw answer; examples end with the first message', async () => {
    await openChat(page);
    await page.waitForText('#log h2', 'No messages yet');
    assert.equal(await page.evaluate(() => document.querySelector('#log').scrollTop), 0);
    await page.click('.examples button');
    await waitForTurns(3);
    await idle(page);
    await page.waitFor(() => !document.querySelector('.examples'));
    await page.waitForText('.turn.model:last-of-type .text', 'Rome');
    const numbers = await page.text('.turn.model:last-of-type .numbers');
    assert.match(numbers, /^[\d,]+ in · [\d,]+ cached · [\d,]+ thoughts · [\d,]+ out · \$0\.\d+$/);
    const counted = /about [\d,]+ in the layers; the emulator counted [\d,]+ in total/;
    assert.match(await page.text('#request dl'), counted);
    await page.waitForText('#request .raw-answer pre', '"finishReason":"STOP"');
    assert.match(await page.text('#request .raw-answer pre'), /^data: \{/);
    assert.match(await page.text('#request dl'), /about [\d,]+ stable tokens; .* needs 4,096/);
    await isClean();
  });

  it('takes a message that is typed fast: Safari refuses to change its address more than ten times a second', async () => {
    await openChat(page);
    const typed = 'turtles,'.repeat(20);
    await page.focus('#instruction');
    await page.type(typed);
    await page.press('Enter');
    await waitForTurns(2);
    await idle(page);
    assert.deepEqual(await messages(), [typed]);
    await isClean();
  });

  alike(
    'follows its end through messages with calls, and a new message from wherever one is',
    async () => {
      await openChat(page);
      const isAtEnd = () => {
        const { scrollHeight, scrollTop, clientHeight } = document.querySelector('#log');
        return scrollHeight > clientHeight && scrollHeight - scrollTop - clientHeight < 2;
      };
      for (const text of [question, 'And in Oslo?', question, 'And in Bergen?']) await send(text);
      await page.waitFor(isAtEnd);
      await page.evaluate(() => (document.querySelector('#log').scrollTop = 0));
      await page.waitFor(() => document.querySelector('#log').scrollTop === 0);
      await send('And in Lyon?');
      await page.waitFor(isAtEnd);
      // Who scrolls up while the answer comes stays there.
      await page.evaluate(() => {
        const observer = new MutationObserver(() => {
          const texts = document.querySelectorAll('.turns.sending .turn.user > .text');
          if ([...texts].at(-1)?.textContent !== 'And in Turin?') return;
          observer.disconnect();
          document.querySelector('#log').scrollTop = 0;
        });
        observer.observe(document.querySelector('#log'), { childList: true, subtree: true });
      });
      await send('And in Turin?');
      assert.equal(await page.evaluate(() => document.querySelector('#log').scrollTop), 0);
      // What is drawn again stays where it was.
      await page.evaluate(() => {
        const log = document.querySelector('#log');
        log.scrollTop = log.scrollHeight;
        [...log.querySelectorAll('[aria-label^="Edit turn"]')].at(-1).click();
      });
      await page.waitFor('.turn-form');
      await press(page, '.turn-form', 'Save');
      await page.waitFor(() => !document.querySelector('.turn-form'));
      await page.waitFor(isAtEnd);
    },
  );

  alike(
    'sends the same conversation to the other API, and makes its requests again after a reload',
    async () => {
      await openChat(page);
      await send(question);
      await page.evaluate(() => {
        const wire = document.querySelector('#wire');
        wire.value = 'interactions';
        wire.dispatchEvent(new Event('change', { bubbles: true }));
      });
      await send('And in Oslo?');
      await page.waitForText('#request dl', 'for the Interactions API of the emulator');
      await page.waitForText('.turn.model:last-of-type h3', 'steps');
      const body = () =>
        page.evaluate(() =>
          [...document.querySelectorAll('.layer pre')].map((one) => one.textContent).join(''),
        );
      const sent = await body();
      assert.equal(JSON.parse(`${sent}]}`).input.at(-1).content[0].text, 'And in Oslo?');
      await page.waitForText('#saving', 'Saved');
      await page.reload();
      await waitForTurns(5);
      await page.waitForText('#request dl', 'byte for byte as it was sent');
      assert.equal(await body(), sent);
      await page.waitForText('.turn', 'sent back in request 3');
      await pressKey('#tabs [aria-label="Request 2"]');
      await page.waitForText('#request dl', 'for generateContent of the emulator');
      await page.waitForText('#request dl', 'byte for byte as it was sent');
      // The next message still goes to the chosen API.
      await send('Thanks');
      await page.waitForText('#request dl', 'for the Interactions API');
      await isClean();
    },
  );

  alike('opens a saved conversation, and makes its request', async () => {
    const line = (role, text) =>
      JSON.stringify({
        ...{ strata: 1, kind: role, meta: { at: `2026-11-01T10:00:0${text.length % 10}Z` } },
        content: { role, parts: [{ text }] },
      });
    const saved = `${line('user', 'Hello')}\n${line('model', 'Hello there')}\n`;
    await page.goto(linkTo({ ...documentWith([]), chat: { saved } }));
    await page.waitForText('.turn.model', 'Hello there');
    await page.waitForText('.layer.trigger', 'Hello');
    assert.deepEqual(await page.complaints(), []);
  });

  alike('deletes a call only with its results, says why, and can undo it', async () => {
    await openChat(page);
    await send(question);
    await page.click(turnButton('Delete', 2));
    const reason = await page.text('.deletion');
    assert.match(
      reason,
      /Deleting only turn 2 would break the history: .*no matching functionCall/,
    );
    assert.match(reason, /Turn 3, Tools: result of get_weather, result of get_weather/);
    await page.click('.deletion .actions button');
    await waitForTurns(2);
    assert.equal(await page.text('.tool'), null);
    await undo();
    await waitForTurns(3);
    await page.waitForText('.tool', 'get_weather');
    await isClean();
  });

  it('edits and runs again with the keyboard, and Undo brings the earlier course back', async () => {
    await openChat(page);
    await send('Hello');
    await send('And again');
    await waitForTurns(4);
    await pressKey(turnButton('Edit', 1));
    await page.waitFor('.turn-form textarea');
    await page.type(' there');
    await page.press('Control+Enter');
    await waitForTurns(2);
    await idle(page);
    assert.deepEqual(await messages(), ['Hello there']);
    // The form has gone, with the focus in it.
    await page.waitFor(() => document.activeElement.id === 'log');
    await page.press('Control+z');
    await waitForTurns(4);
    assert.deepEqual(await messages(), ['Hello', 'And again']);
    await page.waitForText('#saving', 'Saved');
    await page.reload();
    await waitForTurns(4);
    assert.match(await page.text('.turn.model .numbers'), /out · \$/);
    await pressKey('#new');
    await waitForTurns(0);
    await undo();
    await waitForTurns(4);
    await isClean();
  });

  it('keeps a stopped answer in sight, and does not send it', async () => {
    await openChat(page);
    await page.evaluate(stopAtFirstText);
    await ask(page, 'Tell me about strata.');
    await page.waitForText('.turn.model.discarded', 'You stopped this answer. It is not part of');
    await page.waitForText('.failure', 'This message has no answer yet.');
    await press(page, '.failure', 'Get an answer');
    await page.waitFor('.turn.model:not(.discarded) .numbers');
    const body = await page.evaluate(() =>
      [...document.querySelectorAll('.layer pre')].map((one) => one.textContent).join(''),
    );
    assert.doesNotMatch(body, /"role":"model"/);
    await isClean();
  });

  alike('shows Markdown without HTML, and loads nothing that an answer names', async () => {
    const hostile = [
      '# Title',
      '**bold** `<b>` [bad](javascript:alert(1)) [good](https://example.test/a)',
      '![picture](https://example.test/a.png) <img src=https://example.test/b.png onerror=alert(1)>',
      '<script>alert(1)</script>',
      '- one',
      '- two',
    ].join('\n\n');
    await openChat(page);
    await send('Hello');
    await page.click(turnButton('Edit', 2));
    await fill(page, '.turn-form textarea', hostile);
    await press(page, '.turn-form', 'Save');
    await page.waitFor('.turn.model strong');
    const shown = await page.evaluate(() => {
      const answer = document.querySelector('.turn.model');
      const links = [...answer.querySelectorAll('a')];
      return {
        tags: ['img', 'script', 'b', 'iframe'].map((tag) => answer.querySelectorAll(tag).length),
        links: links.map(({ href, rel, target }) => [href, rel, target]),
        hosts: links.map((link) => getComputedStyle(link, '::after').content),
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
    assert.match(shown.text, /good.*image: picture/s);
    for (const host of shown.hosts) assert.match(host, /example\.test|data-host/);
    assert.match(shown.text, /<script>alert\(1\)<\/script>/);
    assert.equal(shown.bold, 'bold');
    await isClean();
  });
});
