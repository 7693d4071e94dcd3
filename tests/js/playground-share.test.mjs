// The links of the playground, without a browser: what they hold, and what they refuse.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { createEmulator } from 'prompt-strata/testing';
import { importParts } from './lint-parts.mjs';

const { emptyDocument, hasSignatures, linkOf, readLink, sharedDocument } = await importParts(
  'playground/state/playground-document',
  'playground/frame/share/link',
);

const fragmentOf = (value, { version = 1, cut } = {}) => {
  const json = typeof value === 'string' ? value : JSON.stringify(value);
  return `#d${version}.${deflateRawSync(json).toString('base64url').slice(0, cut)}`;
};
const refused = (fragment, pattern) =>
  assert.rejects(readLink(fragment), (error) => {
    assert.equal(error.name, 'LinkError');
    assert.match(error.message, pattern);
    return true;
  });

const signed = '{"contents":[{"role":"model","parts":[{"text":"","thoughtSignature":"QUJD"}]}]}';
const full = {
  ...emptyDocument(),
  lint: { text: signed },
  settings: {
    ...emptyDocument().settings,
    tools: '[{"name":"now"}]',
    caching: true,
  },
};
const placeholder = 'skip_thought_signature_validator';
const key = `AIza${'x1'.repeat(18)}`;

describe('a link', () => {
  it('holds the document, except the consent to create caches', async () => {
    const opened = await readLink(await linkOf(full));
    assert.deepEqual(opened, { ...full, settings: { ...full.settings, caching: false } });
  });

  it('holds signatures only by choice, and stays the same otherwise', () => {
    const options = { signatures: false, apiKey: '' };
    const inHar = { ...full, lint: { text: JSON.stringify({ text: signed }) } };
    for (const document of [full, inHar]) {
      const { lint } = sharedDocument(document, options);
      assert.ok(!lint.text.includes('QUJD'));
      assert.equal(lint.text.replace(placeholder, 'QUJD'), document.lint.text);
    }
    assert.deepEqual(sharedDocument(full, { ...options, signatures: true }).lint, full.lint);
  });

  it('without signatures holds a history that is accepted', async () => {
    const { lint } = sharedDocument(full, { signatures: false, apiKey: '' });
    const contents = [...JSON.parse(lint.text).contents, { role: 'user', parts: [{ text: '?' }] }];
    const answer = await createEmulator({ checkSignatures: true })(
      `https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:generateContent`,
      { method: 'POST', headers: { 'x-goog-api-key': 'a' }, body: JSON.stringify({ contents }) },
    );
    assert.equal(answer.status, 200, await answer.text());
  });

  it('asks for signatures if there are any', () => {
    const empty = { ...emptyDocument(), lint: { text: '' } };
    assert.equal(hasSignatures(empty), false);
    assert.equal(hasSignatures({ ...empty, lint: { text: signed } }), true);
  });

  it('holds no key, wherever the user typed it', () => {
    const own = 'a key without a known form';
    const document = structuredClone(full);
    document.prompt.variables = JSON.stringify({ key });
    document.settings.tools = JSON.stringify([
      { name: 'now', description: `fetch('?', '${own}')` },
    ]);
    document.chat.saved = `{"text":"${own} ${key}"}`;
    const shared = JSON.stringify(sharedDocument(document, { signatures: true, apiKey: own }));
    assert.ok(!shared.includes(key));
    assert.ok(!shared.includes(own));
  });

  it('leaves out a message that was not sent', () => {
    const options = { signatures: true, apiKey: '' };
    const shared = sharedDocument({ ...full, message: 'not sent yet' }, options);
    assert.deepEqual(shared, sharedDocument(full, options));
  });

  it('is refused if it was cut, changed, or of another version', async () => {
    const link = await linkOf(full);
    await refused(link.slice(0, -9), /damaged.*cut off/);
    await refused(`${link.slice(0, 20)}AAAAA${link.slice(25)}`, /damaged/);
    await refused('#d1.', /damaged/);
    await refused('#d1.%%%', /damaged/);
    await refused(fragmentOf('no JSON'), /damaged/);
    await refused(fragmentOf(full, { version: 0 }), /older version/);
    await refused(fragmentOf(full, { version: 2 }), /newer version/);
    await refused(fragmentOf({ ...full, version: 0 }), /older version/);
  });

  it('is refused if it unpacks to too much, without unpacking it all', async () => {
    await refused(fragmentOf(`"${' '.repeat(60_000_000)}"`), /unpacks to more than 16 MB/);
  });

  it('is refused if a field is missing, unknown or of the wrong type', async () => {
    const rest = { ...full };
    delete rest.lint;
    const settings = (change) => ({ ...full, settings: { ...full.settings, ...change } });
    const hostile = [
      rest,
      { ...full, apiKey: key },
      settings({ host: 'https://example.test' }),
      settings({ baseUrl: 'https://example.test' }),
      settings({ tools: [{ name: 'now', run: true }] }),
      settings({ model: 3 }),
      settings({ backend: 'https://example.test' }),
      { ...full, view: 'javascript:' },
    ];
    for (const document of hostile) await refused(fragmentOf(document), /^This link is damaged: /);
    for (const value of [null, [], 3]) await refused(fragmentOf(value), /This is not/);
  });

  it('is not made if browsers would not open it', async () => {
    let random = 1;
    const noise = () => ((random = (random * 48271) % 2147483647) % 65536).toString(36);
    const text = Array.from({ length: 600_000 }, noise).join('');
    await assert.rejects(linkOf({ ...full, lint: { text } }), /too large for a link/);
  });
});
