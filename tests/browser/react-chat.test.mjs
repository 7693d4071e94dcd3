// A React page in Chromium whose chat is `useChat` of prompt-strata/react, with a server that answers by `toResponse()`.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { after, before, beforeEach } from 'node:test';
import { build } from 'esbuild';
import { GeminiClient, connect, tool } from 'prompt-strata';
import { serve } from 'prompt-strata/node';
import { createEmulator } from 'prompt-strata/testing';
import { root } from '../../scripts/setup/run.mjs';
import { launchChromium } from '../support/chromium.mjs';
import { consumer } from '../support/consumer.mjs';

const source = `
import { createElement as h, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useChat } from 'prompt-strata/react';

function Page() {
  const initialMessages = [{ role: 'user', text: 'Earlier' }, { role: 'model', text: 'Yes.' }];
  const headers = { 'x-session': 'session-1' };
  const { messages, status, error, send, retry, stop } = useChat({ url: '/chat', initialMessages, headers });
  const [thrown, setThrown] = useState('');
  const tryTo = (action) => () => {
    try { action(); } catch (reason) { setThrown(reason.message); }
  };
  const button = (name, action) => h('button', { onClick: tryTo(action) }, name);
  return h('main', null,
    h('ol', null, messages.map(({ role, text }, i) => h('li', { key: i }, role + ': ' + text))),
    h('output', null, status), h('p', { id: 'error' }, error?.message), h('p', { id: 'code' }, error?.code), h('p', { id: 'thrown' }, thrown),
    button('Ask', () => send('How is the weather in Oslo?')), button('Send nothing', () => send('')), button('Retry', retry), button('Stop', stop));
}
createRoot(document.getElementById('root')).render(h(StrictMode, null, h(Page)));
`;

const weather = tool({
  name: 'get_weather',
  description: 'The weather in a city',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: ({ city }) => ({ city, sky: 'clear' }),
});

let browser, server, script, page, chat, sessions;

async function startChat(options) {
  const client = new GeminiClient({
    fetch: createEmulator(options),
    apiKey: 'a-key',
    retry: false,
  });
  chat = await connect({ client, model: 'gemini-3.8-flash', tools: [weather] });
}

async function answer(request) {
  const { pathname } = new URL(request.url);
  if (pathname === '/chat') {
    sessions.push(request.headers.get('x-session'));
    return chat.stream(await request.text()).toResponse();
  }
  const headers = { 'content-type': pathname === '/' ? 'text/html' : 'text/javascript' };
  const html = '<!doctype html><div id="root"></div><script type="module" src="/app.js"></script>';
  return new Response(pathname === '/' ? html : script, { headers });
}

before(async () => {
  const bundled = await build({
    stdin: { contents: source, resolveDir: root },
    alias: { 'prompt-strata/react': join(consumer, 'node_modules/prompt-strata/dist/react.js') },
    define: { 'process.env.NODE_ENV': '"production"' },
    ...{ bundle: true, format: 'esm', write: false },
  });
  script = bundled.outputFiles[0].text;
  server = await serve(answer);
  browser = await launchChromium();
});
after(async () => {
  await browser?.close();
  await server?.close();
});
beforeEach(async () => {
  sessions = [];
  await page?.close();
  page = await browser.newPage();
  await page.goto(server.url);
});

const lines = () => page.locator('li').allTextContents();
const click = (name) => page.getByRole('button', { name }).click();
const status = (wanted) => page.locator('output', { hasText: wanted }).waitFor();

test('messages stream, tools run on the server, and what was said before stays', async () => {
  await startChat();
  await click('Ask');
  await page.locator('li', { hasText: 'model: get_weather for Oslo' }).waitFor();
  await status('ready');
  const [first, , question, answered, ...others] = await lines();
  assert.equal(first, 'user: Earlier');
  assert.equal(question, 'user: How is the weather in Oslo?');
  assert.match(answered, /sky clear/);
  assert.deepEqual([others, sessions], [[], ['session-1']]);
});

test('a failure says its code, keeps the message, and can be asked again', async () => {
  await startChat({ faults: [{ kind: 'http503' }] });
  await click('Ask');
  await status('failed');
  assert.match(await page.locator('#error').textContent(), /^The answer failed: api\./);
  assert.match(await page.locator('#code').textContent(), /^api\./);
  assert.equal((await lines()).at(-1), 'user: How is the weather in Oslo?');
  await click('Retry');
  await status('ready');
  assert.match((await lines()).at(-1), /sky clear/);
  assert.equal(await page.locator('#error').textContent(), '');
  // The server has the question once.
  assert.equal(chat.history.filter(({ parts }) => parts[0].text?.startsWith('How')).length, 1);
});

test('one answer at a time; stop ends it on the server, too', async () => {
  await startChat({ delayMs: 200 });
  await click('Ask');
  await status('streaming');
  await click('Ask');
  assert.match(await page.locator('#thrown').textContent(), /^An answer is streaming/);
  await click('Stop');
  await status('ready');
  await click('Retry');
  await status('ready');
  await page.locator('li', { hasText: 'sky clear' }).waitFor();
  assert.equal((await lines()).filter((line) => line.startsWith('user: How')).length, 1);
});

test('an empty message is not sent', async () => {
  await startChat();
  await click('Send nothing');
  assert.equal(await page.locator('#thrown').textContent(), 'The message is empty.');
  assert.deepEqual(sessions, []);
});

test('a server that answers anything else is named', async () => {
  await startChat();
  await page.route('**/chat', (route) => route.fulfill({ status: 404, body: 'Not here' }));
  await click('Ask');
  await status('failed');
  assert.match(await page.locator('#error').textContent(), /^The server answered 404/);
  assert.equal(await page.locator('#code').textContent(), 'answer.invalid');
});
