// Tests `prompt-strata probe` of the installed package: against the emulator, in the process and behind a server, and
// against emulators that differ from the rules.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, describe } from 'node:test';
import { createEmulator } from 'prompt-strata/testing';
import { loadChecker } from 'prompt-strata/check';
import { examples, now, reasonNotProbed } from '../../src/catalogue/examples.mjs';
import { probedLines, readRecord, readRecords } from '../../src/catalogue/probed.mjs';
import { root } from '../../scripts/setup/run.mjs';
import { consumer } from '../support/consumer.mjs';

const command = join(consumer, 'node_modules', '.bin', 'prompt-strata');
const folder = mkdtempSync(join(tmpdir(), 'strata-probe-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const key = 'a-key-of-no-known-format-0123456789';
const readTable = (file) => JSON.parse(readFileSync(join(root, 'src', 'catalogue', file), 'utf8'));
const catalogue = readTable('rules.json');
const probed = examples.filter((example) => reasonNotProbed(example) === undefined);

const emulator = (options) => createEmulator({ now: () => now, ...options });

/** Runs the command without blocking this process, which may serve the requests. */
function run(...args) {
  const { PATH } = process.env;
  const child = spawn(command, ['probe', '--now', now, ...args], {
    cwd: folder,
    env: { PATH, THE_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of Object.keys(texts)) {
    child[name].setEncoding('utf8').on('data', (text) => (texts[name] += text));
  }
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, ...texts })));
}

