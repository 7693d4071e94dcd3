// Measures the playground in Chromium: the time until a large request is linted, long tasks while one types, and the
// bytes that the page loads until it shows its first finding.
import { deflateRawSync, gzipSync } from 'node:zlib';
import { launchChromium } from '../support/chromium.mjs';
import { buildPlayground, servePlayground } from '../../scripts/setup/playground.mjs';
import { median } from './measure.mjs';
import { ms } from '../support/table.mjs';

const rounds = 3;
const goals = { bytes: 300_000, lintMs: 1000, taskMs: 50 };
const viewport = { width: 1280, height: 900 };
const typed = 'The quick brown fox jumps over it. ';

// Requests

const turn = (role, text) => ({ role, parts: [{ text }] });

/** Returns a request of about 1 MB whose last Content has an unknown role. */
function largeRequest() {
  const contents = [];
  for (let i = 0; i < 2900; i += 1)
    contents.push(
      turn(i % 2 === 0 ? 'user' : 'model', `${i}: ${'Some words of a turn. '.repeat(11)}`),
    );
  contents.push(turn('assistant', 'Hello'), turn('user', 'Hello'));
  return JSON.stringify({ contents }, null, 2);
}

const largeTemplate = () =>
  Array.from(
    { length: 130 },
    (_, i) => `{% if topic == "${i}" %}Rule ${i}: {{ name | upper }} speaks.{% endif %}\n`,
  ).join('');

const savedTurn = (kind, content) => `${JSON.stringify({ strata: 1, kind, content })}\n`;

const longChat = () =>
  Array.from(
    { length: 200 },
    (_, i) =>
      savedTurn('user', turn('user', `Question ${i}`)) +
      savedTurn('model', turn('model', `Answer **${i}**: ${'a sentence with words. '.repeat(20)}`)),
  ).join('');

function linkTo(view, { template = '', saved = '' }) {
  const document = {
    version: 1,
    view,
    settings: {
      model: 'gemini-3.8-flash',
      backend: 'gemini',
      generationConfig: '',
      tools: '',
      caching: false,
    },
    lint: { text: '' },
    prompt: {
      static: template,
      dynamic: '',
      variables: '{"name": "Ada", "topic": "1"}',
      placement: 'after-static',
    },
    chat: { saved },
  };
  return `#d1.${deflateRawSync(JSON.stringify(document)).toString('base64url')}`;
}

// Measuring

/** Runs in the page: notes all long tasks from now on. */
function watchTasks() {
  globalThis.tasks = [];
  const note = (list) =>
    globalThis.tasks.push(...list.getEntries().map(({ duration }) => duration));
  new PerformanceObserver(note).observe({ type: 'longtask' });
}

/** Returns the longest task during `action`; 0 if none was above 50 ms. */
async function longestTask(page, action) {
  await page.waitForTimeout(1500);
  await page.evaluate(watchTasks);
  await action();
  await page.waitForTimeout(1500);
  return Math.max(0, ...(await page.evaluate(() => globalThis.tasks)));
}

const open = async (browser, url) => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const context = await browser.newContext({ viewport, permissions });
  const page = await context.newPage();
  await page.goto(url);
  return page;
};

/** Runs in the page: notes when the first finding is drawn, in milliseconds since 1970. */
function watchFirstFinding() {
  const look = () => {
    if (document.querySelector('.finding') === null) requestAnimationFrame(look);
    else globalThis.firstFinding = Date.now();
  };
  look();
}

/** Returns the bytes, as a host compresses them, of what was asked for before the first finding was drawn. */
async function firstBytes(browser, url) {
  const context = await browser.newContext({ viewport });
  await context.addInitScript(watchFirstFinding);
  const page = await context.newPage();
  const responses = [];
  context.on('response', (response) => responses.push(response));
  await page.goto(url);
  await page.waitForFunction(() => globalThis.firstFinding !== undefined);
  const drawn = await page.evaluate(() => globalThis.firstFinding);
  const counted = responses.filter((one) => one.request().timing().startTime < drawn);
  const bodies = await Promise.all(counted.map((one) => one.body()));
  await context.close();
  return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
}

