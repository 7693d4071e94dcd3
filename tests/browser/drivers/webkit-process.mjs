// Starts WebKitGTK, the engine of Safari, through its WebDriver on a virtual display.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

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

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
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
async function command(method, url, body) {
  const response = await fetch(url, { method, body: body && JSON.stringify(body) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`WebKitWebDriver ${new URL(url).pathname}: ${value.message}`);
  return value;
}

/**
 * Starts the browser.
 *
 * @returns functions that send commands to the session, start a new session, and end the browser
 */
export async function startWebKit() {
  const port = await freePort();
  const { xvfb, display } = await startDisplay();
  const env = { ...process.env, DISPLAY: display };
  const driverOptions = [`--port=${port}`, '--host=127.0.0.1'];
  const webdriver = spawn('WebKitWebDriver', driverOptions, { env, stdio: 'ignore' });
  const sessions = `http://127.0.0.1:${port}/session`;
  let session;
  const end = async () => {
    if (session) await fetch(`${sessions}/${session}`, { method: 'DELETE' });
    session = undefined;
  };
  const begin = async () => {
    await end();
    ({ sessionId: session } = await command('POST', sessions, { capabilities }));
  };
  const close = async () => {
    await end();
    webdriver.kill();
    xvfb.kill();
  };
  try {
    await untilReady(`http://127.0.0.1:${port}`);
    await begin();
  } catch (error) {
    await close();
    throw error;
  }
  const send = (method) => (path, body) => command(method, `${sessions}/${session}${path}`, body);
  return { get: send('GET'), post: send('POST'), begin, close };
}