async function bodyOf(message) {
  const chunks = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Serves a `fetch` handler on a free port, and calls `use` with its URL and the list of requests. */
async function served(handler, use) {
  const requests = [];
  const server = createServer(async (message, reply) => {
    const { method, url, headers } = message;
    const body = await bodyOf(message);
    requests.push({ url, headers, body });
    const init = { method, headers, ...(body.length > 0 && { body }) };
    const response = await handler(new Request(`http://localhost${url}`, init)).catch(() => {});
    if (!response) return reply.destroy();
    reply.writeHead(response.status, Object.fromEntries(response.headers));
    reply.end(Buffer.from(await response.arrayBuffer()));
  });
  // A busy machine takes longer between two requests than the default.
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${server.address().port}`, requests);
  } finally {
    server.close();
  }
}

const recordIn = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const toServer = (url, ...args) => ['--key-env', 'THE_KEY', '--base-url', url, '--yes', ...args];
const codesWith = ({ rules }, verdict) =>
  rules.filter((rule) => rule.verdict === verdict).map(({ code }) => code);

describe('the emulator', () => {
  test('agrees in every rule that can be provoked, and the record says so', async () => {
    const { status, stdout, stderr } = await run('--emulator', '--yes', '-o', 'own.json');
    assert.deepEqual([status, stderr], [0, '']);
    const record = recordIn('own.json');
    assert.deepEqual(
      codesWith(record, 'agrees'),
      probed.map(({ code }) => code),
    );
    assert.ok(probed.length >= 40, `${probed.length}`);
    const codes = [...record.rules.map(({ code }) => code), ...Object.keys(record.notProbed)];
    assert.deepEqual(codes.sort(), catalogue.rules.map(({ code }) => code).sort());
    for (const reason of Object.values(record.notProbed)) assert.match(reason, /^[A-Z].*\.$/);
    const [, requests, rules] = /^(\d+) requests for (\d+) rules to the emulator\n/.exec(stdout);
    assert.deepEqual([Number(requests), Number(rules)], [record.cost.requests, probed.length]);
    assert.equal(stdout.match(/^ ?\d+\/\d+ agrees /gm).length, probed.length);
    assert.match(stdout, /\nNot probed\n {2}signature\.foreign +It needs a signature/);
    assert.match(stdout, new RegExp(`\n${rules} rules: ${rules} agree, 0 differ, 0 undecided\n`));
  });

  for (const args of [
    ['--backend', 'vertex'],
    ['--model', 'gemini-2.5-flash,gemini-4-argon'],
  ]) {
    test(`agrees with ${args.join(' ')}`, async () => {
      const { status, stdout } = await run('--emulator', '--yes', ...args);
      assert.equal(status, 0, stdout);
    });
  }

  test('is no evidence', async () => {
    await run('--emulator', '--yes', '-o', 'none.json', '--rule', 'role.invalid');
    const text = readFileSync(join(folder, 'none.json'), 'utf8');
    assert.throws(() => readRecord(text, 'none.json'), /none\.json is a record of the emulator/);
  });
});

test('names the three rules in which an API differs, with its words', async () => {
  const checker = await loadChecker({
    rules: [
      { code: 'role.invalid', severity: 'off' },
      { code: 'config.candidate_count', severity: 'warning' },
      { code: 'turn.first_not_user', severity: 'error', upstream: 'Start with a user turn.' },
    ],
  });
  const different = ['role.invalid', 'turn.first_not_user', 'config.candidate_count'];
  await served(emulator({ checker }), async (url) => {
    const { status, stdout } = await run(...toServer(url, '-o', 'three.json'));
    assert.equal(status, 1, stdout);
    const record = recordIn('three.json');
    assert.deepEqual(codesWith(record, 'differs'), different);
    assert.equal(codesWith(record, 'agrees').length, probed.length - 3);
    const rows = [...stdout.matchAll(/^ ?\d+\/\d+ differs +(\S+)/gm)].map(([, code]) => code);
    assert.deepEqual(rows, different);
    const [, section] = /\nDiffers\n([\s\S]*?)\n\n/.exec(stdout);
    assert.deepEqual(section.split('\n'), [
      '  role.invalid (gemini-3.8-flash), the example: predicted refused, was accepted',
      '  turn.first_not_user (gemini-3.8-flash), the example: predicted accepted, was refused',
      '    Google (400): Start with a user turn.',
      '  config.candidate_count (gemini-3.8-flash), the example: predicted refused, was accepted',
    ]);
  });
});

test('reports a refusal in other words than the catalogue has', async () => {
  const checker = await loadChecker({
    rules: [{ code: 'parts.empty', upstream: 'No parts here.' }],
  });
  await served(emulator({ checker }), async (url) => {
    const { status, stdout } = await run(...toServer(url, '--rule', 'parts.empty,text.empty'));
    assert.equal(status, 0, stdout);
    const words = /Refused in other words\n {2}parts\.empty \(gemini-3\.8-flash\)\n(.*)\n(.*)\n/;
    const [, google, own] = words.exec(stdout);
    assert.equal(google, '    Google (400): No parts here.');
    assert.match(own, /^ {4}Catalogue: \* GenerateContentRequest\.contents\[1\]\.parts: /);
    assert.doesNotMatch(stdout, /Differs/);
  });
});

test('sends each body once, with the key in a header and at most one output token', async () => {
  await served(emulator({ apiKey: key }), async (url, requests) => {
    const { status, stdout, stderr } = await run(...toServer(url, '-o', 'sent.json'));
    assert.equal(status, 0, stdout + stderr);
    const bodies = requests.map(({ url: path, body }) => `${path} ${body.toString('latin1')}`);
    assert.equal(new Set(bodies).size, bodies.length);
    const record = recordIn('sent.json');
    assert.equal(requests.length, record.cost.requests);
    for (const { headers, body, url: path } of requests) {
      assert.equal(headers['x-goog-api-key'], key);
      assert.match(path, /^\/v1beta\/models\/[\w.-]+:generateContent$/);
      assert.match(body.toString(), /"maxOutputTokens":[01]\b/);
    }
    assert.ok(![stdout, stderr, JSON.stringify(record)].some((text) => text.includes(key)));
  });
});

test('sends a request again if the connection breaks', async () => {
  const answers = createEmulator();
  let count = 0;
  const breakSome = async (request) => {
    if (++count % 2 === 1) throw new Error('broken');
    return answers(request);
  };
  await served(breakSome, async (url, requests) => {
    const { status, stdout } = await run(...toServer(url, '--rule', 'role.invalid'));
    assert.equal(status, 0, stdout);
    assert.equal(requests.length, 4);
  });
});

test('adds up what the accepted requests cost', async () => {
  const accept = async () =>
    Response.json({
      candidates: [],
      usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 1, thoughtsTokenCount: 2 },
    });
  const model = 'gemini-2.5-flash-lite';
  await served(accept, async (url) => {
    const args = ['--rule', 'turn.first_not_user', '--model', model, '-o', 'cost.json'];
    const { stdout } = await run(...toServer(url, ...args));
    const { cost } = recordIn('cost.json');
    const [{ input, output }] = readTable('models.json').models.find(
      ({ id }) => id === model,
    ).prices;
    assert.deepEqual(
      { ...cost, usd: cost.usd.toFixed(9) },
      {
        requests: 2,
        inputTokens: 2000,
        outputTokens: 6,
        usd: ((2000 * input + 6 * output) / 1e6).toFixed(9),
      },
    );
    assert.match(stdout, /\n2 requests, 2,000 input and 6 output tokens: \$0\.000\d\d\n$/);
    const unknown = await run(...toServer(url, '--rule', 'text.empty', '--model', 'gemini-9'));
    assert.match(unknown.stdout, /output tokens: no known price for gemini-9\n$/);
  });
});

test('calls Vertex AI by the names of its publisher', async () => {
  await served(emulator({ backend: 'vertex' }), async (url, requests) => {
    const args = ['--backend', 'vertex', '--rule', 'text.empty'];
    const { status, stdout } = await run(...toServer(url, ...args));
    assert.equal(status, 0, stdout);
    assert.match(stdout, /agrees +text\.empty +gemini-3\.8-flash refused, fixed accepted/);
    const [{ url: path }] = requests;
    assert.equal(path, '/v1/publishers/google/models/gemini-3.8-flash:generateContent');
  });
});

describe('answers that decide nothing', () => {
  test('retries a request that the service refuses for now', async () => {
    const faults = [{ kind: 'http503' }, { kind: 'http429', retryDelay: '' }];
    await served(emulator({ faults }), async (url, requests) => {
      const { status, stderr } = await run(...toServer(url, '--rule', 'role.invalid'));
      assert.equal(status, 0);
      assert.deepEqual(stderr.match(/^api\.\w+/gm), ['api.UNAVAILABLE', 'api.RESOURCE_EXHAUSTED']);
      assert.equal(requests.length, 4);
    });
  });

  test('reports a model that is not served as undecided', async () => {
    const args = ['--rule', 'role.invalid', '--model', 'gemini-1.0-pro', '-o', 'old.json'];
    const { status, stdout } = await run('--emulator', '--yes', ...args);
    assert.equal(status, 2);
    assert.match(stdout, /\nUndecided\n.*role\.invalid.*\n {4}Google \(404\): models\/gemini-1\.0/);
    assert.deepEqual(codesWith(recordIn('old.json'), 'undecided'), ['role.invalid']);
  });

  test('stops at the first request if the key is refused, or nothing answers', async () => {
    await served(emulator({ apiKey: 'another-key' }), async (url, requests) => {
      const { status, stdout, stderr } = await run(...toServer(url));
      assert.equal(status, 2);
      assert.equal(requests.length, 1);
      assert.equal(
        stderr,
        'prompt-strata: The probe stopped: API key not valid. Please pass a valid API key.\n',
      );
      assert.match(stdout, new RegExp(`0 agree, 0 differ, ${probed.length} undecided`));
    });
    const { status, stderr } = await run(...toServer('http://127.0.0.1:9'));
    assert.equal(status, 2);
    assert.match(stderr, /^prompt-strata: The probe stopped: No response: .*\n$/);
  });

  test('shows no key that an answer repeats', async () => {
    const message = `The key ${key} may not do this.`;
    const refuse = async () =>
      Response.json({ error: { code: 400, status: 'INVALID_ARGUMENT', message } }, { status: 400 });
    await served(refuse, async (url) => {
      const { stdout, stderr } = await run(...toServer(url, '-o', 'echo.json'));
      assert.match(stdout, /The key \[api key\] may not do this\./);
      const written = readFileSync(join(folder, 'echo.json'), 'utf8');
      assert.ok(![stdout, stderr, written].some((text) => text.includes(key)));
    });
  });
});

describe('the question', () => {
  test('is a refusal where nobody can answer', async () => {
    await served(emulator(), async (url, requests) => {
      const args = toServer(url).filter((arg) => arg !== '--yes');
      const { status, stdout, stderr } = await run(...args);
      assert.equal(status, 2);
      assert.match(
        stdout,
        /^\d+ requests for \d+ rules to http:\/\/127\.0\.0\.1:\d+\nModels: gemini/,
      );
      assert.match(stderr, /^prompt-strata: probe asks .* Pass --yes/);
      assert.equal(requests.length, 0);
    });
  });

  const noTerminal = existsSync('/usr/bin/script')
    ? false
    : 'script(1) is missing, so there is no terminal';
  test('sends requests only after yes', { skip: noTerminal }, () => {
    const ask = (answer) => {
      const line = `script -qec '${command} probe --emulator --rule role.invalid' /dev/null`;
      const { PATH } = process.env;
      const options = { cwd: folder, env: { PATH }, input: answer, encoding: 'utf8' };
      return spawnSync('sh', ['-c', line], options).stdout;
    };
    for (const answer of ['\n', 'n\n', 'what\n']) {
      assert.match(ask(answer), /Send 2 requests\? \(y\/N\) [\s\S]*Nothing was sent\.\r\n$/);
    }
    for (const answer of ['y\n', 'Yes\n']) assert.match(ask(answer), /\n1 rule: 1 agree,/);
  });
});

describe('the Interactions API', () => {
  const questions = 9;
  const wire = ['--wire', 'interactions'];

  test('is asked with the answers of two models, and the emulator agrees', async () => {
    const { status, stdout, stderr } = await run('--emulator', '--yes', ...wire, '-o', 'wire.json');
    assert.deepEqual([status, stderr], [0, ''], stdout);
    assert.match(
      stdout,
      /^22 requests for 18 questions to the emulator\nModels: gemini-3\.8-flash, gemini-4-argon\nAt most about /,
    );
    assert.match(stdout, /\n18 questions: 18 agree, 0 differ, 0 undecided\n22 requests, /);
    const {
      emulator: isEmulated,
      wire: probedWire,
      rules,
      questions: asked,
      cost,
    } = recordIn('wire.json');
    assert.deepEqual(
      [isEmulated, probedWire, rules, cost.requests],
      [true, 'interactions', [], 22],
    );
    const outcomes = asked
      .filter(({ model }) => model === 'gemini-3.8-flash')
      .map(({ name, outcome }) => [name, outcome]);
    assert.deepEqual(Object.fromEntries(outcomes), {
      tool_loop: 'accepted',
      signature_from_generateContent: 'accepted',
      signature_to_generateContent: 'accepted',
      placeholder: 'accepted',
      no_thought: 'refused',
      two_results: 'accepted',
      interleaved: 'refused',
      results_first: 'refused',
      missing_result: 'refused',
    });
    const text = readFileSync(join(folder, 'wire.json'), 'utf8');
    assert.throws(() => readRecord(text, 'wire.json'), /is a record of the emulator/);
  });

  test('gets the signatures of real answers, with the key in a header', async () => {
    await served(emulator({ apiKey: key, checkSignatures: true }), async (url, requests) => {
      const args = [...wire, '--model', 'gemini-3.8-flash', '-o', 'signed.json'];
      const { stdout, stderr } = await run(...toServer(url, ...args));
      assert.equal(requests.length, questions + 2, stdout + stderr);
      const [source] = requests.map(({ body }) => JSON.parse(body));
      assert.deepEqual([source.store, source.generation_config.tool_choice], [false, 'any']);
      for (const { headers, url: path } of requests) {
        assert.equal(headers['x-goog-api-key'], key);
        assert.match(path, /^\/v1beta\/(interactions|models\/[\w.-]+:generateContent)$/);
      }
      const { questions: asked } = recordIn('signed.json');
      const taken = asked.filter(({ outcome }) => outcome === 'accepted').map(({ name }) => name);
      assert.ok(taken.includes('tool_loop') && taken.includes('signature_to_generateContent'));
      const written = readFileSync(join(folder, 'signed.json'), 'utf8');
      assert.ok(![stdout, stderr, written].some((text) => text.includes(key)));
    });
  });

  test('is undecided where a model answers without calls, or differs', async () => {
    const plain = async (request) =>
      request.url.endsWith('interactions')
        ? Response.json({ status: 'completed', steps: [{ type: 'model_output', content: [] }] })
        : emulator()(request);
    await served(plain, async (url) => {
      const args = [...wire, '--model', 'gemini-3.8-flash'];
      const { status, stdout } = await run(...toServer(url, ...args));
      assert.equal(status, 2);
      assert.match(stdout, /undecided tool_loop +gemini-3\.8-flash not asked/);
      assert.match(
        stdout,
        /\nUndecided\n {2}tool_loop \(gemini-3\.8-flash\): The model called no function\.\n/,
      );
      assert.match(stdout, /9 questions: 1 agree, 0 differ, 8 undecided/);
    });
    const checker = await loadChecker({ rules: [{ code: 'thought.missing', severity: 'off' }] });
    await served(emulator({ checker }), async (url) => {
      const { status, stdout } = await run(
        ...toServer(url, ...wire, '--model', 'gemini-3.8-flash'),
      );
      assert.equal(status, 1);
      assert.match(
        stdout,
        /\nDiffers\n {2}no_thought \(gemini-3\.8-flash\): predicted refused \(thought\.missing\), was accepted\n/,
      );
    });
  });
});

test('rejects invalid arguments', async () => {
  const cases = [
    [[], /needs --key-env NAME/],
    [['--key-env', 'NOT_SET'], /The environment variable NOT_SET is not set\./],
    [['--key-env', key], /takes the name of an environment variable, not a key/],
    [['--emulator', '--key-env', 'THE_KEY'], /--emulator takes neither/],
    [['--emulator', '--yes', '--rule', 'no.rule'], /--rule no\.rule is not a rule/],
    [['--emulator', '--backend', 'aws'], /one of gemini, vertex/],
    [['--key-env', 'THE_KEY', '--base-url', 'nowhere', '--yes'], /--base-url must be a URL/],
    [['--key-env', 'THE_KEY', '--base-url', '/gemini', '--yes'], /--base-url must be a URL/],
    [['--key-env', 'THE_KEY', '--base-url', 'http://[1', '--yes'], /--base-url must be a URL/],
    [['--key-env', 'THE_KEY', '--base-url', `https://a:${key}@b.c`], /--base-url must be a URL/],
    [['--emulator', '--now', 'today'], /--now must be a time in RFC 3339/],
    [['--emulator', '--now', '1'], /--now must be a time in RFC 3339/],
    [['--emulator', 'file.json'], /probe takes options only/],
    [['--emulator', '--wire', 'http'], /one of generateContent, interactions/],
    [['--emulator', '--wire', 'interactions', '--rule', 'role.invalid'], /Leave out --rule/],
    [['--emulator', '--wire', 'interactions', '--backend', 'vertex'], /needs the backend gemini/],
    [['--emulator', '--repair'], /probe has no option --repair/],
  ];
  for (const [args, message] of cases) {
    const { status, stdout, stderr } = await run(...args);
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.match(stderr, /^prompt-strata: .*\n$/);
    assert.match(stderr, message);
    assert.ok(!stderr.includes(key));
  }
  const { status, stdout } = await run('--emulator', '--yes', '--rule', 'size.too_large');
  assert.equal(status, 0);
  assert.match(stdout, /^\nNot probed\n {2}size\.too_large It needs more than 100 MB\.\n\n0 rules/);
});

