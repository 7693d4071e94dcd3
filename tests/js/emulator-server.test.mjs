// The emulator as a server: the command, Node's http through prompt-strata/node, and other servers.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request as httpRequest } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, describe } from 'node:test';
import { promisify } from 'node:util';
import { GeminiClient } from 'prompt-strata';
import { createEmulator } from 'prompt-strata/testing';
import { serve, toNodeHandler } from 'prompt-strata/node';
import { root } from '../../scripts/setup/run.mjs';
import { consumer } from '../support/consumer.mjs';
import { startEmulator } from '../support/running-emulator.mjs';

const folder = mkdtempSync(join(tmpdir(), 'strata-emulator-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const model = 'gemini-3.8-flash';
const hello = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
const body = new TextEncoder().encode(JSON.stringify(hello));
const path = `/v1beta/models/${model}:generateContent`;

/** Sends one turn with the package's own client and returns the status. */
async function statusOf(url) {
  const client = new GeminiClient({ baseUrl: url, apiKey: 'any-key', retry: false });
  return (await client.generate(model, body)).status;
}

const isStreamed = async (url) => {
  const response = await fetch(`${url}/v1beta/models/${model}:streamGenerateContent?alt=sse`, {
    ...{ method: 'POST', body },
  });
  assert.equal(response.headers.get('x-prompt-strata-emulator'), '1');
  assert.match(await response.text(), /^data: \{[\s\S]*"finishReason":"STOP"/);
};

describe('the command', () => {
  test('the command answers whether it runs, and notes no line for that', async () => {
    const server = await startEmulator();
    const response = await fetch(`${server.url}/health`);
    assert.deepEqual([response.status, await response.json()], [200, { status: 'ok' }]);
    assert.equal(await server.stop(), 0);
    assert.ok(!server.output().includes('/health'));
  });

  test('prints its address and each request without secrets, and ends with status 0', async () => {
    const file = join(folder, 'record.jsonl');
    const emulator = await startEmulator('--requests', file, '--delay', '1', '--seed', 'x');
    assert.match(emulator.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(await statusOf(emulator.url), 200);
    await isStreamed(emulator.url);
    assert.equal((await fetch(`${emulator.url}/nothing?key=my-secret-key`)).status, 404);
    assert.equal(await emulator.stop(), 0);
    const text = emulator.output();
    assert.match(text, /It is not Gemini\./);
    assert.match(text, new RegExp(`^200 POST ${path}$`, 'm'));
    assert.match(text, /^404 GET \/nothing\?key=\[secret\]$/m);
    const lines = readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse);
    assert.deepEqual(lines[0].body, hello);
    assert.equal(lines[0].headers['x-goog-api-key'], '[secret]');
    assert.equal(lines.length, 3);
  });

  test('prints only the address with --quiet, and requires the key of --api-key', async () => {
    const emulator = await startEmulator('--quiet', '--api-key', 'my-key');
    assert.equal((await fetch(`${emulator.url}/v1beta/models`)).status, 403);
    assert.equal((await fetch(`${emulator.url}/v1beta/models?key=my-key`)).status, 200);
    await emulator.stop();
    assert.equal(emulator.output(), `${emulator.url}\n`);
  });

  test('ends an open stream on Ctrl+C', async () => {
    const emulator = await startEmulator('--delay', '2000');
    const url = `${emulator.url}/v1beta/models/${model}:streamGenerateContent?alt=sse`;
    const response = await fetch(url, { method: 'POST', body });
    const [status] = await Promise.all([emulator.stop(), assert.rejects(response.text())]);
    assert.equal(status, 0);
  });

  test('reports a port in use and invalid options with status 2', async () => {
    const emulator = await startEmulator();
    const { port } = new URL(emulator.url);
    const command = join(consumer, 'node_modules', '.bin', 'prompt-strata');
    const failure = async (...args) => {
      const error = await promisify(execFile)(command, ['emulator', ...args]).catch((e) => e);
      assert.equal(error.code, 2);
      return error.stderr;
    };
    const message = `prompt-strata: Port ${port} of 127.0.0.1 is in use. Choose another one, or 0 for any free port.\n`;
    assert.equal(await failure('--port', port), message);
    assert.match(await failure('--port', '70000'), /--port must be an integer from 0 to 65535/);
    assert.match(await failure('--delay', 'long'), /--delay must be an integer/);
    for (const time of ['2026-11-22', '2026-02-30T00:00:00Z', '2026-11-22T24:00:00Z'])
      assert.match(await failure('--now', time), /--now must be a time in RFC 3339/);
    assert.match(await failure('--model', 'x'), /emulator has no option --model/);
    assert.match(await failure('--requests', folder), /Cannot write/);
    assert.match(await failure('file'), /takes options only/);
    await emulator.stop();
  });
});

/** Runs a test with a server of a handler. */
async function withServer(handler, run, options) {
  const server = await serve(handler, options);
  try {
    await run(server);
  } finally {
    await server.close();
  }
}

const text = (value, init) => new Response(value, init);

describe('prompt-strata/node', () => {
  test('serves the emulator to a client', async () => {
    await withServer(createEmulator(), async ({ url, port }) => {
      assert.equal(url, `http://127.0.0.1:${port}`);
      assert.equal(await statusOf(url), 200);
      await isStreamed(url);
      const client = new GeminiClient({ baseUrl: url, retry: false });
      const file = await client.files.upload(new Blob(['a'.repeat(600_000)]), {
        mimeType: 'text/plain',
      });
      assert.equal(file.sizeBytes, '600000');
      assert.ok(file.uri.startsWith(url), file.uri);
    });
  });

  test('hands method, URL, headers and body to the handler, and its response to the client', async () => {
    const echo = async (request) => {
      const headers = new Headers({ 'x-method': request.method, 'x-url': request.url });
      headers.append('set-cookie', 'a=1');
      headers.append('set-cookie', 'b=2');
      headers.set('x-sent', request.headers.get('x-sent'));
      const sent = await request.text();
      return new Response(sent || null, { status: 201, headers });
    };
    await withServer(echo, async ({ url }) => {
      const init = { method: 'PUT', body: 'ä'.repeat(100_000), headers: { 'x-sent': 'yes' } };
      const response = await fetch(`${url}/a?b=c`, init);
      assert.equal(response.status, 201);
      assert.equal(response.headers.get('x-method'), 'PUT');
      assert.equal(response.headers.get('x-url'), `${url}/a?b=c`);
      assert.equal(response.headers.get('x-sent'), 'yes');
      assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2']);
      assert.equal(await response.text(), init.body);
      const head = await fetch(url, { method: 'HEAD' });
      assert.equal(head.headers.get('x-method'), 'HEAD');
    });
  });

  test('sends each piece as it is made, and waits for a slow reader', async () => {
    const piece = new Uint8Array(64 * 1024);
    let made = 0;
    const pieces = 2000;
    const stream = () =>
      new ReadableStream(
        {
          pull(controller) {
            if (++made > pieces) controller.close();
            else controller.enqueue(piece);
          },
        },
        { highWaterMark: 0 },
      );
    await withServer(
      () => new Response(stream()),
      async ({ url }) => {
        const response = await new Promise((resolve) => httpRequest(url, resolve).end());
        response.pause();
        await new Promise((resolve) => setTimeout(resolve, 300));
        // What the buffers of both sockets take is far less than 125 MB.
        assert.ok(made < pieces / 2, `${made} pieces were made`);
        let size = 0;
        for await (const chunk of response) size += chunk.length;
        assert.equal(size, pieces * piece.length);
      },
    );
  });

  test('reads an upload only as fast as the handler does', async () => {
    let read = 0;
    let proceed;
    const waiting = new Promise((resolve) => (proceed = resolve));
    const handler = async (request) => {
      const reader = request.body.getReader();
      read += (await reader.read()).value.length;
      await waiting;
      for (let next = await reader.read(); !next.done; next = await reader.read())
        read += next.value.length;
      return text(String(read));
    };
    await withServer(handler, async ({ port }) => {
      const size = 64 * 1024 * 1024;
      const request = httpRequest({ port, method: 'POST', headers: { 'content-length': size } });
      const answered = once(request, 'response');
      const chunk = Buffer.alloc(1024 * 1024);
      let written = 0;
      const write = () => {
        while (written < size) {
          written += chunk.length;
          if (!request.write(chunk)) return void request.once('drain', write);
        }
        request.end();
      };
      write();
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.ok(written < size / 2, `${written} bytes were taken`);
      proceed();
      const [response] = await answered;
      let body = '';
      for await (const piece of response) body += piece;
      assert.equal(body, String(size));
    });
  });

  test('answers a request whose body nobody reads, and serves the next one', async () => {
    const handler = async () => text('no', { status: 401 });
    await withServer(handler, async ({ port }) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (const size of [0, 100_000, 16 * 1024 * 1024]) {
        // As many clients do, it reads the response only after it has sent everything.
        const request = httpRequest({ port, agent, method: 'POST' });
        const sent = new Promise((resolve) => request.end(Buffer.alloc(size), resolve));
        const answered = once(request, 'response');
        await sent;
        const [response] = await answered;
        assert.equal(response.statusCode, 401);
        response.resume();
        await once(response, 'end');
      }
      agent.destroy();
    });
  });

  test('answers a request over HTTP/2 whose body nobody reads', async () => {
    const server = createHttp2Server(toNodeHandler(async () => text('no', { status: 401 })));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = connectHttp2(`http://127.0.0.1:${server.address().port}`);
    const stream = client.request({ ':method': 'POST', ':path': '/' });
    const answered = once(stream, 'response');
    await new Promise((resolve) => stream.end(Buffer.alloc(4 * 1024 * 1024), resolve));
    const [headers] = await answered;
    assert.equal(headers[':status'], 401);
    stream.resume();
    await once(stream, 'close');
    client.close();
    server.close();
  });

  test('reads on where the handler does, after its response', async () => {
    let whole;
    const handler = async (request) => {
      whole = request.text();
      return text('early');
    };
    await withServer(handler, async ({ port }) => {
      const request = httpRequest({ port, method: 'POST' });
      request.write('first, ');
      const [response] = await once(request, 'response');
      response.resume();
      await once(response, 'end');
      request.end('last');
      assert.equal(await whole, 'first, last');
    });
  });

  test('a body that is read after the response fails, because its rest was thrown away', async () => {
    let body;
    const handler = async (request) => {
      body = request.body;
      return text('done');
    };
    await withServer(handler, async ({ port }) => {
      const request = httpRequest({ port, method: 'POST' });
      const answered = once(request, 'response');
      await new Promise((resolve) => request.end(Buffer.alloc(4 * 1024 * 1024), resolve));
      const [response] = await answered;
      response.resume();
      await once(response, 'end');
      await assert.rejects(async () => {
        for await (const piece of body) void piece;
      }, /before the body was read/);
    });
  });

  test('aborts the request and cancels the body when the client leaves', async () => {
    const events = [];
    let settle;
    const left = new Promise((resolve) => (settle = resolve));
    const note = (event) => {
      events.push(event);
      if (events.length === 2) settle();
    };
    const handler = (request) => {
      request.signal.addEventListener('abort', () => note('aborted'));
      return new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new Uint8Array(10)),
          cancel: () => note('cancelled'),
        }),
      );
    };
    await withServer(handler, async ({ url }) => {
      const leaving = new AbortController();
      const response = await fetch(url, { signal: leaving.signal });
      await response.body.getReader().read();
      leaving.abort();
      await left;
      assert.deepEqual(events.sort(), ['aborted', 'cancelled']);
    });
  });

  test('does not abort a request that was answered', async () => {
    let aborted = false;
    const handler = (request) => {
      request.signal.addEventListener('abort', () => (aborted = true));
      return text('done');
    };
    await withServer(handler, async ({ url }) => {
      assert.equal(await (await fetch(url, { method: 'POST', body: 'unread' })).text(), 'done');
      assert.equal(await (await fetch(url)).text(), 'done');
      assert.equal(aborted, false);
    });
  });

  test('answers an error with 500 without details, or as onError says', async () => {
    const fail = async () => {
      throw new Error('a secret');
    };
    await withServer(fail, async ({ url }) => {
      const response = await fetch(url);
      assert.deepEqual([response.status, await response.text()], [500, 'Internal Server Error']);
    });
    const onError = (error) => new Response(error.message, { status: 418 });
    await withServer(fail, async ({ url }) => assert.equal((await fetch(url)).status, 418), {
      onError,
    });
    const broken = { onError: () => Response.error() };
    await withServer(fail, async ({ url }) => assert.rejects(fetch(url)), broken);
  });

  test('breaks the connection when a body fails, so that nobody takes half of it for the whole', async () => {
    const handler = () => {
      let isFirst = true;
      const pull = (controller) => {
        if (isFirst) controller.enqueue(new Uint8Array(10));
        else controller.error(new Error('broken'));
        isFirst = false;
      };
      return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
    };
    await withServer(handler, async ({ url }) => {
      await assert.rejects((await fetch(url)).text());
    });
  });

  test('answers a request that is not HTTP for a handler with 400', async () => {
    await withServer(
      () => text('never'),
      async ({ port }) => {
        const socket = connect(port, '127.0.0.1');
        socket.end('GET //[ HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n');
        let answer = '';
        for await (const piece of socket) answer += piece;
        assert.match(answer, /^HTTP\/1\.1 400 /);
      },
    );
  });

  test('throws if it cannot listen', async () => {
    await withServer(createEmulator(), async ({ port }) => {
      const error = { name: 'StrataError', code: 'server.unavailable', message: /is in use/ };
      await assert.rejects(serve(createEmulator(), { port }), error);
    });
    const elsewhere = { host: '203.0.113.1' };
    await assert.rejects(serve(createEmulator(), elsewhere), { code: 'server.unavailable' });
    await assert.rejects(serve(createEmulator(), { port: -1 }), { code: 'field.invalid' });
    const expected = { code: 'field.invalid', message: /gateway\.handle/ };
    await assert.rejects(serve({ handle: createEmulator() }), expected);
  });

  test("is a listener of Node's own server", async () => {
    const server = createServer(toNodeHandler(createEmulator())).listen(0, '127.0.0.1');
    await once(server, 'listening');
    assert.equal(await statusOf(`http://127.0.0.1:${server.address().port}`), 200);
    server.close();
    server.closeAllConnections();
  });
});

