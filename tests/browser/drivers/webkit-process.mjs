// Starts WebKitGTK, the engine of Safari, through its WebDriver on a virtual display.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/free-port.mjs';

const browserOptions = {
  binary: '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
  args: ['--automation'],
};
const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': browserOptions } };

// Xvfb selects a free display and writes its number to the given file descriptor.
async function startDisplay() {
  const options = ['-displayfd', '3', '-nolisten', 'tcp', '-screen', '0', '1600x1200x24'];
  const xvfb = spawn('Xvfb', options, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [number] = await once(xvfb.stdio[3], 'data');
  return { xvfb, display: `:${String(number).trim()}` };
}

async function untilReady(driver) {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answer = await fetch(`${driver}/status`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error('WebKitWebDriver did not start');
}

/** Sends a WebDriver command, and returns its value. */
async function command(method, url, { body, seconds = 180 } = {}) {
  const signal = AbortSignal.timeout(seconds * 1000);
  const response = await fetch(url, { method, body: body && JSON.stringify(body), signal });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`WebKitWebDriver ${new URL(url).pathname}: ${value.message}`);
  return value;
}

// Starts the driver, which starts a browser for each session.
async function startDriver(display) {
  const port = await freePort();
  // Without a graphics card, what this turns off costs a third of all processor time.
  const env = { ...process.env, DISPLAY: display, WEBKIT_DISABLE_DMABUF_RENDERER: '1' };
  const options = [`--port=${port}`, '--host=127.0.0.1'];
  const webdriver = spawn('WebKitWebDriver', options, { env, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  return { sessions: `${url}/session`, stop: () => webdriver.kill() };
}

/**
 * Starts the browser.
 *
 * @returns functions that send commands to the session, start a new session, and end the browser
 */
export async function startWebKit() {
  const { xvfb, display } = await startDisplay();
  let driver = await startDriver(display);
  let session;
  const end = async () => {
    const ended = session;
    session = undefined;
    if (ended) await command('DELETE', `${driver.sessions}/${ended}`, { seconds: 15 });
  };
  const open = async () => {
    await end();
    const options = { body: { capabilities }, seconds: 30 };
    ({ sessionId: session } = await command('POST', driver.sessions, options));
  };
  // A browser that crashed can leave its driver waiting for it: a new driver starts a new one.
  const begin = async () => {
    try {
      await open();
    } catch {
      driver.stop();
      driver = await startDriver(display);
      await open();
    }
  };
  const close = async () => {
    await end().catch(() => undefined);
    driver.stop();
    xvfb.kill();
  };
  try {
    await begin();
  } catch (error) {
    await close();
    throw error;
  }
  const urlOf = (path) => `${driver.sessions}/${session}${path}`;
  return {
    get: (path) => command('GET', urlOf(path)),
    post: (path, body) => command('POST', urlOf(path), { body }),
    begin,
    close,
  };
}
