// Reproduces every public issue thread in tests/cases/issue_threads.json where its fault is visible: in a request
// body, in a cache, in the origin of a signature, or in how an answer is handled.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { before } from 'node:test';
import { Conversation, GeminiClient, load } from 'prompt-strata';
import { createEmulator } from 'prompt-strata/testing';
import { loadChecker } from 'prompt-strata/check';
import { root } from '../../scripts/setup/run.mjs';

const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'));
const { model, rows } = readJson('tests', 'cases', 'issue_threads.json');
const catalogue = readJson('src', 'catalogue', 'rules.json');
const rowCount = 45;
// gemini-3.5-flash was still served under its own name.
const reported = '2026-10-01T00:00:00Z';

const now = '2026-11-21T10:00:00Z';
const signature = 'c2lnbmVkIGJ5IHRoZSBtb2RlbA==';
const text = (bytes) => new TextDecoder().decode(bytes);
const bytes = (string) => new TextEncoder().encode(string);
const lineOf = ({ severity, code, path }) => `${severity} ${code} ${path}`;
const errorsOf = ({ diagnostics }) =>
  diagnostics.filter(({ severity }) => severity === 'error').map(lineOf);

const user = (...parts) => ({ role: 'user', parts });
const call = { functionCall: { id: 'c1', name: 'get_weather', args: { city: 'Paris' } } };
const signed = { ...call, thoughtSignature: signature };
const result = {
  functionResponse: { id: 'c1', name: 'get_weather', response: { sky: 'clear' } },
};
const step = [
  user({ text: 'What is the weather in Paris?' }),
  { role: 'model', parts: [signed] },
  user(result),
];

let strata;
let checker;
let older;
before(async () => {
  strata = await load();
  checker = await loadChecker();
  // A service that does not know ids yet.
  older = await loadChecker({ models: [{ id: 'gemini-2.0-old', callIds: false }] });
});

// In a request body

/** Whether the body is valid after repair, by the value of `repair` in the file: without and with placeholders. */
const repairs = {
  right: { plain: true, filled: true },
  repaired: { plain: true, filled: true },
  placeholder: { plain: false, filled: true },
  stays: { plain: false, filled: false },
};

function checkRepair(checker, given, target, expected) {
  for (const [dummySignatures, ok] of [
    [false, expected.plain],
    [true, expected.filled],
  ]) {
    const repaired = checker.repair(given, { ...target, dummySignatures });
    assert.equal(repaired.ok, ok, JSON.stringify(repaired.diagnostics));
    assert.equal(checker.lint(repaired.body, target).ok, ok);
    const again = checker.repair(repaired.body, { ...target, dummySignatures });
    assert.equal(text(again.body), text(repaired.body), 'repaired twice');
    const changed = repaired.diagnostics.some((found) => found.repaired);
    assert.equal(text(repaired.body) !== given, changed, 'changed without a diagnostic');
  }
}

function checkBody({ body, found, says, repair, accepted, ...about }) {
  const { model: own = model, backend = 'gemini' } = about;
  const target = { model: own, backend, now: reported };
  const judge = target.model === 'gemini-2.0-old' ? older : checker;
  const given = JSON.stringify(body);
  const report = judge.lint(given, target);
  assert.deepEqual(errorsOf(report), found);
  const upstream = report.diagnostics.map((finding) => finding.upstream ?? '');
  if (says) assert.ok(upstream.join('\n').includes(says), upstream.join('\n'));
  if (accepted) assert.deepEqual(errorsOf(judge.lint(given, { ...target, model: accepted })), []);
  checkRepair(judge, given, target, repairs[repair]);
}

// In the origin of a signature

/** Returns code and path of the error for a history, or ''; checks that placeholders make it valid. */
function rejectionOf(from, options = {}) {
  const open = (more) => {
    const { saved } = checker.import(from, { model, ...options, ...more });
    return strata.thread({ model, from: saved, ...options });
  };
  const signatures = 'dummy';
  assert.ok(open({ signatures }).report().ok);
  try {
    open();
  } catch ({ code, diagnostics }) {
    return `${code} ${diagnostics.find(({ severity }) => severity === 'error').path}`;
  }
  return '';
}

/** Checks that a request with foreign signatures is rejected, and that repair makes it valid without them. */
function checkForeign(contents, signaturesFrom, options = {}) {
  const target = { model, ...options };
  const body = JSON.stringify({ contents });
  assert.deepEqual(errorsOf(checker.lint(body, target)), []);
  const codes = errorsOf(checker.lint(body, { ...target, signaturesFrom }));
  assert.ok(codes.length > 0);
  for (const line of codes)
    assert.match(line, /^error signature\.foreign \/contents\/1\/parts\/0$/);
  const repaired = checker.repair(body, { ...target, signaturesFrom, dummySignatures: true });
  assert.ok(repaired.ok);
  assert.ok(!text(repaired.body).includes(signature));
}

