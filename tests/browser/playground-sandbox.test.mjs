// The sandbox of the playground under attack: scripts that loop, flood, throw, and look for the network or the key;
// and a shared link whose tool does all that.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { inEachBrowser } from './drivers.mjs';
import { attempts, NetworkSpy } from './network-spy.mjs';
import { ask, documentWith, idle, linkTo, openChat, press, weatherTool } from './tools-page.mjs';

const question = 'What is the weather in Oslo?';
const key = 'AIza-a-key-that-nobody-may-see';

const spy = new NetworkSpy();
before(() => spy.start());
after(() => spy.stop());

const lookAround = `
new BroadcastChannel('prompt-strata').postMessage('hello');
return { args, name, origin: self.origin, page: [typeof document, typeof localStorage, typeof sessionStorage, typeof parent] };`;

const frames = (page) => page.evaluate(() => document.querySelectorAll('iframe').length);

// Opens a link with a tool, makes it the user's own, and asks for the weather.
async function open(page, script) {
  await page.fresh();
  await page.goto(linkTo(documentWith([weatherTool(script)])));
  await press(page, '.guide', 'Fork');
  await openChat(page);
  await ask(page, question);
  await page.waitFor('.call-card');
}

async function problemOf(page, script) {
  await open(page, script);
  await press(page, '.call-card', 'Run script');
  await page.waitFor(() => {
    const state = document.querySelector('.call-card .problem[role=status]').textContent;
    return state !== '' && state !== 'The script is running.';
  });
  assert.equal(await frames(page), 0);
  return page.text('.call-card .problem');
}

async function resultOf(page, script) {
  await open(page, script);
  await press(page, '.call-card', 'Run script');
  await idle(page);
  const shown = await page.text('.tool .pair:last-child code');
  return JSON.parse(shown).output;
}

function sandboxTests(page) {
  it('ends an endless loop, in a frame of an opaque origin, while the page still works', async () => {
    await open(page, 'for (;;) {}');
    assert.equal(await frames(page), 0);
    await press(page, '.call-card', 'Run script');
    await page.waitFor(() => document.querySelector('iframe') !== null);
    const frame = await page.evaluate(() => {
      const { sandbox, src, contentDocument } = document.querySelector('iframe');
      // A reply that does not come from the frame is ignored.
      const outcome = { ok: true, result: '"forged"' };
      window.postMessage({ type: 'outcome', outcome }, '*');
      return { sandbox: String(sandbox), src, isOpaque: contentDocument === null };
    });
    assert.equal(frame.sandbox, 'allow-scripts');
    assert.match(frame.src, /\/sandbox\.html$/);
    assert.ok(frame.isOpaque);
    await page.waitForText('.call-card .problem', 'The script was ended after 5 seconds.');
    assert.equal(await frames(page), 0);
    await press(page, '.call-card', 'Send this error');
    await idle(page);
    await page.waitForText('.tool', '"error": "The script was ended after 5 seconds."');
  });

  it('says in words what is wrong with a script', async () => {
    assert.match(
      await problemOf(page, "throw new RangeError('no such city')"),
      /threw RangeError: no such city/,
    );
    assert.match(await problemOf(page, 'return {{;'), /^The script failed: /);
    assert.match(
      await problemOf(page, "return 'x'.repeat(200_000)"),
      /200,002 characters; at most 100,000/,
    );
    assert.match(await problemOf(page, "self.postMessage('x')"), /posted a message/);
    assert.match(await problemOf(page, 'args.city;'), /returned no value/);
    assert.match(
      await problemOf(page, "return fetch('https://example.test/')"),
      /The sandbox has no network/,
    );
  });

  it('reaches neither the network nor the page, its storage or its key', async () => {
    spy.visits = 0;
    const refused = await resultOf(page, attempts(spy.address));
    assert.equal(Object.keys(refused).length, 9);
    for (const [attempt, outcome] of Object.entries(refused))
      assert.equal(outcome, 'refused', attempt);
    assert.equal(spy.visits, 0);
    await open(page, lookAround);
    await page.evaluate((secret) => sessionStorage.setItem('prompt-strata key', secret), key);
    await press(page, '.call-card', 'Run script');
    await idle(page);
    const seen = JSON.parse(await page.text('.tool .pair:last-child code')).output;
    assert.deepEqual(seen, {
      args: { city: 'Oslo' },
      name: 'get_weather',
      origin: 'null',
      page: ['undefined', 'undefined', 'undefined', 'undefined'],
    });
  });

  it('runs nothing of a link without a click, and forgets consent when the page is reloaded', async () => {
    await open(page, "return 'Run ' + args.city;");
    assert.equal(await frames(page), 0);
    await page.click('.call-card input[type=checkbox]');
    await press(page, '.call-card', 'Run script');
    await idle(page);
    await ask(page, question);
    await page.waitFor(() => document.querySelectorAll('.tool').length === 2);
    await idle(page);
    assert.equal(await page.evaluate(() => document.querySelectorAll('.call-card').length), 0);
    await page.waitForText('#saving', 'Saved');
    await page.goto();
    await page.reload();
    await openChat(page);
    await ask(page, question);
    await page.waitFor('.call-card');
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
    assert.equal(await frames(page), 0);
    await page.waitFor('.call-card');
  });
}

// They open links.
inEachBrowser('the sandbox of the playground', sandboxTests, { path: null });
