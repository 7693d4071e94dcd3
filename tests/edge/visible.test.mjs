// Tests what callers see of events and threads: bytes of Contents, and results of tools that a configuration hides.
import assert from 'node:assert/strict';
import test from 'node:test';
import { loadParts } from './worker-parts.mjs';

const { visibleEvent, visibleLines } = await loadParts(['thread-event']);

const hides = (name) => name === 'secret';
const isCallers = (name) => name === 'mine';
const shown = { env: {}, hides: () => false, isCallers };
const hiding = { env: {}, hides, isCallers };
const all = { env: { SHOW_REQUESTS: 'true' }, hides, isCallers };

const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder().decode(bytes);
const response = (name, value) => ({ functionResponse: { name, response: { output: value } } });
const results = { role: 'user', parts: [response('secret', 'PRIVATE'), response('open', 'seen')] };

const line = (content, meta = '') => `{"strata":1,"kind":"tool",${meta}"content":${content}}\n`;

test('the event of a result hides it, whatever it is', () => {
  const call = { name: 'secret', args: {} };
  const place = { callId: '1.1.0', runsAt: 'deployment' };
  const outcomes = [{ output: 'PRIVATE', parts: [{ inlineData: {} }] }, { error: 'PRIVATE' }];
  for (const outcome of outcomes) {
    const event = { type: 'toolResult', call, response: outcome, ...place };
    assert.equal(visibleEvent(event, shown), event);
    assert.equal(visibleEvent(event, all), event);
    const seen = visibleEvent(event, hiding);
    assert.doesNotMatch(JSON.stringify(seen), /PRIVATE|inlineData/);
    assert.deepEqual(Object.keys(seen.response), [Object.keys(outcome)[0]]);
    const other = { ...event, call: { ...call, name: 'open' } };
    assert.equal(visibleEvent(other, hiding), other);
  }
});

test('the event of invalid arguments says nothing of the schemas of the deployment', () => {
  const issues = [{ path: '/tier', message: 'must be one of "PRIVATE"' }];
  const eventOf = (name) => ({ type: 'invalidArguments', call: { name, args: {} }, issues });
  const seen = visibleEvent(eventOf('open'), shown);
  assert.doesNotMatch(JSON.stringify(seen), /PRIVATE/);
  assert.deepEqual(
    seen.issues.map(({ path }) => path),
    ['/tier'],
  );
  assert.deepEqual(visibleEvent(eventOf('mine'), shown), eventOf('mine'));
  assert.deepEqual(visibleEvent(eventOf('open'), all), eventOf('open'));
});

test('the event of a turn hides results, and keeps the bytes of any other', () => {
  const event = { type: 'turn', index: 2, content: encode(JSON.stringify(results)) };
  assert.equal(visibleEvent(event, shown).content, event.content);
  const seen = JSON.parse(decode(visibleEvent(event, hiding).content));
  assert.doesNotMatch(JSON.stringify(seen), /PRIVATE/);
  assert.deepEqual(seen.parts[1], results.parts[1]);
  assert.equal(seen.parts[0].functionResponse.name, 'secret');
  const other = { ...event, content: encode('{ "parts":[ {"text":"functionResponse 1.0"}]}') };
  assert.equal(visibleEvent(other, hiding).content, other.content);
});

test('lines of a saved thread keep the bytes of Contents', () => {
  const meta = '"meta":{"at":"2026-01-01T00:00:00Z","model":"a \\"content\\": {"},';
  const odd = '{ "role":"user" ,"parts":[{"text":"}{\\"\\\\"}], "n":1e400,"content":{"a":1.0}}';
  const saved = line(odd, meta) + line(odd);
  assert.equal(visibleLines(saved, hiding), saved);
  assert.equal(visibleLines('', hiding), '');
});

test('lines of a saved thread hide results and texts of manifests, and nothing else', () => {
  const manifest = {
    ...{ version: 1, compiler: 'c', model: 'm', fingerprints: {}, layers: [], pieces: [] },
    ...{ stablePrefixBytes: 1, stablePrefixTokens: 1, promptTokens: 1 },
    sections: [{ name: 'PRIVATE' }],
    cache: { decision: 'none', key: 'k', reason: 'PRIVATE' },
    diagnostics: [{ code: 'x', severity: 'warning', path: '/tools/0', message: 'PRIVATE' }],
    later: 'PRIVATE',
  };
  const meta = `"meta":${JSON.stringify({ manifest })},`;
  const content = '{"role":"model","parts":[{"text":"1.0"}],"n":1.0}';
  const seen = visibleLines(line(content, meta), hiding);
  assert.doesNotMatch(seen, /PRIVATE/);
  assert.ok(seen.endsWith(`,"content":${content}}\n`), seen);
  const hidden = visibleLines(line(JSON.stringify(results)), hiding);
  assert.doesNotMatch(hidden, /PRIVATE/);
  assert.match(hidden, /"output":"seen"/);
  const text = `{"strata":1,"kind":"tool","contentText":${JSON.stringify(JSON.stringify(results, null, 1))}}\n`;
  assert.doesNotMatch(visibleLines(text, hiding), /PRIVATE/);
  assert.equal(visibleLines(text, shown), text);
  assert.equal(visibleLines(line(content, meta), all), line(content, meta));
});
