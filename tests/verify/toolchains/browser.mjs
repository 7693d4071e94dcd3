// Opens a page in Chromium and waits until its title says that a turn was answered.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { launchChromium } from '../../support/chromium.mjs';
import { environment } from './folder.mjs';

const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.cjs': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};

/** A module script that reports the turn in the title of its page. */
export const pageScript = `
import { turn } from './turn.mjs';
turn().then((text) => (document.title = text), (error) => (document.title = 'failed: ' + error));
`;

/** A page with one script. */
export const pageWith = (script) =>
  `<!doctype html><meta charset="utf-8"><title>waiting</title><body>${script}</body>`;

/** Serves a folder. Like any static host, it answers 404 for a file that does not exist. */
export async function serveFolder(folder) {
  const server = createServer(async ({ url }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const path = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    const bytes = await readFile(path).catch(() => undefined);
    if (!bytes) return response.writeHead(404).end();
    response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream');
    response.end(bytes);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, close };
}

/** Returns a port that is free now. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a server of a toolchain with Node and waits until it answers at `url`. */
export async function startServer(folder, url, file, ...args) {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: folder.path,
    env: { ...process.env, ...environment },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const close = () => child.kill();
  for (let i = 0; i < 120; i++) {
    if (child.exitCode !== null) throw new Error(`the server stopped\n${output}`);
    const response = await fetch(url).catch(() => undefined);
    if (response) return { url, close };
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  close();
  throw new Error(`the server does not answer\n${output}`);
}

/** Returns the text of an answered turn, which the page at `url` puts into its title. */
export async function turnAt(url) {
  const browser = await launchChromium();
  const messages = [];
  try {
    const page = await browser.newPage();
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(String(error)));
    await page.goto(url);
    await page.waitForFunction(() => /^(answered|failed)/.test(document.title), undefined, {
      timeout: 60_000,
    });
    return await page.title();
  } catch (error) {
    throw new Error([String(error), ...messages].join('\n'), { cause: error });
  } finally {
    await browser.close();
  }
}

/** Serves a folder, and returns the turn of its page at `path`. */
export async function turnInFolder(folder, path = '') {
  const server = await serveFolder(folder);
  try {
    return await turnAt(`${server.url}${path}`);
  } finally {
    server.close();
  }
}
