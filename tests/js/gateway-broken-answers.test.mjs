// Answers that break off, upstreams that repeat the gateway's key, clients that do not read, and models that bodies name.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import test, { describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGateway } from 'prompt-strata/gateway';
import { serve } from 'prompt-strata/node';
import { loadParts } from './gateway-parts.mjs';

const key = 'AIzaSyUpstream-key_0123456789abcdefghi';
const escaped = [...key]
  .map((each, i) => {
    const code = each.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${i % 2 === 0 ? code : code.toUpperCase()}`;
  })
  .join('');
const model = 'gemini-3.8-flash';
const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
const generate = [`/v1beta/models/${model}:streamGenerateContent?alt=sse`, { contents }];
const messages = [{ role: 'user', content: 'Hello' }];
const chat = ['/v1/chat/completions', { model, messages }];
const chatStream = ['/v1/chat/completions', { model, messages, stream: true }];

const event = (value) => `data: ${JSON.stringify(value)}\r\n\r\n`;
const text = (words, more = {}) =>
  event({ candidates: [{ content: { role: 'model', parts: [{ text: words }] }, ...more }] });
const stop = text('done', { finishReason: 'STOP' });
const whole = JSON.stringify({
  candidates: [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP' }],
});

const sse = { 'content-type': 'text/event-stream' };
const json = { 'content-type': 'application/json' };

/** Returns a body of pieces; a function among them is called with the controller. */
const bodyOf = (pieces) =>
  new ReadableStream({
    async pull(controller) {
      const next = pieces.shift();
      if (next === undefined) controller.close();
      else if (typeof next === 'function') await next(controller);
      else controller.enqueue(new TextEncoder().encode(next));
    },
  });

/** Creates a gateway whose upstream answers with `answer()`. */
function setUp(answer, options = {}) {
  const lines = [];
  const sent = [];
  const gateway = createGateway({
    upstream: async (url, init) => {
      sent.push(String(url));
      return answer(url, init);
    },
    ...{ apiKey: key, callers: 'anyone', adminKey: 'admin-key_0123456789' },
    log: (line) => lines.push(JSON.parse(line)),
    ...options,
  });
  const post = (path, body) =>
    gateway.handle(
      new Request(`http://a${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) }),
    );
  const metrics = async () => {
    const headers = { authorization: 'Bearer admin-key_0123456789' };
    return (await gateway.handle(new Request('http://a/metrics', { headers }))).text();
  };
  return { gateway, post, metrics, lines, sent };
}

const readAll = async (response) => {
  try {
    return await response.text();
  } catch (error) {
    return String(error);
  }
};