test('a record of the API becomes a line of docs/diagnostics.md', async () => {
  const checker = await loadChecker({
    rules: [
      { code: 'turn.first_not_user', severity: 'error', upstream: 'Start with a user turn.' },
      { code: 'role.invalid', severity: 'off' },
    ],
  });
  const codes = ['role.invalid', 'turn.first_not_user', 'parts.empty'];
  await served(emulator({ checker }), async (url) => {
    await run(...toServer(url, '--rule', codes.join(), '-o', 'record.json'));
  });
  const record = { ...recordIn('record.json'), at: '2026-12-01T08:00:00.000Z', emulator: false };
  const records = mkdtempSync(join(folder, 'records-'));
  writeFileSync(join(records, 'a.json'), JSON.stringify(record));
  const about = '- Probed: 2026-12-01, Gemini API, gemini-3.8-flash:';
  assert.deepEqual(
    codes.flatMap((code) => probedLines(code, readRecords(records))),
    [
      `${about} differs; this example is accepted`,
      `${about} differs; this example is refused, \`\`Start with a user turn.\`\``,
      `${about} agrees`,
    ],
  );
  assert.deepEqual(probedLines('size.too_large', readRecords(records)), []);
  assert.throws(() => readRecord('{"format":"x"}', 'x.json'), /x\.json is not a record/);
  assert.deepEqual(readRecords(join(folder, 'nowhere')), []);
});
