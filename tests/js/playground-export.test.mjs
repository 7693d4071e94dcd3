// The code in which the playground gives a request away, without a browser: it runs, and sends what the request is.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { connect, GeminiClient, tool } from 'prompt-strata';
import { createEmulator } from 'prompt-strata/testing';
import { importParts } from './lint-parts.mjs';

const { formats, replaceSignatures } = await importParts(
  'playground/engine/export/formats',
  'playground/engine/signatures',
);
const folder = mkdtempSync(join(tmpdir(), 'strata-export-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const emulated = btoa('prompt-strata emulated signature: and more');
const placeholder = 'skip_thought_signature_validator';
const parameters = { type: 'OBJECT', properties: { city: { type: 'STRING' } } };
const call = { functionCall: { id: 'c1', name: 'weather', args: { city: 'Oslo' } } };
const result = { functionResponse: { id: 'c1', name: 'weather', response: { sky: 'clear' } } };
const text = `It's "quoted" \\ $HOME \`id\` \${x} 'END'\n\u2028 😀 ''' """`;
const body = {
  contents: [
    { role: 'user', parts: [{ text: 'And Oslo?' }] },
    { role: 'model', parts: [{ ...call, thoughtSignature: emulated }] },
    { role: 'user', parts: [result] },
    { role: 'model', parts: [{ text: 'Clear.' }] },
    { role: 'user', parts: [{ text }] },
  ],
  generationConfig: { temperature: 0.5, stopSequences: [] },
  systemInstruction: { parts: [{ text: 'Be brief.' }] },
  tools: [{ functionDeclarations: [{ name: 'weather', description: 'Weather.', parameters }] }],
  store: false,
};
const steps = {
  model: 'gemini-3.8-flash',
  store: false,
  stream: true,
  system_instruction: 'Be brief.',
  input: [
    { type: 'user_input', content: [{ type: 'text', text: 'Hello' }] },
    { type: 'thought', signature: emulated },
    { type: 'model_output', content: [{ type: 'text', text: 'Hello.' }] },
    { type: 'user_input', content: [{ type: 'text', text: 'And now?' }] },
  ],
};
const request = { model: 'gemini-3.8-flash', backend: 'gemini', body: JSON.stringify(body) };
const interaction = { ...request, wire: 'interactions', body: JSON.stringify(steps) };
const vertex = { model: 'models/a"$(id)\'x/../y', backend: 'vertex', body: request.body };
const withoutStream = ({ stream, ...body }) => {
  assert.ok(stream === undefined || stream);
  return body;
};
const sent = (value) => JSON.parse(JSON.stringify(value).replaceAll(emulated, placeholder));
const written = (name, one) => formats.find((format) => format.name === name).write(one);

let programs = 0;

/** Runs a program whose imports are these values, and returns what it prints. */
async function run(code, modules) {
  const file = join(folder, `program-${(programs += 1)}.mjs`);
  globalThis.exportedModules = modules;
  const printed = [];
  const log = (value) => printed.push(value);
  const source = code.replace(
    /^import (\{.*\}) from '(.*)';$/gm,
    (_all, names, from) => `const ${names} = globalThis.exportedModules[${JSON.stringify(from)}];`,
  );
  globalThis.exportedLog = log;
  writeFileSync(file, source.replace('console.log', 'globalThis.exportedLog'));
  process.env.GEMINI_API_KEY = 'KEY';
  await import(pathToFileURL(file).href);
  return printed;
}

describe('a request as code', () => {
  it('with prompt-strata sends the same history, tools and settings', async () => {
    for (const one of [request, interaction]) {
      const bodies = [];
      const emulator = createEmulator();
      const fetch = async (url, init) => {
        bodies.push(JSON.parse(await new Request(url, init).clone().text()));
        return emulator(url, init);
      };
      const connected = ({ apiKey, ...options }) =>
        connect({ client: new GeminiClient({ apiKey, fetch }), ...options });
      const module = { connect: connected, tool, GeminiClient };
      const [said] = await run(written('prompt-strata', one), { 'prompt-strata': module });
      assert.equal(typeof said, 'string');
      const expected = sent(JSON.parse(one.body));
      const [first] = bodies;
      assert.deepEqual(first.contents ?? first.input, expected.contents ?? expected.input);
      assert.deepEqual(first.generationConfig, expected.generationConfig);
      assert.match(JSON.stringify(first), /Be brief\./);
      assert.equal(JSON.stringify(first).includes('"weather"'), one === request);
    }
  });

  it('with @google/genai passes the request, in the form of either API', async () => {
    const calls = [];
    const note = (name) => async (options) => {
      calls.push([name, options]);
      return {};
    };
    class GoogleGenAI {
      models = { generateContent: note('generateContent') };
      interactions = { create: note('interactions') };
    }
    for (const one of [request, interaction, vertex])
      await run(written('@google/genai', one), { '@google/genai': { GoogleGenAI } });
    const { contents, generationConfig, store, ...config } = sent(body);
    const httpOptions = { extraBody: { store } };
    assert.deepEqual(calls[0], [
      'generateContent',
      {
        ...{ model: 'gemini-3.8-flash', contents },
        config: { ...generationConfig, ...config, httpOptions },
      },
    ]);
    assert.deepEqual(calls[1], ['interactions', withoutStream(sent(steps))]);
    assert.equal(calls[2][1].model, 'a"$(id)\'x/../y');
  });

  it('is a shell command that sends the body', () => {
    const long = { ...request, body: JSON.stringify({ ...body, text: 'x'.repeat(200_000) }) };
    for (const one of [request, interaction, vertex, long]) {
      // A function named curl prints what the shell makes of the command.
      const shell = `gcloud() { echo TOKEN; }
        curl() { for one in "$@"; do printf '%s\\0' "$one"; done; if [ "$6" = --data-binary ]; then cat; fi; }
        GEMINI_API_KEY=KEY GOOGLE_CLOUD_PROJECT=PROJECT\n${written('cURL', one)}`;
      const output = execFileSync('bash', [], { input: shell, encoding: 'utf8' });
      const [url, , credentials, , , , data, stdin] = output.split('\0');
      const expected = withoutStream(sent(JSON.parse(one.body)));
      assert.deepEqual(JSON.parse(data === '@-' ? stdin : data), expected);
      assert.match(credentials, /^(x-goog-api-key: KEY|Authorization: Bearer TOKEN)$/);
      assert.ok(new URL(url).pathname.endsWith(one.wire ? '/interactions' : ':generateContent'));
      assert.doesNotMatch(url, /["'$()]/);
    }
  });

  it('is Python whose literals hold the body', () => {
    for (const one of [request, interaction]) {
      const file = join(folder, 'request.py');
      writeFileSync(file, written('Python', one));
      writeFileSync(join(folder, 'run.py'), pythonStub);
      const env = { ...process.env, GEMINI_API_KEY: 'KEY' };
      const output = execFileSync('python3', [join(folder, 'run.py'), file], { env });
      const expected = withoutStream(sent(JSON.parse(one.body)));
      assert.deepEqual(JSON.parse(output), expected);
    }
  });

  it('keeps the numbers as they are written, and says when signatures were replaced', () => {
    const numbers =
      '{"contents":[],"generationConfig":{"seed":9007199254740993,"topP":1.0},"x":[1e400]}';
    const one = { ...request, body: numbers };
    for (const name of ['JSON', 'cURL', 'Python'])
      assert.match(written(name, one), /"seed": 9007199254740993,\n +"topP": 1\.0/);
    for (const { name, write } of formats) {
      const isSaid = /signatures of the emulator are replaced/.test(write(request));
      assert.equal(isSaid, name !== 'JSON', name);
      assert.doesNotMatch(write(one), /signatures of the emulator/);
      assert.doesNotMatch(write(request), /KEY=|"?apiKey"?: ?["']\w/);
    }
  });
});

describe('signatures', () => {
  it('of steps are replaced, and arguments of that name are not', () => {
    const given = [
      { type: 'thought', signature: 'QUJD' },
      { type: 'function_call', name: 'sign', arguments: { signature: 'mine' } },
    ];
    const json = JSON.stringify(given);
    for (const text of [json, `${json}\n${json}\n`, JSON.stringify({ text: `{"input":${json}}` })])
      assert.equal(replaceSignatures(text), text.replaceAll('QUJD', placeholder));
  });
});

const pythonStub = `
import json, runpy, sys, types as modules

class Model:
    def __init__(self, **members):
        self.members = members

    @classmethod
    def model_validate_json(cls, text):
        return cls(value=json.loads(text))

class Answer:
    def model_dump_json(self, **options):
        return ""

class Client:
    def __init__(self, **options):
        self.models = self
        self.interactions = self

    def create(self, **body):
        sys.stdout.write(json.dumps(body))
        return Answer()

    def generate_content(self, model, contents, config):
        config_names = ["systemInstruction", "tools"]
        value = dict(config.members["value"])
        rest = {name: value.pop(name) for name in config_names if name in value}
        extra = getattr(config, "http_options").members["extra_body"]
        body = {"contents": [one.members["value"] for one in contents], "generationConfig": value}
        sys.stdout.write(json.dumps({**body, **rest, **extra}))
        return Answer()

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