describe('an answer that breaks off is logged with an error and counted', () => {
  const never = () => new Promise(() => {});
  const fail = (controller) => controller.error(new TypeError('reset'));
  const error = event({ error: { code: 503, status: 'UNAVAILABLE', message: 'later' } });
  for (const [name, pieces, code, reason = code] of [
    ['is reset', [text('a'), fail], 'upstream.network'],
    ['stops for good', [text('a'), never], 'upstream.timeout'],
    ['ends without a finishReason', [text('a')], 'answer.cut'],
    ['is not JSON', ['data: <html>\n\n'], 'answer.invalid'],
    ['turns into an error', [text('a'), error], 'api.UNAVAILABLE', 'api'],
  ])
    test(`that ${name}`, async () => {
      for (const request of [generate, chatStream]) {
        const answer = () => new Response(bodyOf([...pieces]), { headers: sse });
        const { post, lines, metrics } = setUp(answer, { timeoutMs: 40 });
        const response = await post(...request);
        assert.equal(response.status, 200);
        await readAll(response);
        assert.deepEqual([lines[0].status, lines[0].error], [200, code], JSON.stringify(request));
        const counted = `prompt_strata_broken_answers_total{reason="${reason}"} 1`;
        assert.ok((await metrics()).includes(counted), await metrics());
      }
    });

  test('that is whole is neither', async () => {
    for (const [pieces, headers] of [
      [[text('a'), stop], sse],
      [[text('a'), stop.trimEnd()], sse],
      [[event({ promptFeedback: { blockReason: 'SAFETY' } })], sse],
      [[whole], json],
    ]) {
      const { post, lines, metrics } = setUp(() => new Response(bodyOf([...pieces]), { headers }));
      await readAll(await post(...generate));
      assert.equal(lines[0].error, undefined, pieces[0]);
      assert.doesNotMatch(await metrics(), /broken_answers_total\{/);
    }
  });

  test('that a client leaves before its end', async () => {
    const answer = () => new Response(bodyOf([text('a'), text('b'), never]), { headers: sse });
    const { post, lines } = setUp(answer);
    const reader = (await post(...generate)).body.getReader();
    await reader.read();
    await reader.cancel();
    assert.equal(lines[0].error, 'client.left');
  });

  test('of a method that passes as it is', async () => {
    const { post, lines } = setUp(() => new Response(bodyOf(['{', fail]), { headers: json }));
    await readAll(await post(`/v1beta/models/${model}:countTokens`, { contents }));
    assert.equal(lines[0].error, 'upstream.network');
  });
});

describe("the upstream's key is not in answers", () => {
  const refusal = (message) => `{"error":{"code":400,"message":"${message}","status":"FAILED"}}`;

  for (const [name, written] of [
    ['as it is', key],
    ['in JSON escapes', escaped],
  ])
    test(`of an error, ${name}, wherever its bytes are split`, async () => {
      for (const request of [generate, chat, chatStream]) {
        const stream = text('a') + `data: ${refusal(`key ${written} is invalid`)}\r\n\r\n`;
        for (const at of [text('a').length + 40, text('a').length + 60, stream.length - 30]) {
          const pieces = [stream.slice(0, at), stream.slice(at, at + 3), stream.slice(at + 3)];
          const { post } = setUp(() => new Response(bodyOf(pieces), { headers: sse }));
          const shown = await readAll(await post(...request));
          assert.doesNotMatch(shown, /AIza|Upstream-key|\\u0041/i);
          assert.match(shown, /\[api key\] is invalid/);
        }
        const { post } = setUp(
          () => new Response(refusal(`bad key ${written}`), { status: 400, headers: json }),
        );
        const refused = await readAll(await post(...request));
        assert.doesNotMatch(refused, /AIza|\\u0041/i);
        assert.match(refused, /bad key \[api key\]/);
      }
    });

  test('of a method that passes as it is', async () => {
    const { post } = setUp(() => new Response(`{"a":"${escaped}"}`, { headers: json }));
    const path = `/v1beta/models/${model}:countTokens`;
    assert.equal(await readAll(await post(path, { contents })), '{"a":"[api key]"}');
  });

  test('in headers', async () => {
    const names = ['retry-after', 'x-goog-request-id', 'x-gemini-echo', 'server-timing'];
    for (const status of [200, 400]) {
      const headers = { ...json, ...Object.fromEntries(names.map((name) => [name, `a ${key}`])) };
      const { post } = setUp(() => new Response(whole, { status, headers }));
      const response = await post(...generate);
      assert.ok(!JSON.stringify([...response.headers]).includes('AIza'));
      assert.equal(response.headers.get('server-timing'), 'a [api key]');
      await readAll(response);
    }
  });

  test('where the limit of a refusal cuts it', async () => {
    const long = 'x'.repeat(1024 * 1024 - 20) + key;
    const { post } = setUp(() => new Response(long, { status: 400 }));
    const shown = await readAll(await post(...generate));
    assert.doesNotMatch(shown, /AIza/);
    assert.ok(shown.length <= 1024 * 1024);
  });

  test('an answer that says it passes as it is, byte for byte', async () => {
    const said = text(`You wrote ${key}, ${key.slice(0, 9)}`) + stop;
    for (const size of [1, 7, 1000]) {
      const pieces = said.match(new RegExp(`[^]{1,${size}}`, 'g'));
      const { post } = setUp(() => new Response(bodyOf(pieces), { headers: sse }));
      assert.equal(await readAll(await post(...generate)), said);
    }
  });

  test('KeyGuard holds nothing back but where a key may begin', async () => {
    const { KeyGuard } = await loadParts(['key-guard']);
    const guard = new KeyGuard([key]);
    const take = (words, isError = false) =>
      Buffer.from(guard.take(Buffer.from(words), isError)).toString();
    assert.equal(take('An answer\n'), 'An answer\n');
    assert.equal(take(`x${key.slice(0, 5)}`), 'x');
    assert.equal(take('AIzaX'), `${key.slice(0, 5)}AIzaX`);
    assert.equal(take(key.slice(0, 5)), '');
    assert.equal(take(`${key.slice(5)} is wrong`, true), '[api key] is wrong');
    assert.equal(take(`\\u0041${key.slice(1)}`), '');
    assert.equal(Buffer.from(guard.end(true)).toString(), '[api key]');
  });
});

describe('an upstream out of the ordinary', () => {
  test('a refusal that trickles ends in time, and frees its place', async () => {
    const trickle = async (controller) => {
      await sleep(10);
      controller.enqueue(Buffer.from('x'));
    };
    const pieces = { shift: () => trickle };
    const answer = () => new Response(bodyOf(pieces), { status: 500 });
    const { post } = setUp(answer, { timeoutMs: 100, limits: { totalConcurrency: 1 } });
    for (const request of [generate, chat]) {
      const response = await post(...request);
      assert.equal(response.status, 500);
      await readAll(response);
    }
  });

  test('a delay that no timer takes is cut to the longest one', async () => {
    for (const retryDelay of [`${'9'.repeat(400)}s`, '999999999999s']) {
      const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }];
      const error = { code: 429, message: 'x', status: 'RESOURCE_EXHAUSTED', details };
      const { post } = setUp(() => Response.json({ error }, { status: 429 }));
      const response = await post(...chat);
      assert.equal(response.headers.get('retry-after'), '2147483');
      await readAll(response);
    }
  });

  test('a status that HTTP does not define is named as the fault', async () => {
    const response = new Response('{}');
    Object.defineProperty(response, 'status', { value: 600 });
    const { post } = setUp(() => response);
    const { error } = JSON.parse(await readAll(await post(...chat)));
    assert.equal(error.code, 'upstream.invalid');
    assert.match(error.message, /status 600/);
  });
});

