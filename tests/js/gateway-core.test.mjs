// The gateway's core: its errors, and recorded tool loops, whose signatures are found again when a client drops them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { loadCore } from './gateway-parts.mjs';
import { contentsOf, partsOf, requestOf, responsesOf, skip, toolLoops } from './traffic.mjs';

const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
const core = await loadCore();
const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder().decode(bytes);
const secrets = { scope: encode('scope'), caller: encode('caller') };
const json = (value) => encode(JSON.stringify(value));
const model = 'gemini-3.8-flash';

/** Returns what `use` returns of a request. */
function using(body, use) {
  const request = core.request(body, 1e6);
  try {
    return use(request);
  } finally {
    request[dispose]();
  }
}

const sitesIn = (body) =>
  using(body, (request) => ({ ...request.lookup(secrets), sites: request.sites() }));

const hi = { role: 'user', parts: [{ text: 'hi' }] };
const answer = { role: 'model', parts: [{ text: 'Hello.', thoughtSignature: 'AAAA' }] };

test('a signature that a client drops is found and set again', () => {
  const { chain } = sitesIn(json({ contents: [hi] }));
  const [given] = core.answerSignatures(json(answer), chain, secrets);
  const dropped = json({ contents: [hi, { role: 'model', parts: [{ text: 'Hello.' }] }, hi] });
  const { sites } = sitesIn(dropped);
  assert.deepEqual(sites, [{ content: 1, part: 0, key: given.key }]);
  const edits = [{ content: 1, part: 0, signature: given.signature }];
  const restored = using(dropped, (request) => request.prepare({ model, edits }).body);
  assert.deepEqual(JSON.parse(decode(restored)).contents, [hi, answer, hi]);
  const [site] = sitesIn(restored).sites;
  const { afterKey, partKey, signatureKey } = given;
  assert.deepEqual(site, { ...sites[0], signature: 'AAAA', afterKey, partKey, signatureKey });
});

test('a body that is not JSON is a HistoryError', () => {
  const error = { name: 'HistoryError', code: 'json.invalid' };
  // Google's parser takes the second one.
  for (const text of ['{', '{"contents":[],}']) {
    const edits = [{ content: 0, part: 0 }];
    using(encode(text), (request) => {
      assert.throws(() => request.lookup(secrets), error);
      assert.throws(() => request.chain(secrets), error);
      assert.throws(() => request.prepare({ model, edits }), error);
      assert.equal(request.prepare({ model }).body, undefined);
    });
  }
  const { chain } = sitesIn(encode('{}'));
  assert.throws(() => core.answerSignatures(encode(''), chain, secrets), error);
});

test('wrong arguments are named', () => {
  const body = json({ contents: [answer] });
  const empty = new Uint8Array();
  const invalid = (message) => ({ name: 'StrataError', code: 'field.invalid', message });
  const request = core.request(body, 1e6);
  for (const part of ['scope', 'caller']) {
    const wrong = { ...secrets, [part]: empty };
    assert.throws(() => request.lookup(wrong), invalid(/secret/));
    assert.throws(() => request.chain(wrong), invalid(/secret/));
    assert.throws(() => core.answerSignatures(body, 'x', wrong), invalid(/secret/));
  }
  assert.throws(() => core.answerSignatures(json(answer), 'x', secrets), invalid(/^\/chain /));
  const edit = (members) => () =>
    request.prepare({ model, edits: [{ content: 0, part: 0, ...members }] });
  assert.throws(edit({ part: 1, signature: 'A' }), invalid(/^\/edits\/0 /));
  assert.throws(edit({ part: 0.5, signature: 'A' }), invalid(/^\/edits\/0 /));
  assert.throws(edit({ part: -1, signature: 'A' }), invalid(/^\/edits\/0 /));
  assert.throws(edit({ content: -1, signature: 'A' }), invalid(/^\/edits\/0\/content /));
  assert.throws(edit({ signature: 5 }), invalid(/^\/edits\/0\/signature /));
  assert.throws(edit({ signed: 'A' }), { code: 'field.unknown' });
});

