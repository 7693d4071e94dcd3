// Parts of the gateway's pipeline that fail: a core that traps, and answers that have no end.
import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { loadParts } from './gateway-parts.mjs';

const { chat, CoreHolder, StrataError, maxAnswerBytes, watchAnswer } = await loadParts([
  'chat',
  'call',
  'watched-answer',
  '../sdk/internal/errors',
  '../sdk/client/response-body',
]);

const trap = () => new StrataError('instance.poisoned', 'This instance has trapped.');

/** A holder whose instances are numbers; those in `trapped` fail. */
function newHolder(trapped) {
  let loaded = 0;
  const holder = new CoreHolder(async () => ++loaded);
  const work = (core) => {
    if (trapped.has(core)) throw trap();
    return core;
  };
  return { use: () => holder.use(work), loaded: () => loaded };
}

describe('the core that requests share', () => {
  test('is loaded once', async () => {
    const { use, loaded } = newHolder(new Set());
    assert.deepEqual(await Promise.all([use(), use(), use()]), [1, 1, 1]);
    assert.equal(loaded(), 1);
  });

  test('is replaced after a trap, also for the requests that ran beside it', async () => {
    const trapped = new Set([1]);
    const { use, loaded } = newHolder(trapped);
    assert.deepEqual(await Promise.all([use(), use()]), [2, 2]);
    assert.equal(loaded(), 2);
  });

  test('is replaced once for a request that traps every instance', async () => {
    const trapped = new Set([1, 2]);
    const { use, loaded } = newHolder(trapped);
    await assert.rejects(use(), { code: 'instance.poisoned' });
    assert.equal(loaded(), 2);
    assert.equal(await use(), 3);
  });

  test('is loaded again if that failed, and other errors do not replace it', async () => {
    let loads = 0;
    const holder = new CoreHolder(async () => {
      if (++loads === 1) throw new Error('no file');
      return loads;
    });
    await assert.rejects(
      holder.use(() => 0),
      { message: 'no file' },
    );
    const fail = () => {
      throw new Error('a fault of the request');
    };
    await assert.rejects(holder.use(fail), { message: /fault/ });
    assert.equal(await holder.use((core) => core), 2);
  });
});

/** A watch whose assembler does what `push` does, with what happened. */
function newWatch(push) {
  const seen = { ends: [], remembered: 0 };
  const assembler = {
    push,
    content: () => new Uint8Array([1]),
    end: () => [],
    finish: () => ({}),
    [Symbol.dispose]() {},
  };
  const watch = {
    response: () => assembler,
    secrets: [],
    remember: async () => {
      seen.remembered++;
    },
    ended: (end) => seen.ends.push(end),
  };
  return { watch, seen };
}

