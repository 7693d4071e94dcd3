// The Files API: uploads in chunks with progress, uploads that break and continue, waiting, get, list and delete.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';

const key = 'AIzaSyTest-key_0123456789';
const kib = 1024;
const chunk = 256 * kib;
const model = 'gemini-3.8-flash';
const quick = { initialMs: 1, maxMs: 2 };

/** Returns bytes that differ at every position where a chunk could begin. */
function bytesOf(length) {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = (i * 31 + (i >> 8) * 7) & 255;
  return bytes;
}

const hashOf = async (bytes) => {
  const hash = await crypto.subtle?.digest('SHA-256', bytes);
  return hash && btoa(String.fromCharCode(...new Uint8Array(hash)));
};

/** Returns a client of the emulator, and the requests that it sent. */
function emulated({ GeminiClient, createEmulator }, options = {}, clientOptions = {}) {
  const emulator = createEmulator({ apiKey: key, ...options });
  const requests = [];
  const fetch = (url, init) => {
    requests.push({ url: String(url), ...init });
    return emulator(url, init);
  };
  const client = new GeminiClient({ apiKey: key, fetch, retry: quick, ...clientOptions });
  return { client, requests };
}

const commandOf = ({ headers }) => headers['x-goog-upload-command'];

/** Returns a client whose fetch is scripted: one function for each request. */
function scripted({ GeminiClient }, ...answers) {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ url: String(url), ...init });
    return answers[Math.min(requests.length, answers.length) - 1]();
  };
  const clientOf = (options) => new GeminiClient({ apiKey: key, fetch, retry: quick, ...options });
  return { client: clientOf(), requests, clientOf };
}

const json = (value, headers = {}) => new Response(JSON.stringify(value), { headers });
const started = (url) => () => json({}, { 'x-goog-upload-url': url });
const stored = () => json({ file: { name: 'files/a', state: 'ACTIVE' } });

const sources = {
  'a Uint8Array': (bytes) => bytes,
  'an ArrayBuffer': (bytes) => bytes.slice().buffer,
  'a Blob': (bytes) => new Blob([bytes], { type: 'application/pdf' }),
  'a stream': (bytes) =>
    new ReadableStream({
      start(out) {
        for (let at = 0; at < bytes.length; at += 100_001)
          out.enqueue(bytes.slice(at, at + 100_001));
        out.close();
      },
    }),
};