test('a body with very many errors gets a short report', () => {
  const body = encode(`{"contents":[${'{},'.repeat(5000)}{}]}`);
  const request = core.request(body, 1e6);
  const { ok, diagnostics } = request.prepare({ model });
  assert.equal(ok, false);
  assert.deepEqual(
    diagnostics.filter(({ more }) => more).map(({ code, more }) => [code, more]),
    [
      ['role.invalid', 4901],
      ['parts.empty', 4901],
    ],
  );
  assert.equal(diagnostics.length, 200);
  const repaired = request.prepare({ model, repair: true });
  assert.equal(decode(repaired.body), '{"contents":[{}]}');
  assert.equal(repaired.diagnostics.length, 102);
  assert.equal(repaired.diagnostics[99].more, 4900);
});

test('the values of a body are limited, wherever they are not in strings', () => {
  const cases = [
    ['"[,,,{"', 0],
    ['{}', 1],
    ['[1,2,3]', 3],
    ['{"a":[{},{}],"b":"x,\\""}', 6],
    ['["\\\\",[1],",,"]', 4],
    // What only Google's parser takes.
    ["{'a':[1,2,],}", 3],
  ];
  const error = { name: 'StrataError', code: 'size.too_many_values' };
  for (const [text, values] of cases) {
    const inBounds = core.request(encode(text), values);
    assert.equal(inBounds.prepare({ model }).body, undefined, text);
    if (values === 0) continue;
    const tooMany = core.request(encode(text), values - 1);
    assert.throws(() => tooMany.prepare({ model }), error, text);
    assert.throws(() => tooMany.lookup(secrets), error, text);
    assert.throws(() => tooMany.chain(secrets), error, text);
  }
});

test('a repair that would read too much is refused', () => {
  const body = encode(`{"contents":[${'{},'.repeat(5000)}{}]}`);
  const request = core.request(body, 1e6);
  const options = { model, repair: true, maxValues: 10_000 };
  assert.throws(() => request.prepare(options), {
    name: 'StrataError',
    code: 'repair.too_much',
    message: /maxValues/,
  });
  const { diagnostics } = request.prepare({ ...options, maxValues: 100_000 });
  assert.equal(diagnostics.length, 102);
});

/** Returns the Content of a recorded answer; undefined if the recorder cut it. */
function contentOf(exchange) {
  const assembler = core.response();
  try {
    assembler.push(encode(exchange.response ?? ''));
    return assembler.finish().content ?? undefined;
  } catch {
    return undefined;
  }
}

// What a client may drop: signatures, thoughts, empty texts, and the ids of calls and results.
function strippedPart(part) {
  const kept = { ...part };
  delete kept.thoughtSignature;
  delete kept.thought_signature;
  for (const name of ['functionCall', 'functionResponse']) {
    if (kept[name]) kept[name] = { ...kept[name], id: undefined };
  }
  return kept;
}

const isDropped = ({ thought, text }) => thought === true || text === '';

const stripped = (content) => ({
  ...content,
  parts: partsOf(content)
    .filter((part) => !isDropped(part))
    .map(strippedPart),
});

/** Returns the model's Content at `index` of the next request if it says what the recorded answer said. */
function echoOf(exchange, next) {
  const before = contentsOf(requestOf(exchange)).length;
  const echo = contentsOf(requestOf(next))[before];
  const said = responsesOf(exchange)
    .flatMap(({ candidates }) => partsOf(candidates?.[0]?.content))
    .filter((part) => !isDropped(part));
  const textOf = (parts) => JSON.stringify(parts.map(strippedPart));
  const isSame = textOf(said) === textOf(partsOf(echo).filter((part) => !isDropped(part)));
  return isSame ? before : undefined;
}

test('recorded requests have the keys of the answers before them', { skip }, () => {
  let signatures = 0;
  for (const loop of toolLoops()) {
    for (const [index, exchange] of loop.slice(0, -1).entries()) {
      const next = loop[index + 1];
      const content = contentOf(exchange);
      const at = echoOf(exchange, next);
      if (!content || at === undefined) continue;
      const { chain } = sitesIn(encode(exchange.request));
      const given = core.answerSignatures(content, chain, secrets);
      const contents = contentsOf(requestOf(next)).map(stripped);
      const { sites } = sitesIn(json({ contents }));
      const keys = sites.filter((site) => site.content === at).map(({ key }) => key);
      for (const { key, signature } of given) {
        assert.ok(keys.includes(key), `${exchange.id}: ${signature.slice(0, 20)} is not found`);
        signatures++;
      }
    }
  }
  assert.ok(signatures >= 20, `${signatures} signatures`);
});