const signedText = [
  step[0],
  { role: 'model', parts: [{ text: 'Clear.', thoughtSignature: signature }] },
];
const resumed = [...signedText, user({ text: 'And in Rome?' })];

const openai = (id) => [
  { role: 'user', content: 'What is the weather in Paris?' },
  {
    role: 'assistant',
    tool_calls: [{ id, type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: id, content: '{"sky":"clear"}' },
];

const aiSdk = (providerOptions) => [
  { role: 'user', content: 'What is the weather in Paris?' },
  {
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: 'c1', toolName: 'get_weather', input: {}, providerOptions },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'c1',
        toolName: 'get_weather',
        output: { type: 'json', value: { sky: 'clear' } },
      },
    ],
  },
];

// In how an answer is handled

const stream = (...chunks) =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('');
const chunk = (parts, finishReason) => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason ? { finishReason } : {}) }],
});

function read(answer) {
  const response = strata.response();
  response.push(bytes(answer));
  const { content, ...rest } = response.finish();
  return { content: JSON.parse(text(content)), ...rest };
}

/** Sends a message in a conversation with scripted answers; returns all requests. */
async function talk(answers, options = {}, message = 'What is the weather in Paris?') {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ url: String(url), ...init, body: init.body && text(init.body) });
    return new Response(answers[Math.min(requests.length, answers.length) - 1]);
  };
  const client = new GeminiClient({ fetch, apiKey: 'k', retry: false });
  const chat = new Conversation(strata, client, { model, now: () => now, ...options });
  for await (const event of chat.send(message)) void event;
  return { requests, chat };
}

// In the body that creates a cache

/** Returns the cache decision for a static text of `wordCount` words, and the body that creates the cache. */
function cacheOf(wordCount, options = {}) {
  const thread = strata.thread({ model, ...options });
  const input = { now, static: { text: 'word '.repeat(wordCount) }, dynamic: { text: '' } };
  const { manifest } = thread.assemble({ ...input, trigger: 'Hello' });
  return { cache: manifest.cache, ...thread.cacheBody(input) };
}

const cached = { contents: [step[0]], cachedContent: 'cachedContents/a' };