const isInstalled = (name) => existsSync(join(root, 'node_modules', name, 'package.json'));
const notInstalled = (...names) => {
  const missing = names.filter((name) => !isInstalled(name));
  return missing.length > 0 && `not installed: ${missing.join(', ')}`;
};

test('is a handler of Hono, below a path too', { skip: notInstalled('hono') }, async () => {
  const { Hono } = await import('hono');
  const emulator = createEmulator();
  const app = new Hono();
  app.all('/v1beta/*', (context) => emulator(context.req.raw));
  app.mount('/gemini', emulator);
  await withServer(app.fetch, async ({ url }) => {
    assert.equal(await statusOf(url), 200);
    await isStreamed(`${url}/gemini`);
  });
});

test('is a handler of srvx', { skip: notInstalled('srvx') }, async () => {
  const { serve: serveWithSrvx } = await import('srvx');
  const server = serveWithSrvx({
    ...{ port: 0, hostname: '127.0.0.1', silent: true, gracefulShutdown: false },
    fetch: createEmulator(),
  });
  await server.ready();
  const url = server.url.replace(/\/$/, '');
  assert.equal(await statusOf(url), 200);
  await isStreamed(url);
  await server.close(true);
});

// Programs of other runtimes print their address and end when they are killed.
const programs = {
  bun: `import { createEmulator } from 'prompt-strata/testing';
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: createEmulator() });
    console.log('http://127.0.0.1:' + server.port);`,
  deno: `import { createEmulator } from 'prompt-strata/testing';
    const onListen = ({ port }) => console.log('http://127.0.0.1:' + port);
    Deno.serve({ port: 0, hostname: '127.0.0.1', onListen }, createEmulator());`,
};
const programArguments = {
  bun: ['run'],
  deno: ['run', '--quiet', '--no-lock', '--allow-net=127.0.0.1', '--node-modules-dir=manual'],
};

for (const [runtime, program] of Object.entries(programs)) {
  const command = join(root, 'node_modules', '.bin', runtime);
  const skip = !existsSync(command) && `${runtime} is not installed`;
  test(`is a handler of the server of ${runtime}`, { skip }, async () => {
    const file = join(consumer, `serve-${runtime}.mjs`);
    writeFileSync(file, program);
    const child = spawn(command, [...programArguments[runtime], file], {
      ...{ cwd: consumer, stdio: ['ignore', 'pipe', 'inherit'] },
    });
    try {
      const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
      const url = line.trim();
      assert.equal(await statusOf(url), 200);
      await isStreamed(url);
    } finally {
      child.kill();
      rmSync(file);
    }
  });
}
