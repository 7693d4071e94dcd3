// The gateway as the handler of servers: prompt-strata/node, Node's http, Bun and Deno, as docs/gateway.md shows them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import test from 'node:test';
import { createEmulator } from 'prompt-strata/testing';
import { createGateway } from 'prompt-strata/gateway';
import { serve, toNodeHandler } from 'prompt-strata/node';
import { root } from '../../scripts/setup/run.mjs';
import { consumer } from '../support/consumer.mjs';
import { textOf } from './examples-in-docs.mjs';

const model = 'gemini-3.8-flash';
const contents = [{ role: 'user', parts: [{ text: 'What is the weather in Oslo?' }] }];
const parameters = { type: 'OBJECT', properties: { city: { type: 'STRING' } }, required: ['city'] };
const declaration = { name: 'get_weather', description: 'The weather in a city', parameters };
const tools = [{ functionDeclarations: [declaration] }];
const headers = { 'content-type': 'application/json', 'x-goog-api-key': 'any-key' };

const ask = (url, more = []) => {
  const body = JSON.stringify({ contents: [...contents, ...more], tools });
  return fetch(`${url}/v1beta/models/${model}:generateContent`, { method: 'POST', headers, body });
};

/** Takes two steps as a client that drops signatures, and asks for a stream. */
async function assertServes(url) {
  const answer = await (await ask(url)).json();
  const [{ functionCall, thoughtSignature }] = answer.candidates[0].content.parts;
  assert.ok(thoughtSignature);
  const functionResponse = {
    id: functionCall.id,
    name: functionCall.name,
    response: { sky: 'clear' },
  };
  const response = await ask(url, [
    { role: 'model', parts: [{ functionCall }] },
    { role: 'user', parts: [{ functionResponse }] },
  ]);
  assert.equal(response.status, 200, await response.clone().text());
  assert.equal(response.headers.get('x-strata-restored'), '1');
  await response.text();
  const stream = await fetch(`${url}/v1beta/models/${model}:streamGenerateContent?alt=sse`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ contents }) },
  });
  assert.match(await stream.text(), /^data: \{[\s\S]*"finishReason":"STOP"/);
  assert.equal((await fetch(`${url}/v1beta/models`)).status, 401);
}

const newGateway = (options) => createGateway({ upstream: createEmulator(), ...options });

test('serve of prompt-strata/node', async () => {
  const server = await serve(newGateway().handle);
  try {
    await assertServes(server.url);
  } finally {
    await server.close();
  }
});

test("Node's http", async () => {
  const server = createServer(toNodeHandler(newGateway().handle)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await assertServes(`http://127.0.0.1:${server.address().port}`);
  server.close();
  server.closeAllConnections();
});

test('a client that sends too much gets the refusal once it has sent it', async () => {
  const gateway = createGateway({ upstream: createEmulator(), maxBodyBytes: 1000 });
  const server = await serve(gateway.handle);
  const request = httpRequest(`${server.url}/v1beta/models/${model}:generateContent`, {
    ...{ method: 'POST', headers },
  });
  const answered = once(request, 'response');
  await new Promise((resolve) => request.end(Buffer.alloc(16 * 1024 * 1024), resolve));
  const [response] = await answered;
  assert.equal(response.statusCode, 413);
  response.resume();
  await server.close();
});

test('a client that leaves ends the upstream request and frees its place', async () => {
  let aborted;
  const left = new Promise((resolve) => (aborted = resolve));
  let isFirst = true;
  const emulator = createEmulator();
  const upstream = (input, init) => {
    if (!isFirst) return emulator(input, init);
    isFirst = false;
    return new Promise((_, reject) => {
      init.signal.addEventListener('abort', () => {
        aborted();
        reject(init.signal.reason);
      });
    });
  };
  const lines = [];
  const gateway = createGateway({
    ...{ upstream, limits: { concurrency: 1 }, log: (line) => lines.push(JSON.parse(line)) },
  });
  const server = await serve(gateway.handle);
  try {
    const socket = connect(server.port, '127.0.0.1');
    const body = JSON.stringify({ contents });
    const head = [
      `POST /v1beta/models/${model}:generateContent HTTP/1.1`,
      ...['Host: a', 'content-type: application/json', 'x-goog-api-key: any-key'],
      `content-length: ${body.length}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    // The gateway reads the request before it asks.
    while (isFirst) await new Promise((resolve) => setTimeout(resolve, 5));
    socket.destroy();
    await left;
    while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual([lines[0].status, lines[0].error], [499, 'client.left']);
    assert.equal((await ask(server.url)).status, 200);
  } finally {
    await server.close();
  }
});

// Programs of other runtimes print their address and end when they are killed.
const start = `import { createEmulator } from 'prompt-strata/testing';
  import { createGateway } from 'prompt-strata/gateway';
  const gateway = createGateway({ upstream: createEmulator() });`;
const programs = {
  bun: `${start}
    const fetch = (request) => gateway.handle(request);
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch });
    console.log('http://127.0.0.1:' + server.port);`,
  deno: `${start}
    const onListen = ({ port }) => console.log('http://127.0.0.1:' + port);
    const options = { port: 0, hostname: '127.0.0.1', onListen };
    Deno.serve(options, (request) => gateway.handle(request));`,
};
const programArguments = {
  bun: ['run'],
  deno: [
    'run',
    '--quiet',
    '--no-lock',
    '--allow-net=127.0.0.1',
    '--allow-env',
    '--node-modules-dir=manual',
  ],
};

const commandOf = (runtime) => join(root, 'node_modules', '.bin', runtime);
const notInstalled = (runtime) => !existsSync(commandOf(runtime)) && `${runtime} is not installed`;

/** Runs a program that prints its address, and calls `use` with it. */
async function withProgram(runtime, program, use) {
  const file = join(consumer, `gateway-${runtime}.mjs`);
  writeFileSync(file, program);
  const child = spawn(commandOf(runtime), [...programArguments[runtime], file], {
    ...{ cwd: consumer, stdio: ['ignore', 'pipe', 'inherit'] },
    env: { ...process.env, PORT: '0', GATEWAY_SECRET: 'a secret of the deployment' },
  });
  try {
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
    await use(line.trim());
  } finally {
    child.kill();
    rmSync(file);
    rmSync(join(consumer, 'signatures.log'), { force: true });
  }
}

for (const [runtime, program] of Object.entries(programs)) {
  test(`the server of ${runtime}`, { skip: notInstalled(runtime) }, () =>
    withProgram(runtime, program, assertServes),
  );

  test(
    `the program for ${runtime} in docs/gateway.md`,
    { skip: notInstalled(runtime) },
    async () => {
      const block = new RegExp(`^\`\`\`js gateway-${runtime}\\.mjs\\n([\\s\\S]*?)^\`\`\`$`, 'm');
      const [, code] = block.exec(textOf('docs/gateway.md'));
      await withProgram(
        runtime,
        code.replaceAll('npm:prompt-strata', 'prompt-strata'),
        async (url) => {
          assert.equal((await fetch(`${url}/health`)).status, 200);
          assert.equal((await fetch(`${url}/v1beta/models`)).status, 401);
        },
      );
    },
  );
}