const uploads = [
  ...Object.entries(sources).map(([name, sourceOf]) => ({
    name: `uploads ${name} in chunks, byte for byte, and reports progress`,
    async run(strata) {
      const { client, requests } = emulated(strata);
      const bytes = bytesOf(2 * chunk + 1000);
      const progress = [];
      const file = await client.files.upload(sourceOf(bytes), {
        mimeType: 'application/pdf',
        displayName: 'Report',
        sizeBytes: bytes.length,
        chunkBytes: 1,
        onProgress: ({ sentBytes, totalBytes }) => progress.push([sentBytes, totalBytes]),
      });
      const total = bytes.length;
      deepEqual(progress, [
        [chunk, total],
        [2 * chunk, total],
        [total, total],
      ]);
      deepEqual(requests.map(commandOf), ['start', 'upload', 'upload', 'upload, finalize']);
      deepEqual(
        [file.displayName, file.mimeType, file.sizeBytes, file.state, file.sha256Hash],
        ['Report', 'application/pdf', String(total), 'ACTIVE', await hashOf(bytes)],
      );
      match(file.name, /^files\/\w+$/);
      match(file.uri, /^https:\/\/generativelanguage\.googleapis\.com\/v1beta\/files\/\w+$/);
      ok(
        requests.every(({ url }) => !url.includes(key)),
        'the key is in a URL',
      );
    },
  })),
  {
    name: 'uploads an empty file, and a Blob with the type that it has',
    async run(strata) {
      const { client } = emulated(strata);
      const empty = await client.files.upload(new Uint8Array(0), { mimeType: 'text/plain' });
      equal(empty.sizeBytes, '0');
      const blob = new Blob(['hello'], { type: 'application/pdf' });
      const file = await client.files.upload(blob, { name: 'my-file' });
      deepEqual(
        [file.name, file.mimeType, file.sizeBytes],
        ['files/my-file', 'application/pdf', '5'],
      );
      const answer = new Response('hello', {
        headers: { 'content-type': 'text/plain; charset=utf-8' },
      });
      equal((await client.files.upload(await answer.blob())).mimeType, 'text/plain');
      const mimeType = 'audio/pcm;rate=16000';
      equal((await client.files.upload(new Uint8Array(1), { mimeType })).mimeType, mimeType);
    },
  },
  {
    name: 'continues an upload that broke where the API stopped, and tells onRetry',
    async run(strata) {
      const faults = [
        { kind: 'cut-upload', on: 'files', at: 3 },
        { kind: 'http503', on: 'files', at: 6 },
      ];
      const { client, requests } = emulated(strata, { faults });
      const bytes = bytesOf(6 * chunk);
      const retries = [];
      const file = await client.files.upload(bytes, {
        mimeType: 'image/png',
        chunkBytes: 2 * chunk,
        onRetry: ({ kind }, delayMs, attempt) => retries.push([kind, attempt, delayMs < 10]),
      });
      equal(file.sha256Hash, await hashOf(bytes));
      deepEqual(retries, [
        ['network', 1, true],
        ['server', 1, true],
      ]);
      const offsets = requests.map((request) => request.headers['x-goog-upload-offset']);
      // The third request sent half of its chunk.
      deepEqual(
        offsets.filter(Boolean).map(Number),
        [0, 2, 3, 4, 4].map((n) => n * chunk),
      );
    },
  },
  {
    name: 'finds a file whose last answer was lost',
    async run(strata) {
      let isLost = false;
      const emulator = strata.createEmulator();
      const fetch = async (url, init) => {
        const response = await emulator(url, init);
        if (isLost || !init.headers['x-goog-upload-command']?.includes('finalize')) return response;
        isLost = true;
        throw new TypeError('fetch failed');
      };
      const client = new strata.GeminiClient({ fetch, retry: quick });
      const file = await client.files.upload(bytesOf(10), { mimeType: 'text/plain' });
      equal(file.sizeBytes, '10');
      equal((await client.files.get(file.name)).name, file.name);
    },
  },
  {
    name: 'gives up after the attempts of the retry options, and at once without retries',
    async run(strata) {
      const down = [1, 2, 3, 4, 5, 6, 7].map((at) => ({
        kind: 'network',
        on: 'files',
        at: at + 1,
      }));
      const upload = (retry) => {
        const { client, requests } = emulated(strata, { faults: down }, { retry });
        const data = bytesOf(5);
        return rejects(client.files.upload(data, { mimeType: 'text/plain' }), {
          kind: 'network',
        }).then(() => requests.length);
      };
      equal(await upload(false), 2);
      ok((await upload({ ...quick, attempts: 3 })) > 2);
    },
  },
  {
    name: 'sends chunks to the host of baseUrl only',
    async run(strata) {
      const path = '/upload/v1beta/files?upload_id=1';
      const elsewhere = scripted(strata, started(`https://evil.example${path}`), stored);
      await elsewhere.client.files.upload(bytesOf(1), { mimeType: 'text/plain' });
      equal(elsewhere.requests[1].url, `https://generativelanguage.googleapis.com${path}`);
      const same = scripted(
        strata,
        started(`https://generativelanguage.googleapis.com${path}`),
        stored,
      );
      await same.client.files.upload(bytesOf(1), { mimeType: 'text/plain' });
      equal(same.requests[1].url, `https://generativelanguage.googleapis.com${path}`);
      if (!globalThis.location) return;
      const proxied = scripted(strata, started(`https://evil.example${path}`), stored);
      const client = proxied.clientOf({ baseUrl: '/gemini' });
      await client.files.upload(bytesOf(1), { mimeType: 'text/plain' });
      equal(proxied.requests[1].url, `/gemini${path}`);
    },
  },
  {
    name: 'refuses data, types and sizes that cannot be uploaded',
    async run(strata) {
      const { client, requests } = emulated(strata);
      const mimeType = 'text/plain';
      const refused = (data, options, path) =>
        rejects(client.files.upload(data, options), {
          code: 'field.invalid',
          message: new RegExp(`^${path}`),
        });
      await refused('text', { mimeType }, '/data');
      await refused(null, { mimeType }, '/data');
      await refused(bytesOf(1), {}, '/mimeType');
      await refused(new Blob(['x']), {}, '/mimeType');
      await refused(sources['a stream'](bytesOf(1)), { mimeType }, '/sizeBytes');
      await rejects(client.files.upload(bytesOf(1), { mimetype: mimeType }), {
        code: 'field.unknown',
      });
      equal(requests.length, 0);
      for (const sizeBytes of [9, 11])
        await refused(sources['a stream'](bytesOf(10)), { mimeType, sizeBytes }, '/sizeBytes');
      await rejects(client.files.upload(bytesOf(1), { mimeType, name: 'Not Valid' }), {
        kind: 'invalid',
      });
      const noUrl = scripted(strata, () => json({}));
      await rejects(noUrl.client.files.upload(bytesOf(1), { mimeType }), {
        code: 'answer.invalid',
      });
      const noFile = scripted(strata, started('https://x.example/u'), () => json({}));
      await rejects(noFile.client.files.upload(bytesOf(1), { mimeType }), {
        code: 'answer.invalid',
      });
    },
  },
  {
    name: 'ends an upload with the reason of the abort, also while it waits for a stream',
    async run(strata) {
      const { client } = emulated(strata);
      const controller = new AbortController();
      const reason = new Error('enough');
      const { signal } = controller;
      let isCancelled = false;
      const silent = new ReadableStream({
        pull: () => new Promise(() => {}),
        cancel() {
          isCancelled = true;
        },
      });
      const options = { mimeType: 'text/plain', sizeBytes: 5, signal };
      setTimeout(() => controller.abort(reason), 20);
      const error = await rejects(client.files.upload(silent, options));
      ok(error === reason && isCancelled, String(error));
    },
  },
];