/** Runs in the page: notes the milliseconds from the next paste until a finding of this rule is drawn. */
function watchPaste(code) {
  const isShown = () => document.querySelector(`.finding[data-code="${code}"]`) !== null;
  const onPaste = () => {
    const start = performance.now();
    const look = () => {
      if (isShown()) globalThis.pasteMs = performance.now() - start;
      else requestAnimationFrame(look);
    };
    look();
  };
  addEventListener('paste', onPaste, { capture: true, once: true });
}

async function pasteLarge(page, text) {
  await page.locator('.finding').first().waitFor();
  await page.locator('.lint .cm-content').click();
  await page.evaluate((one) => navigator.clipboard.writeText(one), text);
  await page.keyboard.press('Control+a');
  await page.evaluate(watchPaste, 'role.invalid');
  await page.keyboard.press('Control+v');
  await page.waitForFunction(() => globalThis.pasteMs !== undefined);
  return page.evaluate(() => globalThis.pasteMs);
}

const typeSlowly = (page) => page.keyboard.type(typed, { delay: 60 });

async function measureLint(browser, url) {
  const text = largeRequest();
  const times = [];
  let typing = 0;
  for (let round = 0; round < rounds; round += 1) {
    const page = await open(browser, url);
    times.push(await pasteLarge(page, text));
    typing = Math.max(typing, await longestTask(page, () => typeSlowly(page)));
    await page.context().close();
  }
  return { size: text.length, time: median(times), typing };
}

async function measurePrompt(browser, url) {
  const page = await open(browser, url + linkTo('prompt', { template: largeTemplate() }));
  await page.locator('.view:not([hidden]) .cm-content').first().click();
  const typing = await longestTask(page, () => typeSlowly(page));
  await page.context().close();
  return typing;
}

async function measureChat(browser, url) {
  const page = await open(browser, url + linkTo('chat', { saved: longChat() }));
  await page.getByText('Question 199').waitFor();
  await page.locator('#log').hover();
  const scrolling = await longestTask(page, async () => {
    for (let i = 0; i < 30; i += 1) {
      await page.mouse.wheel(0, i < 15 ? -1500 : 1500);
      await page.waitForTimeout(50);
    }
  });
  const sending = await longestTask(page, async () => {
    await page.fill('#instruction', 'Hello');
    await page.press('#instruction', 'Enter');
    await page.locator('#stop').waitFor({ state: 'detached' });
  });
  await page.context().close();
  return { scrolling, sending };
}

const verdict = (ok, text) => ({ ok, text });
const taskText = (task) => (task === 0 ? 'none above 50 ms' : ms(task));

/** Returns one table. */
export async function run() {
  await buildPlayground();
  const server = await servePlayground({ port: 0 });
  const browser = await launchChromium();
  try {
    const [url] = server.urls;
    const bytes = await firstBytes(browser, url);
    const lint = await measureLint(browser, url);
    const template = await measurePrompt(browser, url);
    const chat = await measureChat(browser, url);
    return tableOf({ bytes, lint, template, chat });
  } finally {
    await browser.close();
    await server.close();
  }
}

function tableOf({ bytes, lint, template, chat }) {
  const tasks = {
    [`typing in a request of ${(lint.size / 1e6).toFixed(1)} MB`]: lint.typing,
    [`typing in a template of ${(largeTemplate().length / 1e3).toFixed(0)} kB`]: template,
    'scrolling a chat of 200 turns': chat.scrolling,
    'sending a message in it': chat.sending,
  };
  return {
    title: 'The playground',
    about: 'Measured in Chromium, with the page served from this machine.',
    head: ['The playground in Chromium', 'measured'],
    rows: [
      ['bytes until the first finding shows, gzip', `${(bytes / 1e3).toFixed(0)} kB`],
      [`from pasting ${(lint.size / 1e6).toFixed(1)} MB until its finding shows`, ms(lint.time)],
      ...Object.entries(tasks).map(([name, task]) => [`longest task, ${name}`, taskText(task)]),
    ],
    verdicts: [
      verdict(bytes < goals.bytes, 'the first finding shows within 300 kB'),
      verdict(lint.time < goals.lintMs, 'a request of 1 MB is linted and shown within one second'),
      ...Object.entries(tasks).map(([name, task]) =>
        verdict(task <= goals.taskMs, `no task above 50 ms: ${name}`),
      ),
    ],
  };
}