describe('a client that does not read', () => {
  const endless = () =>
    new Response(new ReadableStream({ pull: (out) => out.enqueue(Buffer.from(text('a'))) }), {
      headers: sse,
    });

  test('loses its place after the time, and the log says why', async () => {
    const limits = { totalConcurrency: 1 };
    const { post, lines, metrics } = setUp(endless, { readerTimeoutMs: 30, limits });
    for (const reads of [0, 1, 3]) {
      const response = await post(...generate);
      assert.equal(response.status, 200, String(reads));
      const reader = response.body.getReader();
      for (let i = 0; i < reads; i++) await reader.read();
      await assert.rejects(async () => {
        await sleep(100);
        for (;;) await reader.read();
      }, /did not read/);
    }
    assert.deepEqual([...new Set(lines.map(({ error }) => error))], ['client.slow']);
    assert.ok((await metrics()).includes('broken_answers_total{reason="client.slow"} 3'));
  });

  test('over a socket, its connection ends', async () => {
    const { gateway, lines } = setUp(
      () => new Response(bodyOf({ shift: () => text('x'.repeat(60_000)) }), { headers: sse }),
      { timeoutMs: 100 },
    );
    const server = await serve(gateway.handle);
    const [path, body] = generate;
    const sent = JSON.stringify(body);
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n` +
        `content-length: ${sent.length}\r\n\r\n${sent}`,
    );
    while (lines.length === 0) await sleep(10);
    assert.equal(lines[0].error, 'client.slow');
    // The rest of what the system holds for the client comes, then the end.
    socket.resume();
    await new Promise((resolve) => socket.on('close', resolve));
    await server.close();
  });

  test('one that reads slowly is no such client, and the option 0 takes the limit away', async () => {
    for (const [readerTimeoutMs, pause] of [
      [200, 20],
      [0, 60],
    ]) {
      const answer = () => new Response(bodyOf([text('a'), text('b'), stop]), { headers: sse });
      const { post, lines } = setUp(answer, { readerTimeoutMs, timeoutMs: 20 });
      const reader = (await post(...generate)).body.getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read())
        await sleep(pause);
      assert.equal(lines[0].error, undefined);
    }
  });
});

test('the option models binds the models that bodies name', async () => {
  const { post, sent } = setUp(() => new Response(whole, { headers: json }), { models: [model] });
  const cases = (name) => [
    ['/v1beta/cachedContents', { model: `models/${name}`, contents }],
    [
      '/v1beta1/projects/p/locations/us/cachedContents',
      { model: `projects/p/locations/us/publishers/google/models/${name}`, contents },
    ],
    [
      `/v1beta/models/${model}:countTokens`,
      { generateContentRequest: { model: `models/${name}`, contents } },
    ],
    [
      `/v1beta/models/${model}:countTokens`,
      { generate_content_request: { model: name, contents } },
    ],
    [`/v1beta/models/${model}:embedContent`, { model: `models/${name}`, content: contents[0] }],
    [
      `/v1beta/models/${model}:batchEmbedContents`,
      { requests: [{ model: `models/${model}` }, { model: `models/${name}` }] },
    ],
    [`/v1beta/models/${model}:batchEmbedContents`, { requests: { model: `models/${name}` } }],
    [`/v1beta/models/${model}:generateContent`, { model: `models/${name}`, contents }],
  ];
  for (const [path, body] of cases('gemini-4-argon')) {
    const response = await post(path, body);
    const answer = await readAll(response);
    assert.equal(response.status, 404, path);
    assert.match(answer, /model\.not_offered/);
  }
  assert.deepEqual(sent, []);
  for (const [path, body] of cases(model)) {
    const response = await post(path, body);
    await readAll(response);
    assert.equal(response.status, 200, path);
  }
  // Nobody can say which model Google's parser finds in it.
  const odd = await post('/v1beta/cachedContents', undefined);
  assert.equal(odd.status, 200);
  const { gateway } = setUp(() => new Response(whole), { models: [model] });
  const postText = (body) =>
    gateway.handle(
      new Request('http://a/v1beta/cachedContents', { method: 'POST', headers: json, body }),
    );
  for (const body of [
    '{"model":"models/gemini-4-argon",}',
    `{"model":"models/gemini-4-argon","model":"models/${model}"}`,
    `{"\\u006dodel" :"models/gemini-4-argon","model":"models/${model}"}`,
  ])
    assert.match(await readAll(await postText(body)), /json\.invalid/);
  assert.equal(await readAll(await postText('{"ttl":"60s",}')), whole);
  const args = { model: 'a', text: '"model":"b"' };
  const call = { role: 'model', parts: [{ functionCall: { name: 'f', args } }] };
  const fine = await postText(JSON.stringify({ model: `models/${model}`, contents: [call] }));
  assert.equal(await readAll(fine), whole);
});