/** The tests of rows whose fault is not in a request body, by row. */
const elsewhere = {
  2() {
    assert.equal(rejectionOf(aiSdk(undefined)), 'signature.missing /contents/1/parts/0');
    assert.equal(rejectionOf(aiSdk({ google: { thoughtSignature: signature } })), '');
  },
  3() {
    const { content, finishReason } = read(stream(chunk([signed], 'UNEXPECTED_TOOL_CALL')));
    assert.deepEqual([content.parts, finishReason], [[signed], 'UNEXPECTED_TOOL_CALL']);
  },
  async 4() {
    const run = () => {
      throw new Error('city must be a string');
    };
    const answers = [stream(chunk([signed], 'STOP')), stream(chunk([{ text: 'Sorry.' }], 'STOP'))];
    const { requests } = await talk(answers, { tools: [{ name: 'get_weather', run }] });
    const { contents } = JSON.parse(requests[1].body);
    assert.deepEqual(contents.at(-2).parts, [signed]);
    const { response } = contents.at(-1).parts[0].functionResponse;
    assert.deepEqual(response, { error: 'city must be a string' });
    assert.ok(checker.lint(requests[1].body, { model }).ok);
  },
  5() {
    const from = aiSdk({ vertex: { thoughtSignature: signature } });
    assert.equal(rejectionOf(from, { backend: 'vertex' }), '');
    assert.equal(rejectionOf(from), 'signature.foreign /contents/1/parts/0');
  },
  9() {
    const parts = [{ text: 'Clear.' }, { text: '', thoughtSignature: signature }];
    const { content } = read(stream(chunk([parts[0]]), chunk([parts[1]], 'STOP')));
    assert.deepEqual(content.parts, parts);
    const body = { contents: [step[0], content, step[0]] };
    for (const backend of ['gemini', 'vertex']) {
      const repaired = checker.repair(body, { model, backend });
      assert.deepEqual(JSON.parse(text(repaired.body)), body);
    }
  },
  10() {
    checkForeign(step, { backend: 'gemini' }, { backend: 'vertex' });
    const { diagnostics } = checker.lint(
      { contents: step },
      { model, signaturesFrom: { backend: 'vertex' } },
    );
    assert.equal(diagnostics[0].upstream, 'Corrupted thought signature.');
  },
  async 18() {
    const { requests } = await talk([stream(chunk([{ text: 'Clear.' }], 'STOP'))]);
    // The headers that Google allows in its preflight response.
    const allowed = ['content-type', 'x-goog-api-key', 'x-goog-api-client', 'authorization'];
    for (const { headers } of requests) {
      for (const name of Object.keys(headers))
        assert.ok(allowed.includes(name.toLowerCase()), name);
    }
  },
  21() {
    const saved = strata.thread({ model, from: step }).save();
    const loaded = strata.thread({ model, from: saved });
    assert.deepEqual(JSON.parse(text(loaded.content(1))), step[1]);
    const lost = text(saved).replace(`,"thoughtSignature":"${signature}"`, '');
    assert.equal(rejectionOf(lost), 'signature.missing /contents/1/parts/0');
  },
  24() {
    const { cache, body } = cacheOf(2000);
    assert.equal(cache.decision, 'below_minimum');
    assert.match(cache.reason, /4096/);
    const options = { model, cache: { model, tokens: strata.estimateTokens(text(body)) } };
    assert.deepEqual(errorsOf(checker.lint(cached, options)), [
      'error cache.too_small /cachedContent',
    ]);
    assert.notEqual(cacheOf(20_000).cache.decision, 'below_minimum');
  },
  25() {
    const open = (messages) =>
      strata.thread({ model, from: checker.import(messages, { model }).saved });
    const thread = open(openai(`call_1__thought__${signature}`));
    const [part] = JSON.parse(text(thread.content(1))).parts;
    assert.deepEqual([part.functionCall.id, part.thoughtSignature], ['call_1', signature]);
    // Some clients truncate ids.
    const damaged = openai(`call_1__thought__${signature.slice(0, 25)}`);
    assert.throws(() => open(damaged), { code: 'signature.not_base64' });
  },
  28() {
    checkForeign(resumed, { model: 'claude-sonnet-4' });
  },
  32() {
    checkForeign(step, { model: 'claude-opus-4-1' });
    const saved = text(strata.thread({ model, from: step }).save());
    const claude = saved.replace(',"content":{"role":"model"', ',"meta":{"model":"claude"}$&');
    assert.notEqual(claude, saved);
    assert.equal(rejectionOf(claude), 'signature.foreign /contents/1/parts/0');
  },
  35() {
    const empty = checker.lint({ ...cached, contents: [] }, { model });
    assert.deepEqual(errorsOf(empty), ['error cache.empty_contents /contents']);
    const thread = strata.thread({ model, from: resumed });
    const input = { now, static: { text: 'word '.repeat(20_000) }, dynamic: { text: '' } };
    const { turns, key } = thread.cacheBody({ ...input, bufferTokens: 0 });
    const cache = { name: 'cachedContents/a', model, turns, key };
    const { ok, body } = thread.assemble({ ...input, bufferTokens: 0, cache });
    assert.ok(ok);
    assert.ok(JSON.parse(text(body)).contents.length > 0);
    assert.equal(cacheOf(100).cache.decision, 'below_minimum');
  },
  async 42() {
    const options = { model, cache: { model, tokens: 416 } };
    const [finding] = checker.lint(cached, options).diagnostics;
    const message =
      'Cached content is too small. total_token_count=416, min_total_token_count=4096';
    assert.deepEqual([finding.code, finding.upstream], ['cache.too_small', message]);
    const client = new GeminiClient({ fetch: createEmulator(), retry: false });
    await assert.rejects(client.caches.create(text(cacheOf(100).body)), /too small/);
  },
  43() {
    checkForeign(step, { backend: 'vertex' });
    checkForeign(resumed, { backend: 'gemini' }, { backend: 'vertex' });
  },
};

for (const { row, threads, fault, bodies } of rows) {
  const name = `row ${row}: ${fault} (${threads.join(', ')})`;
  if (!bodies) {
    test(name, elsewhere[row]);
    continue;
  }
  for (const body of bodies) test(`${name}: ${body.what}`, () => checkBody(body));
}

test('every row has a test where its fault is visible', () => {
  const numbers = rows.map(({ row }) => row);
  assert.deepEqual(
    numbers,
    [...Array(rowCount).keys()].map((index) => index + 1),
  );
  for (const { row, shows, bodies } of rows) {
    assert.equal(bodies?.length > 0, shows === 'body', `row ${row}`);
    assert.equal(typeof elsewhere[row], shows === 'body' ? 'undefined' : 'function', `row ${row}`);
  }
});

test('every row with a finding is a proof of one of the reported rules', () => {
  const proofs = new Map(
    catalogue.rules.map(({ code, sources }) => [code, sources.map(({ text }) => text).join(' ')]),
  );
  for (const { row, threads, bodies = [] } of rows) {
    const codes = new Set(bodies.flatMap(({ found }) => found.map((line) => line.split(' ')[1])));
    const named = [...codes].filter((code) => threads.some((id) => proofs.get(code).includes(id)));
    if (codes.size > 0) assert.ok(named.length > 0, `row ${row}: ${[...codes]}`);
  }
});
