// The links and the exported code of the playground, without a browser: what they hold, and what they refuse.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { deflateRawSync } from 'node:zlib';
import { build } from 'esbuild';
import { createEmulator } from 'prompt-strata/testing';
import { root } from '../../scripts/setup/run.mjs';
import { compile, resolutions } from './compile-types.mjs';

const folder = mkdtempSync(join(tmpdir(), 'strata-share-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const files = [
  'state/playground-document',
  'engine/export/formats',
  'engine/export/curl',
  'engine/export/shared-document',
  'frame/share/link',
];
await build({
  stdin: {
    contents: files.map((file) => `export * from './${file}.js';`).join('\n'),
    resolveDir: join(root, 'web/playground'),
  },
  ...{ outfile: join(folder, 'parts.mjs'), bundle: true, format: 'esm', logLevel: 'silent' },
});
const { curlCode, emptyDocument, formats, hasSignatures, linkOf, readLink, sharedDocument } =
  await import(join(folder, 'parts.mjs'));

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
    tools: [{ name: 'now', description: '', parameters: '', answer: 'script', script: 'return 1' }],
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

  it('asks for signatures if there are any, also in another course of the chat', () => {
    const empty = { ...emptyDocument(), lint: { text: '' } };
    const branches = [{ name: 'Earlier', saved: signed }];
    assert.equal(hasSignatures(empty), false);
    assert.equal(hasSignatures({ ...empty, lint: { text: signed } }), true);
    assert.equal(hasSignatures({ ...empty, chat: { ...empty.chat, branches } }), true);
  });

  it('holds no key, wherever the user typed it', () => {
    const own = 'a key without a known form';
    const document = structuredClone(full);
    document.prompt.variables = JSON.stringify({ key });
    document.settings.tools[0].script = `fetch('?', '${own}')`;
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
      settings({ tools: [{ ...full.settings.tools[0], run: true }] }),
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

const body = {
  contents: [
    { role: 'user', parts: [{ text: `It's "quoted" \\ $HOME \`id\` 'END'\n\u2028 😀 ''' """` }] },
    { role: 'model', parts: [{ text: '', thoughtSignature: 'QUJD' }] },
  ],
  generationConfig: {
    temperature: 0.5,
    stopSequences: [],
    thinkingConfig: { includeThoughts: true },
  },
  systemInstruction: { parts: [{ text: 'Be brief.' }] },
  store: false,
};
const requests = [
  { model: 'gemini-3.8-flash', backend: 'gemini', body: JSON.stringify(body) },
  {
    model: 'models/a"$(id)\'x/../y',
    backend: 'vertex',
    body: JSON.stringify({ ...body, cachedContent: null }),
  },
];
const valueOf = (request) => JSON.parse(request.body);
const written = (name, request) => formats.find((one) => one.name.startsWith(name)).write(request);

/** Runs a program, and returns what it prints. */
const printed = (command, args, input) => execFileSync(command, args, { input, encoding: 'utf8' });

describe('a request as code', () => {
  for (const request of requests) {
    it(`is JSON and HAR that hold the body (${request.backend})`, () => {
      assert.deepEqual(JSON.parse(written('JSON', request)), valueOf(request));
      const { log } = JSON.parse(written('HAR', request));
      const [{ request: sent }] = log.entries;
      assert.equal(sent.postData.text, request.body);
      assert.deepEqual(sent.headers, [{ name: 'Content-Type', value: 'application/json' }]);
      assert.equal(new URL(sent.url).pathname.includes('..%2F'), request.backend === 'vertex');
    });

    it(`is a shell command that sends the body (${request.backend})`, () => {
      const text = 'x'.repeat(200_000);
      const long = { ...request, body: JSON.stringify({ ...valueOf(request), text }) };
      for (const each of [request, long]) {
        // A function named curl prints what the shell makes of the command.
        const shell = `gcloud() { echo TOKEN; }
          curl() { for one in "$@"; do printf '%s\\0' "$one"; done; if [ "$6" = --data-binary ]; then cat; fi; }
          GEMINI_API_KEY=KEY GOOGLE_CLOUD_PROJECT=PROJECT\n${curlCode(each)}`;
        const [url, , credentials, , , , data, stdin] = printed('bash', [], shell).split('\0');
        assert.deepEqual(JSON.parse(data === '@-' ? stdin : data), valueOf(each));
        assert.match(credentials, /^(x-goog-api-key: KEY|Authorization: Bearer TOKEN)$/);
        assert.ok(new URL(url).pathname.endsWith(':generateContent'));
        assert.doesNotMatch(url, /["'$()]/);
      }
    });

    it(`is TypeScript that compiles (${request.backend})`, () => {
      const code = { 'request.mts': written('TypeScript', request) };
      const settings = { lib: ['ES2022', 'DOM'], types: ['node'], skipLibCheck: true };
      const options = { ...settings, ...resolutions.nodenext };
      assert.equal(compile(`exported-${request.backend}`, code, options), '');
    });

    it(`is Python whose literals hold the body (${request.backend})`, () => {
      const file = join(folder, 'request.py');
      writeFileSync(file, written('Python', request));
      // Modules of the same names print what the program calls them with.
      writeFileSync(join(folder, 'run.py'), pythonStub);
      const env = { ...process.env, GEMINI_API_KEY: 'KEY', GOOGLE_CLOUD_PROJECT: 'PROJECT' };
      const output = execFileSync('python3', [join(folder, 'run.py'), file], {
        env,
        encoding: 'utf8',
      });
      const { contents, config, extra, model } = JSON.parse(output);
      const { generationConfig, systemInstruction, contents: expected, ...rest } = valueOf(request);
      const { store, ...others } = rest;
      assert.deepEqual(contents, expected);
      assert.deepEqual(config, { ...generationConfig, systemInstruction, ...others });
      assert.deepEqual(extra, { store });
      assert.equal(model, request.model.replace('models/', ''));
    });
  }

  it('keeps the numbers, and is laid out over lines', () => {
    const numbers =
      '{"contents":[],"generationConfig":{"seed":9007199254740993,"topP":1.0},"x":[1e400]}';
    const request = { model: 'm', backend: 'gemini', body: numbers };
    const json = `{
  "contents": [],
  "generationConfig": {
    "seed": 9007199254740993,
    "topP": 1.0
  },
  "x": [
    1e400
  ]
}`;
    assert.equal(written('JSON', request), `${json}\n`);
    assert.ok(written('cURL', request).includes(json));
    assert.ok(written('TypeScript', request).includes(json));
    assert.equal(JSON.parse(written('HAR', request)).log.entries[0].request.postData.text, numbers);
    assert.match(written('Python', request), /"seed": 9007199254740993,\n +"topP": 1\.0,/);
    assert.match(written('Python', request), /"x": \[\n +1e400,\n +\],/);
  });

  it('is TypeScript whose text is the body', () => {
    const [request] = requests;
    const [, literal] = /const body = (`(?:[^`\\]|\\.)*`);/s.exec(written('TypeScript', request));
    assert.deepEqual(JSON.parse(runInNewContext(literal)), valueOf(request));
  });

  it('holds no key', () => {
    for (const { write } of formats)
      for (const request of requests)
        assert.doesNotMatch(write(request), /KEY=|"?apiKey"?: ?["']\w/);
  });
});

const pythonStub = `
import json, runpy, sys, types as modules

seen = {}

class Model:
    def __init__(self, **members):
        self.members = members

    @classmethod
    def model_validate_json(cls, text):
        return cls(value=json.loads(text))

class Client:
    def __init__(self, **options):
        self.models = self

    def generate_content(self, model, contents, config):
        options = getattr(config, "http_options", None)
        print(json.dumps({
            "model": model,
            "contents": [one.members["value"] for one in contents],
            "config": config.members["value"],
            "extra": options.members["extra_body"] if options else {},
        }))
        return self

    def model_dump_json(self, **options):
        return ""

google = modules.ModuleType("google")
genai = modules.ModuleType("google.genai")
kinds = modules.ModuleType("google.genai.types")
google.genai = genai
genai.types = kinds
genai.Client = Client
kinds.GenerateContentConfig = kinds.Content = kinds.HttpOptions = Model
sys.modules.update({"google": google, "google.genai": genai, "google.genai.types": kinds})
runpy.run_path(sys.argv[1])
`;
