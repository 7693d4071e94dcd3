// Next with `useChat` of the AI SDK, in Chromium: a page chats with a thread of the Worker in workerd, runs a tool, is
// loaded again while an answer streams, and goes on.
import { callerKey, slowAnswer, startWorker, stopWorker } from '../../edge/worker-process.mjs';
import { launchChromium } from '../../support/chromium.mjs';
import { freePort } from '../../support/free-port.mjs';
import { installFolder } from './folder.mjs';
import { startServer } from './server.mjs';

const nextBin = 'node_modules/next/dist/bin/next';

const page = `
'use client';
import { useEffect, useState } from 'react';
import { useChat } from '@ai-sdk/react';
import { ThreadTransport, uiMessagesOf } from 'prompt-strata/ai-sdk/ui';
import { connectThread, tool } from 'prompt-strata/remote';

const sensor = tool({
  name: 'read_sensor',
  description: 'The temperature of a room',
  schema: { type: 'object', properties: { room: { type: 'string' } }, required: ['room'] },
  run: ({ room }) => ({ room, celsius: 12 }),
});

async function openThread() {
  const url = new URLSearchParams(location.search).get('worker');
  const id = sessionStorage.getItem('thread') ?? undefined;
  const thread = await connectThread({ url, key: '${callerKey}', id, tools: [sensor] });
  sessionStorage.setItem('thread', thread.id);
  const messages = uiMessagesOf(await thread.history());
  return { id: thread.id, transport: new ThreadTransport(thread), messages };
}

const shown = ({ type, text, toolName, state }) =>
  type === 'text' ? text : type === 'dynamic-tool' ? '[' + toolName + ' ' + state + ']' : '';

function Chat(options) {
  const { messages, sendMessage, status, error } = useChat({ ...options, resume: true });
  const send = (text) => () => sendMessage({ text });
  return (
    <main>
      <p id="status">{error ? 'failed: ' + error.message : status}</p>
      <button id="ask" onClick={send('How warm is the cellar?')}>Ask</button>
      <button id="count" onClick={send('Count.')}>Count</button>
      {messages.map(({ id, role, parts }) => <p key={id} className={role}>{parts.map(shown)}</p>)}
    </main>
  );
}

export default function Page() {
  const [options, setOptions] = useState();
  useEffect(() => void openThread().then(setOptions), []);
  return options ? <Chat {...options} /> : 'Wait';
}
`;

const files = {
  'app/layout.jsx': 'export default ({ children }) => <html><body>{children}</body></html>;\n',
  'app/page.jsx': page,
};

const tools = {
  ...{ next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' },
  ...{ ai: '7.0.173', '@ai-sdk/react': '4.0.177' },
};

const functionCall = { name: 'read_sensor', args: { room: 'cellar' } };
const call = { parts: [{ functionCall, thoughtSignature: 'c2ln' }], role: 'model' };
const calls = { candidates: [{ content: call, finishReason: 'STOP' }] };

/** The model calls the tool if a message speaks of the cellar, and else counts to thirty in three seconds. */
async function model(request) {
  const { contents } = await request.json();
  const [{ text = '', functionResponse }] = contents.at(-1).parts;
  if (text.includes('cellar')) return new Response(`data: ${JSON.stringify(calls)}\r\n\r\n`);
  return slowAnswer({ count: functionResponse ? 3 : 30, ms: 100 });
}

/** What the page shows. */
const read = () => ({
  status: document.querySelector('#status')?.textContent,
  messages: [...document.querySelectorAll('main > p[class]')].map((each) => each.textContent),
});

/** Uses the page. Returns the messages that it shows in the end. */
async function usePage(tab, url) {
  const until = async (what, test) => {
    for (let i = 0; i < 600; i++) {
      const now = await tab.evaluate(read);
      if (test(now)) return now;
      await tab.waitForTimeout(50);
    }
    throw new Error(`${what}: ${JSON.stringify(await tab.evaluate(read))}`);
  };
  const isReady = (count, end) => (now) =>
    now.status === 'ready' && now.messages.length === count && now.messages.at(-1).endsWith(end);
  const streams = ({ status, messages }) =>
    status === 'streaming' && /^1 2 3 /.test(messages.at(3)) && !messages[3].endsWith('30 ');

  await tab.goto(url);
  await until('opens', ({ status }) => status === 'ready');
  await tab.click('#ask');
  await until('runs the tool', isReady(2, '[read_sensor output-available]1 2 3 '));
  await tab.click('#count');
  await until('streams', streams);
  await tab.reload();
  await until('streams after the reload', streams);
  await until('completes the answer', isReady(4, ' 29 30 '));
  await tab.click('#ask');
  return until('goes on', isReady(6, '[read_sensor output-available]1 2 3 '));
}

async function chatIn(url) {
  const browser = await launchChromium();
  const printed = [];
  try {
    const tab = await browser.newPage();
    tab.on('console', (message) => printed.push(message.text()));
    tab.on('pageerror', (error) => printed.push(String(error)));
    const { messages } = await usePage(tab, url);
    return messages;
  } catch (error) {
    throw new Error([String(error), ...printed].join('\n'), { cause: error });
  } finally {
    await browser.close();
  }
}

async function run(context) {
  const folder = await installFolder('next-use-chat', context, { tools, type: undefined });
  folder.write(files);
  await folder.node(nextBin, 'build');
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const worker = await startWorker({ api: model, bindings: { ALLOWED_ORIGINS: origin }, logs: [] });
  const server = await startServer(folder, `${origin}/`, nextBin, 'start', '-p', String(port));
  try {
    const messages = await chatIn(`${origin}/?worker=${await worker.ready}`);
    return { text: `answered 2: ${messages.join('\n')}`, version: folder.versionOf('next') };
  } finally {
    server.close();
    await stopWorker(worker);
  }
}

export const useChatCase = {
  ...{ tool: 'Next', runsIn: 'Chromium and workerd', run },
  use: '`useChat` with the Worker: a tool, a reload while an answer streams',
};
