// Runs the portable tests in WebKitGTK, the engine of Safari, through its WebDriver on a virtual display.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { testIn } from '../js/report.mjs';
import { resultsFrom } from './page.mjs';

const driverPort = 4470;
const driver = `http://127.0.0.1:${driverPort}`;
const browserOptions = {
  binary: '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
  args: ['--automation'],
};

// Xvfb selects a free display and writes its number to the given file descriptor.
async function startDisplay() {
  const xvfb = spawn('Xvfb', ['-displayfd', '3', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = await once(xvfb.stdio[3], 'data');
  return { xvfb, display: `:${String(number).trim()}` };
}

async function post(path, body) {
  const response = await fetch(driver + path, { method: 'POST', body: JSON.stringify(body) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`WebKitWebDriver ${path}: ${value.message}`);
  return value;
}

async function untilReady() {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answer = await fetch(`${driver}/status`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error('WebKitWebDriver did not start');
}

async function openWebKit(url) {
  const { xvfb, display } = await startDisplay();
  const webdriver = spawn('WebKitWebDriver', [`--port=${driverPort}`, '--host=127.0.0.1'], {
    env: { ...process.env, DISPLAY: display },
    stdio: 'ignore',
  });
  let session;
  const close = async () => {
    if (session) await fetch(`${driver}/session/${session}`, { method: 'DELETE' });
    webdriver.kill();
    xvfb.kill();
  };
  try {
    await untilReady();
    const alwaysMatch = { 'webkitgtk:browserOptions': browserOptions };
    ({ sessionId: session } = await post('/session', { capabilities: { alwaysMatch } }));
    await post(`/session/${session}/url`, { url });
    return close;
  } catch (error) {
    await close();
    throw error;
  }
}

testIn('WebKit', () => resultsFrom(openWebKit));