const waiting = [
  {
    name: 'waits until a video is processed, which can be used only then',
    async run(strata) {
      const { client, requests } = emulated(strata);
      const file = await client.files.upload(bytesOf(9), { mimeType: 'video/mp4' });
      equal(file.state, 'PROCESSING');
      const part = { fileData: { fileUri: file.uri, mimeType: file.mimeType } };
      const contents = [{ role: 'user', parts: [part, { text: 'Describe it' }] }];
      const body = new TextEncoder().encode(JSON.stringify({ contents }));
      const error = await rejects(client.generate(model, body), { kind: 'invalid' });
      match(error.message, /not in an ACTIVE state/);
      const active = await client.files.waitUntilActive(file, { initialMs: 1 });
      equal(active.state, 'ACTIVE');
      equal((await client.generate(model, body)).status, 200);
      const count = requests.length;
      equal((await client.files.waitUntilActive(active.name)).state, 'ACTIVE');
      equal(requests.length, count + 1);
    },
  },
  {
    name: 'throws file.failed, file.slow, or the reason of an abort',
    async run(strata) {
      const faults = [{ kind: 'processing-failed', on: 'files', at: 2 }];
      const { client } = emulated(strata, { faults });
      const bad = await client.files.upload(bytesOf(9), { mimeType: 'video/mp4' });
      const failed = await rejects(client.files.waitUntilActive(bad, { initialMs: 1 }), {
        code: 'file.failed',
        kind: 'server',
      });
      match(failed.message, /could not process files\/\w+: The file could not be processed/);
      const processing = () => json({ name: 'files/a', state: 'PROCESSING' });
      const never = scripted(strata, processing).client.files;
      await rejects(never.waitUntilActive('a', { timeoutMs: 20, initialMs: 5 }), {
        code: 'file.slow',
        kind: 'timeout',
      });
      const controller = new AbortController();
      const reason = new Error('enough');
      setTimeout(() => controller.abort(reason), 20);
      const { signal } = controller;
      ok((await rejects(never.waitUntilActive('a', { signal }))) === reason, 'another error');
      await rejects(never.waitUntilActive('a', { timeout: 5 }), { code: 'field.unknown' });
    },
  },
  {
    name: 'gets, lists page by page, and deletes files',
    async run(strata) {
      const { client, requests } = emulated(strata);
      const { files } = client;
      for (const name of ['one', 'two', 'three'])
        await files.upload(bytesOf(1), { mimeType: 'text/plain', name });
      equal((await files.get('two')).name, 'files/two');
      const names = [];
      for await (const { name } of files.list({ pageSize: 2 })) names.push(name);
      deepEqual(names, ['files/one', 'files/two', 'files/three']);
      for await (const { name } of files.list()) names.push(name);
      match(requests.at(-1).url, /\/files\?pageSize=100$/);
      equal(await files.delete('files/two'), undefined);
      const error = await rejects(files.get('two'), { kind: 'notFound', status: 403 });
      match(error.message, /may not exist/);
      await rejects(files.get('../x'), { code: 'name.invalid' });
      const taken = files.upload(bytesOf(1), { mimeType: 'text/plain', name: 'one' });
      await rejects(taken, { kind: 'invalid', status: 409 });
    },
  },
  {
    name: 'says that Vertex AI has no Files API, without a request',
    async run(strata) {
      const requests = [];
      const fetch = async () => requests.push(1);
      const vertexai = { project: 'p', token: 't' };
      const { files } = new strata.GeminiClient({ vertexai, fetch });
      const calls = [
        () => files.upload(bytesOf(1), { mimeType: 'text/plain' }),
        () => files.get('a'),
        () => files.delete('a'),
        () => files.waitUntilActive('a'),
        () => files.list().next(),
      ];
      for (const call of calls) {
        const error = await rejects(call, { code: 'feature.unavailable' });
        match(error.message, /Vertex AI has no Files API.*gs:\/\//);
      }
      equal(requests.length, 0);
    },
  },
];

export default [...uploads, ...waiting];