/** A response of chunks, which tells when it is cancelled. */
function responseOf(chunks) {
  const state = { wasCancelled: false };
  const body = new ReadableStream(
    {
      pull(controller) {
        const { value, done } = chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        state.wasCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { response: new Response(body), state };
}

async function lengthOf(stream) {
  let length = 0;
  for await (const chunk of stream) length += chunk.length;
  return length;
}

describe('an answer on its way', () => {
  test('breaks off where it is too long, and the upstream is cancelled', async () => {
    function* endless() {
      for (;;) yield new Uint8Array(1 << 22);
    }
    const { watch, seen } = newWatch(() => []);
    const { response, state } = responseOf(endless());
    await assert.rejects(lengthOf(watchAnswer(response, watch)), RangeError);
    assert.ok(state.wasCancelled);
    assert.equal(seen.ends.length, 1);
    assert.ok(seen.ends[0].reason instanceof RangeError);
    assert.equal(maxAnswerBytes, 64 << 20);
  });

  test('passes on, unwatched, if the core fails', async () => {
    const { watch, seen } = newWatch(() => {
      throw trap();
    });
    const text = Buffer.from('data: {"thoughtSignature":"x"}\n\n');
    const { response } = responseOf([text, text].values());
    assert.equal(await lengthOf(watchAnswer(response, watch)), 2 * text.length);
    assert.deepEqual(seen, { ends: [{ usage: {} }], remembered: 0 });
  });

  test('passes on, unwatched, if the core has trapped since the request left', async () => {
    const { watch, seen } = newWatch(() => []);
    watch.response = () => {
      throw trap();
    };
    const text = Buffer.from('data: {"thoughtSignature":"x"}\n\n');
    const { response } = responseOf([text].values());
    assert.equal(await lengthOf(watchAnswer(response, watch)), text.length);
    assert.deepEqual(seen, { ends: [{ usage: {} }], remembered: 0 });
  });

  test('is looked at for signatures only, not for texts that speak of them', async () => {
    const texts = [
      'data: {"text":"its signature"}\n\n',
      'data: {"text":"\\"thoughtSignature\\": 1"}\n\n',
      'data: {"text":"signature" , "a":1}\n\n',
    ];
    const { watch, seen } = newWatch(() => [{ type: 'text' }]);
    const { response } = responseOf(texts.map((text) => Buffer.from(text)).values());
    await lengthOf(watchAnswer(response, watch));
    assert.equal(seen.remembered, 0);
    const spaced = newWatch(() => [{ type: 'text' }]);
    const signed = Buffer.from('data: {"thoughtSignature" \n: "x"}\n\n');
    await lengthOf(watchAnswer(responseOf([signed].values()).response, spaced.watch));
    assert.equal(spaced.seen.remembered, 1);
  });

  test('is not looked at for each of a thousand signed events, and all are remembered at its end', async () => {
    const event = Buffer.from('data: {"thoughtSignature":"x"}\n\n');
    let pushed = 0;
    const { watch, seen } = newWatch(() => {
      pushed++;
      return [{ type: 'text' }];
    });
    const { response } = responseOf(Array(1000).fill(event).values());
    await lengthOf(watchAnswer(response, watch));
    // Each time but the last, the answer has grown by a quarter.
    assert.ok(seen.remembered > 32 && seen.remembered < 60, String(seen.remembered));
    assert.equal(pushed, 1000);
  });

  test('is remembered as soon as an event with a signature is complete, wherever the bytes are split', async () => {
    const text = 'data: {"thoughtSignature":"x"}\n\n';
    for (let split = 1; split < text.length; split++) {
      let length = 0;
      const { watch, seen } = newWatch((bytes) => {
        length += bytes.length;
        return length >= text.length ? [{ type: 'part' }] : [];
      });
      const pieces = [text.slice(0, split), text.slice(split)].map((each) => Buffer.from(each));
      const { response } = responseOf(pieces.values());
      const reader = watchAnswer(response, watch).getReader();
      await reader.read();
      assert.equal(seen.remembered, 0, `split at ${split}`);
      await reader.read();
      assert.equal(seen.remembered, 1, `split at ${split}`);
      assert.ok((await reader.read()).done);
      assert.deepEqual([seen.remembered, seen.ends.length], [1, 1]);
    }
  });
});

test('a chat whose answer cannot be converted leaves no answer of the upstream open', async () => {
  const { response, state } = responseOf([Buffer.from('data: {}\n\n')].values());
  const body = Buffer.from('{}');
  const core = {
    openAiRequest: () => ({ body, model: 'gemini-3.8-flash', stream: true, diagnostics: [] }),
    openAiAnswer: () => {
      throw trap();
    },
    request: () => ({
      prepare: () => ({ ok: true, diagnostics: [] }),
      [Symbol.dispose ?? Symbol.for('Symbol.dispose')]: () => {},
    }),
    response: () => newWatch(() => []).watch.response(),
  };
  const asked = [];
  const pipeline = {
    options: {},
    upstream: { target: () => ({ backend: 'gemini' }), send: async () => response, secrets: [] },
    core: { use: async (work) => work(core) },
    metrics: { upstreamSeconds: (seconds) => asked.push(seconds), brokenAnswer: () => {} },
  };
  const headers = { 'content-type': 'application/json' };
  const request = new Request('http://localhost/', { method: 'POST', body, headers });
  const call = { request, signal: new AbortController().signal };
  await assert.rejects(chat(pipeline, call, 'repair'), { code: 'instance.poisoned' });
  assert.equal(asked.length, 1);
  assert.ok(state.wasCancelled);
});
