// Tests the command line of the installed package: files, pipes and exit statuses.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, describe } from 'node:test';
import { consumer } from '../support/consumer.mjs';
import { isSarif } from '../support/sarif.mjs';

const command = join(consumer, 'node_modules', '.bin', 'prompt-strata');
const folder = mkdtempSync(join(tmpdir(), 'strata-cli-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const model = ['--model', 'gemini-3.8-flash'];
const key = 'AIzaSyCommand-test-key_0123456789abcdef';

/** Runs the command in a temporary folder. */
function run(args, { input = '', env = {} } = {}) {
  const { PATH } = process.env;
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    input,
    env: { PATH, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** Runs a shell command line in that folder; `strata` in it stands for the command. */
function shell(line, env = {}) {
  const { PATH } = process.env;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line.replaceAll('strata', command)], {
    cwd: folder,
    env: { PATH, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function file(name, content) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(folder, name), text);
  return name;
}

const user = (...parts) => ({ role: 'user', parts });
const good = { contents: [user({ text: 'hi' })] };
const unsigned = `{
  "contents": [
    {"role": "user", "parts": [{"text": "hi"}]},
    {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {"n": 9007199254740993, "x": 1.0}}}]},
    {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]}
  ]
}
`;

describe('exit statuses', () => {
  test('is 0 for a request without errors', () => {
    const { status, stdout, stderr } = run(['lint', file('good.json', good), ...model]);
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(stdout, '0 errors, 0 warnings in 1 request\n');
  });

  test('is 1 for a request with errors, reported with line, column, path, message and excerpt', () => {
    const { status, stdout } = run(['lint', file('unsigned.json', unsigned), ...model]);
    assert.equal(status, 1);
    const [head, ...rest] = stdout.split('\n');
    assert.equal(head, 'unsigned.json:4:33 error signature.missing /contents/1/parts/0');
    assert.match(rest.join('\n'), /Google: Function call is missing a thought_signature/);
    assert.match(rest.join('\n'), /fix: .*--dummy-signatures/);
    const excerpt = rest.findIndex((line) => line.startsWith('  | '));
    const at = rest[excerpt + 1].indexOf('^');
    assert.equal(rest[excerpt].slice(at, at + 15), '{"functionCall"');
    assert.match(stdout, /\n1 error, 0 warnings in 1 request\n$/);
  });

  test('shows some of very many findings, and counts the others', () => {
    const many = file('many.json', `{"contents":[${'{},'.repeat(20_000)}{}]}`);
    const { status, stdout } = run(['lint', many, ...model]);
    assert.equal(status, 1);
    assert.ok(stdout.length < 100_000, `${stdout.length} characters`);
    assert.match(stdout, /\n {2}… and 19901 more of this kind\n/);
    assert.match(stdout, /\n20001 errors, 20001 warnings in 1 request\n$/);
    const sarif = run(['lint', many, ...model, '--format', 'sarif']).stdout;
    assert.match(sarif, /And 19901 more of this kind\./);
  });

  test('is 1 for a file that is not JSON, with or without a model', () => {
    for (const named of [model, []]) {
      const { status, stdout } = run(['lint', file('cut.json', '{"contents":['), ...named]);
      assert.equal(status, 1);
      assert.match(stdout, /^cut\.json:1:14 error json\.invalid/);
    }
  });

  test('is 2 for unreadable files and invalid arguments, with a hint', () => {
    const cases = [
      [['lint', 'missing.json', ...model], /^.*: Cannot read missing\.json: no such file/],
      [['lint', '.', ...model], /^.*: Cannot read \.: illegal operation on a directory\.$/m],
      [['lint', 'good.json', '--model', ''], /--model must not be empty/],
      [['lint', file('good.json', good)], /does not name a model\. Pass --model/],
      [['lint', 'good.json', '--modle', 'x'], /Unknown option --modle\. Did you mean --model\?/],
      [['probe', '--key', 'x'], /Unknown option --key\. Did you mean --key-env\?$/m],
      [['serve', '--api-key', 'x'], /serve has no option --api-key\. Did you mean --key-env\?$/m],
      [['emulator', '--apikey', 'x'], /Unknown option --apikey\. Did you mean --api-key\?$/m],
      [['lint', '--key', 'x'], /Unknown option --key\.$/m],
      [['lnit'], /Unknown command lnit\. Did you mean lint\?/],
      [['lint', 'good.json', ...model, '--format', 'jsno'], /Did you mean json\?/],
      [['lint', 'good.json', ...model, '--backend', 'aws'], /one of gemini, vertex/],
      [['lint', 'good.json', ...model, '--dummy-signatures'], /requires --repair/],
      [['lint', 'good.json', ...model, '--output', 'no/such/folder/x'], /no.such.folder/],
      [['lint', 'good.json', '--model'], /--model/],
      [['lint', file('empty.jsonl', '\n'), ...model], /empty\.jsonl contains no requests/],
    ];
    for (const [args, message] of cases) {
      const { status, stdout, stderr } = run(args);
      assert.deepEqual([status, stdout], [2, ''], args.join(' '));
      assert.match(stderr, /^prompt-strata: .*\n$/);
      assert.match(stderr, message);
    }
  });

  test('is 0 for --help and --version', () => {
    const { version } = JSON.parse(
      readFileSync(join(consumer, 'node_modules/prompt-strata/package.json')),
    );
    assert.deepEqual(run(['--version']), { status: 0, stdout: `${version}\n`, stderr: '' });
    for (const args of [['--help'], ['lint', '-h'], []]) {
      const { status, stdout } = run(args);
      assert.equal(status, 0);
      assert.match(stdout, /prompt-strata lint \[FILE\.\.\.\] --model MODEL/);
      assert.match(stdout, /lint: FILE is a request body/);
      assert.match(stdout, /--version +print the version\n\nExit status/);
      assert.equal(/\nserve: a gateway/.test(stdout), !args.includes('lint'));
    }
  });
});

describe('input', () => {
  test('reads standard input, with "-" or without a file', () => {
    for (const args of [
      ['lint', '-', ...model],
      ['lint', ...model],
    ]) {
      const { status, stdout } = run(args, { input: unsigned });
      assert.equal(status, 1);
      assert.match(stdout, /^<stdin>:4:33 error signature\.missing/);
    }
  });

  test('waits for a pipe that is still empty', () => {
    const { status, stdout, stderr } = shell(
      '(sleep 0.3; cat good.json) | strata lint -m gemini-3',
    );
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /in 1 request\n$/);
  });

  test('reads several files, and the model that a body names', () => {
    const own = file('own.json', { model: 'models/gemini-2.5-pro', ...JSON.parse(unsigned) });
    const { status, stdout } = run(['lint', 'unsigned.json', own, 'good.json', ...model]);
    assert.equal(status, 1);
    assert.equal(stdout.match(/signature\.missing/g).length, 1);
    assert.match(stdout, /in 3 requests\n$/);
  });

  test("names the API of a bare list of another API's messages", () => {
    const list = file('messages.json', [{ role: 'user', content: 'hi' }]);
    const { status, stdout } = run(['lint', list, ...model]);
    assert.match(
      stdout,
      /^messages.json:1:1 error body\.other_api \/\n.*OpenAI's Chat Completions/,
    );
    assert.match(stdout, /\n1 error, 0 warnings in 1 request\n$/);
    assert.equal(status, 1);
  });

  test('names the API of a body for others without a model', () => {
    const messages = [{ role: 'user', content: 'hi' }];
    for (const [body, name] of [
      [{ model: 'gpt-4o', messages }, /OpenAI's Chat Completions/],
      [{ model: 'claude-5', max_tokens: 10, system: 'x', messages }, /Anthropic's Messages/],
    ]) {
      const { status, stdout } = run(['lint', file('foreign.json', body)]);
      assert.deepEqual(
        [status, /^foreign\.json:1:1 error body\.other_api/.test(stdout)],
        [1, true],
      );
      assert.match(stdout, name);
    }
  });

  const steps = [
    { type: 'user_input', content: [{ type: 'text', text: 'hi' }] },
    { type: 'thought', signature: 'skip_thought_signature_validator' },
    { type: 'function_call', id: 'a', name: 'f', arguments: {} },
    { type: 'function_result', call_id: 'a', name: 'f', result: 5 },
  ];

  test('reads a list of steps, whose paths and repairs are those of the list', () => {
    const list = file('steps.json', steps);
    const { status, stdout } = run(['lint', list, ...model]);
    const column = JSON.stringify(steps).indexOf('5}') + 1;
    const at = new RegExp(`^steps\\.json:1:${column} error step\\.result_invalid /3/result`, 'm');
    assert.match(stdout, at);
    assert.match(stdout, /\n1 error, 1 warning in 1 request\n$/);
    assert.equal(status, 1);
    const { stdout: repaired } = run(['lint', list, ...model, '--repair']);
    assert.deepEqual(JSON.parse(repaired).at(-1).result, { result: 5 });
    assert.match(run(['lint', list]).stderr, /does not name a model/);
  });

  test('reads bodies that name an agent instead of a model', () => {
    const agent = { agent: 'deep-research-preview-04-2026', input: 'x' };
    const lines = [agent, { model: 'gemini-3.8-flash', input: 'x', topP: 1 }];
    const { stdout } = run(['lint', file('agents.jsonl', lines.map(JSON.stringify).join('\n'))]);
    assert.match(stdout, /\(request 1\) error interaction\.background \/agent/);
    assert.match(stdout, /\(request 2\) error interaction\.field_unknown \/topP/);
    assert.match(stdout, /\n2 errors, 0 warnings in 2 requests\n$/);
  });

  test('takes no agent of a log for a model', () => {
    const line = { agent: 'curl/8', request: good };
    const log = file('log.jsonl', JSON.stringify(line));
    assert.match(run(['lint', log]).stderr, /does not name a model/);
    assert.equal(run(['lint', log, ...model]).status, 0);
  });

  test('judges an Interactions request by the version in its URL', () => {
    const address = 'https://generativelanguage.googleapis.com/v1/interactions';
    const body = JSON.stringify({ model: 'gemini-3.8-flash', input: 'x', service_tier: 'flex' });
    const request = { method: 'POST', url: address, postData: { text: body } };
    const inHar = file('v1.har', { log: { entries: [{ request }] } });
    for (const text of [file('v1.sh', `curl ${address} -d '${body}'`), inHar]) {
      assert.match(run(['lint', text]).stdout, /error interaction\.v1_missing \/service_tier/);
    }
    const beta = file('beta.sh', `curl ${address.replace('v1', 'v1beta')} -d '${body}'`);
    assert.equal(run(['lint', beta]).status, 0);
  });

  test('reports paths of bare Contents without /contents', () => {
    const { contents } = JSON.parse(unsigned);
    const { stdout } = run(['lint', file('bare.json', contents), ...model]);
    const column = JSON.stringify(contents).indexOf('{"functionCall"') + 1;
    assert.match(
      stdout,
      new RegExp(`^bare\\.json:1:${column} error signature\\.missing /1/parts/0`),
    );
  });

  test('reads JSON Lines, plain and in the wrappers of batch files', () => {
    const body = JSON.stringify(JSON.parse(unsigned));
    const lines = [
      JSON.stringify(good),
      `{"key":"b","request":${body}}`,
      '',
      `{"custom_id":"c","model":"models/gemini-2.5-pro","body":${body}}`,
      body,
    ];
    const { status, stdout } = run(['lint', file('all.jsonl', lines.join('\n')), ...model]);
    assert.equal(status, 1);
    const heads = stdout.match(/^all\.jsonl:.*$/gm);
    const column = (line) => lines[line - 1].indexOf('{"functionCall"') + 1;
    assert.deepEqual(heads, [
      `all.jsonl:2:${column(2)} (request 2) error signature.missing /contents/1/parts/0`,
      `all.jsonl:5:${column(5)} (request 4) error signature.missing /contents/1/parts/0`,
    ]);
  });

  test('reads .jsonl and .ndjson files as JSON Lines', () => {
    const text = `oops\n${JSON.stringify(good)}\n`;
    const { status, stdout } = run(['lint', file('lines.ndjson', text), ...model]);
    assert.equal(status, 1);
    assert.match(stdout, /^lines\.ndjson:1:1 \(request 1\) error json\.invalid/);
    assert.match(stdout, /in 2 requests\n$/);
    const single = file('single.jsonl', JSON.stringify(good));
    assert.match(run(['lint', single, ...model]).stdout, /in 1 request\n$/);
  });

  test('reads the Gemini requests of HAR files and reports no key', () => {
    const entry = (url, text, method = 'POST') => ({
      request: {
        method,
        url,
        headers: [{ name: 'x-goog-api-key', value: key }],
        postData: { text },
      },
      response: { status: 200, content: { text: '{}' } },
    });
    const google = 'https://generativelanguage.googleapis.com/v1beta';
    const vertex = 'https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/l';
    const empty = JSON.stringify({ contents: [user({ text: '' })] });
    const cache = { model: 'models/gemini-3.8-flash', ttl: '300s', displayName: 'x', ...good };
    const counted = { generateContentRequest: { model: 'models/gemini-3.8-flash', contents: [] } };
    const har = {
      log: {
        version: '1.2',
        entries: [
          entry('https://example.com/x', '{"contents":5}'),
          entry(`${google}/models/gemini-3.8-flash:generateContent?key=${key}`, unsigned),
          entry(`${google}/models/gemini-2.5-pro:streamGenerateContent?alt=sse`, unsigned),
          entry(`${google}/cachedContents?key=${key}`, JSON.stringify(cache)),
          entry(`${google}/models/gemini-3.8-flash:countTokens`, JSON.stringify(counted)),
          entry(`${vertex}/publishers/google/models/gemini-3.8-flash:generateContent`, empty),
          entry(`${google}/models`, undefined, 'GET'),
        ],
      },
    };
    const text = JSON.stringify(har, null, 1);
    const { status, stdout, stderr } = run(['lint', file('traffic.har', text)]);
    assert.equal(status, 1, stderr);
    assert.ok(!stdout.includes(key));
    const found = [...stdout.matchAll(/^traffic\.har:(\d+):\d+ \((.*)\) (.*)$/gm)];
    assert.deepEqual(
      found.map(([, , request, rest]) => `${request}: ${rest}`),
      [
        'entry 2, generateContent: error signature.missing /contents/1/parts/0',
        'entry 4, cachedContents: error cache.too_small /',
        'entry 5, countTokens: error contents.empty /contents',
        'entry 6, generateContent: error text.empty /contents/0/parts/0',
      ],
    );
    assert.match(text.split('\n')[found[0][1] - 1], /"text": "\{\\n/);
    const [, line, column] = /^traffic\.har:(\d+):(\d+) .*signature\.missing/.exec(stdout);
    const written = text.split('\n')[line - 1].slice(column - 1);
    assert.ok(written.startsWith('{\\"functionCall\\"'), written.slice(0, 20));
  });

  test('reads scripts, and says where one cannot be read', () => {
    const script = file('send.py', `body = {'contents': [\n  {'role': 'bot', 'parts': [None]}]}\n`);
    const { status, stdout } = run(['lint', script, '--model', 'gemini-3.8-flash']);
    assert.equal(status, 1);
    assert.match(stdout, /^send\.py:2:12 error role\.invalid \/contents\/0\/role$/m);
    const broken = run(['lint', file('broken.py', `body = {'contents': [\n  None`)]);
    assert.equal(broken.status, 2);
    assert.match(broken.stderr, /broken\.py: Line 1, column 21: The \[ here is not closed\./);
  });

  test('reads cURL commands, and reports neither address nor headers', () => {
    const url =
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:generateContent';
    const body = JSON.stringify(JSON.parse(unsigned));
    const command = `curl '${url}?key=${key}' \\\n  -H 'Cookie: SID=cookie' \\\n  --data-raw '${body}'\n`;
    const { status, stdout, stderr } = run(['lint', file('copied.sh', command)]);
    assert.deepEqual([status, stderr], [1, '']);
    const column = command.split('\n')[2].indexOf('{"functionCall"') + 1;
    const place = `copied.sh:3:${column} error signature.missing /contents/1/parts/0`;
    assert.equal(stdout.split('\n')[0], place);
    assert.doesNotMatch(stdout, /googleapis|AIza|SID/);
    const unreadable = run(['lint', file('file.sh', `curl ${url} -d @request.json`), ...model]);
    assert.deepEqual([unreadable.status, unreadable.stdout], [2, '']);
    assert.match(
      unreadable.stderr,
      /file\.sh: The command reads its body from the file request\.json/,
    );
    assert.equal(run(['lint', 'copied.sh', '--repair']).status, 2);
  });

  const studio = (parts) =>
    [
      ...['#!/bin/bash', 'set -e -E', '', 'GEMINI_API_KEY="$GEMINI_API_KEY"'],
      ...['MODEL_ID="gemini-3.8-flash"', 'GENERATE_CONTENT_API="streamGenerateContent"', ''],
      ...['cat << EOF > request.json', '{', '  "contents": [', '    {', '      "role": "user",'],
      ...[`      "parts": [${parts}`, '    },', '  ]', '}', 'EOF', '', 'curl \\', '-X POST \\'],
      `"https://generativelanguage.googleapis.com/v1beta/models/\${MODEL_ID}:\${GENERATE_CONTENT_API}?key=\${GEMINI_API_KEY}" -d '@request.json'`,
      '',
    ].join('\n');

  test('warns of the commas in scripts of AI Studio, at their line', () => {
    const { status, stdout, stderr } = run(['lint', file('code.sh', studio('{"text": "Hi"},]'))]);
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(stdout.match(/^(?:code\.sh.*| {2}A comma.*)$/gm), [
      'code.sh:13:31 warning json.lenient /contents/0/parts',
      "  A comma before ] in line 13, column 31. Google's parser takes it, other JSON parsers do not.",
      'code.sh:14:6 warning json.lenient /contents',
      "  A comma before ] in line 14, column 6. Google's parser takes it, other JSON parsers do not.",
    ]);
    const broken = run(['lint', file('broken.sh', studio('{"text": "Hi"},,]'))]);
    assert.equal(broken.status, 1);
    assert.match(
      broken.stdout,
      /^broken\.sh:13:32 error json\.invalid .*\n {2}Invalid JSON: expected a value in line 13, column 32\.$/m,
    );
  });

  test('reads and repairs JSON that Google takes in each kind of file', () => {
    const part = '{"parts":[{"text":"a"},]}';
    const texts = {
      'body.json': [`{\r\n"contents":[${part}]\r\n,}`, 'body.json:2:35', 'body.json:3:1'],
      'contents.json': [`[\n${part},]`, 'contents.json:2:23', 'contents.json:2:26'],
      'lines.jsonl': [
        `{"contents":[${part.replace(',', '')}]}\n{"contents":[${part},]}\n`,
        ...['lines.jsonl:2:36', 'lines.jsonl:2:39'],
      ],
    };
    for (const [name, [text, ...places]] of Object.entries(texts)) {
      const { status, stdout } = run(['lint', file(name, text), ...model]);
      assert.equal(status, 0);
      const found = stdout.match(/^\S+(?= (?:\(.*\) )?warning json\.lenient)/gm);
      assert.deepEqual(found, places);
      for (const place of places) {
        const [, line, column] = place.split(':');
        assert.ok(stdout.includes(` in line ${line}, column ${column}.`), stdout);
      }
      const repaired = run(['lint', name, ...model, '--repair']);
      assert.equal(repaired.status, 0);
      assert.equal(repaired.stdout, text.replaceAll(/,(?=[\]}])/g, ''));
    }
  });

  test('says the line and the column of what is no JSON', () => {
    const { status, stdout } = run(['lint', file('no.json', '{\n  "contents": [x]\n}')]);
    assert.equal(status, 1);
    assert.match(
      stdout,
      /^no\.json:2:16 error json\.invalid \/contents\/0\n {2}Invalid JSON: expected a value in line 2, column 16\.$/m,
    );
  });

  test('checks no values that a shell computes, and leaves out other APIs with the reason', () => {
    const google = 'https://generativelanguage.googleapis.com/v1beta';
    const image = (data) =>
      JSON.stringify({
        contents: [
          {
            role: 'user',
            parts: [{ inline_data: { mime_type: 'image/jpeg', data } }, { text: 'a' }],
          },
        ],
        generationConfig: { temperature: 1 },
      });
    const url = `${google}/models/gemini-3.8-flash:generateContent`;
    const computed = `'"$(base64 $B64FLAGS $IMG_PATH)"'`;
    const written = image('@')
      .replace('@', () => computed)
      .replace('1}', () => `'$T'}`);
    const chat = `curl ${google}/openai/chat/completions -d '{"model":"m","messages":[]}'`;
    const script = file('image.sh', `curl ${url} -d '${written}'\n\n${chat}\n`);
    const { status, stdout, stderr } = run(['lint', script]);
    assert.deepEqual([status, stdout], [0, '0 errors, 0 warnings in 1 request\n']);
    assert.equal(
      stderr,
      'image.sh: The command calls /v1beta/openai/chat/completions, which is an OpenAI API, so it is not checked.\n',
    );
    // What stands there in full is checked, and so are names.
    const wrong = run(['lint', file('wrong.sh', `curl ${url} -d '${image('no!')}'`)]);
    assert.match(wrong.stdout, /error field\.invalid \/contents\/0\/parts\/0\/inline_data\/data/);
    const name = image('AAAA').replace('"temperature":1', () => `"tmperature":'$T'`);
    assert.match(
      run(['lint', file('name.sh', `curl ${url} -d '${name}'`)]).stdout,
      /field\.unknown/,
    );
    const alone = run(['lint', file('chat.sh', chat)]);
    assert.deepEqual([alone.status, alone.stdout], [2, '']);
    assert.match(alone.stderr, /chat\.sh: The command calls \/v1beta\/openai/);
  });

  test('reads HAR files with malformed entries', () => {
    const google = 'https://generativelanguage.googleapis.com/v1beta/models';
    const post = (url, postData) => ({ request: { method: 'POST', url, postData } });
    const entries = [
      null,
      {},
      { request: null },
      post(7, { text: '{}' }),
      post(`${google}/gemini-3:generateContent`, null),
      post(`${google}/gemini-3:generateContent`, { text: null }),
      post(`${google}/gemini-3:countTokens`, { text: '[' }),
      post(`${google}/gemini%ZZ:generateContent`, { text: '{"contents":[]}' }),
    ];
    const { status, stdout, stderr } = run(['lint', file('odd.har', { log: { entries } })]);
    assert.deepEqual([status, stderr], [1, '']);
    assert.deepEqual(stdout.match(/\(entry.*$/gm), [
      '(entry 7, countTokens) error json.invalid /0',
      '(entry 8, generateContent) error contents.empty /contents',
    ]);
    const none = run(['lint', file('none.har', { log: { entries: [null] } })]);
    assert.equal(none.status, 2);
    assert.match(none.stderr, /none\.har is a HAR file without Gemini API requests/);
  });

  test('excerpts show only the request, with keys redacted', () => {
    const body = JSON.stringify({ contents: [{ role: key, parts: [{ text: 'a' }] }] });
    const entry = {
      request: {
        method: 'POST',
        headers: [{ name: 'x-goog-api-key', value: key }],
        url: 'https://generativelanguage.googleapis.com/v1/models/gemini-3:generateContent',
        postData: { text: body },
      },
      response: { cookies: [{ name: 'session', value: 'cookie-of-mine' }] },
    };
    const har = { log: { entries: [entry] } };
    const line = `{"headers":{"x-goog-api-key":"${key}"},"body":{"contents":[]}}`;
    for (const args of [
      [file('dense.har', har)],
      [file('dense.jsonl', `${line}\n${line}`), ...model],
    ]) {
      for (const format of ['text', 'json', 'sarif']) {
        const { status, stdout } = run(['lint', ...args, '-f', format]);
        assert.equal(status, 1);
        assert.ok(!stdout.includes(key.slice(0, 12)), stdout);
        assert.ok(!stdout.includes('cookie'), stdout);
      }
    }
    const { stdout } = run(['lint', 'dense.har']);
    const { stdout: wrapped } = run(['lint', 'dense.jsonl', ...model]);
    assert.match(stdout, /\n {2}\| .*"role":"\[secret\]"/);
    assert.match(wrapped, /\n {2}\| \{"contents":\[\]\}\n/);
    // A key that the excerpt cuts off is redacted too.
    const beside = { contents: [user({ text: `The key is ${key}`, name: 'x' })] };
    const { stdout: cut } = run(['lint', file('beside.json', beside), ...model]);
    assert.match(cut, /\n {2}\| .*\[secret\]/);
    assert.ok(!cut.includes(key.slice(-4)), cut);
  });

  test('redacts a key after an escape sequence or at the edge of an excerpt', () => {
    const bodies = [
      { contents: [{ role: 'system', parts: [{ text: `Key:\n${key}` }] }] },
      { contents: [{ role: `u\n${key}`, parts: [{ text: 'x' }] }] },
      { contents: [{ role: 'model', parts: [{ text: `Key:\n${key}`, thoughtSignature: '!' }] }] },
      { contents: [{ role: 'user', parts: [{ text: '' }, {}, { text: `\u0001${key}` }] }] },
    ];
    for (let pad = 0; pad < 120; pad += 5) {
      bodies.push({ contents: [{ role: 'x', parts: [{ text: `${'y'.repeat(pad)}${key}` }] }] });
    }
    const files = bodies.map((body, i) => file(`leak-${i}.json`, body));
    for (const format of ['text', 'json', 'sarif']) {
      const { stdout, stderr } = run(['lint', ...files, ...model, '-f', format]);
      for (const name of files) assert.ok(stdout.includes(name), `${format} reports ${name}`);
      assert.doesNotMatch(stdout + stderr, /AIza|test-key|0123456789abcdef/);
    }
  });

  test('reports errors inside a wrapper with their path', () => {
    const contents = (text) => `{"contents":[{"role":"user","parts":[{"text":${text}}]}]}`;
    const deep = `${'['.repeat(300)}${']'.repeat(300)}`;
    for (const [text, code] of [
      [`"a","text":"b"`, 'json.duplicate_key'],
      [`"a","more":${deep}`, 'json.too_deep'],
    ]) {
      const line = `{"request":${contents(text)}}\n`;
      const { stdout } = run(['lint', file('w.jsonl', line), ...model, '-f', 'json']);
      const [{ code: reported, path }] = JSON.parse(stdout).findings;
      assert.equal(reported, code);
      assert.match(path, /^\/request\/contents\/0\/parts\/0\//);
    }
  });

  test('exits with 2 if the report cannot be written', { skip: !existsSync('/dev/full') }, () => {
    const { status, stderr } = shell(
      `strata lint ${file('good.json', good)} ${model.join(' ')} > /dev/full`,
    );
    assert.equal(status, 2);
    assert.match(stderr, /^prompt-strata: Cannot write to standard output: .*ENOSPC/);
  });

  test('reports invalid JSON at the position where parsing stopped', () => {
    const { status, stdout } = run([
      'lint',
      file('broken.json', '{\n  "contents": [tru]\n}'),
      ...model,
    ]);
    assert.equal(status, 1);
    assert.match(stdout, /^broken\.json:2:16 error json\.invalid \/contents\/0\n/);
  });

  test('counts columns in characters, not bytes', () => {
    const text = '{"contents":[{"role":"user","parts":[{"text":"Zürich 🐢"},{}]}]}';
    const { stdout } = run(['lint', file('wide.json', text), ...model]);
    assert.match(
      stdout,
      new RegExp(`^wide\\.json:1:${text.indexOf('{}') + 1} error part\\.no_data`),
    );
  });

  test('counts columns in a very long line', () => {
    const parts = Array.from(
      { length: 100 },
      (_, i) => `{"text":"${'é🐢日x'.repeat(700 + i)}"},{}`,
    );
    const text = `{"contents":[{"role":"user","parts":[${parts.join()}]}]}`;
    const { stdout } = run(['lint', file('long.json', text), ...model, '-f', 'json']);
    const reported = JSON.parse(stdout).findings.map(({ column }) => column);
    const expected = [...text.matchAll(/\{\}/g)].map(({ index }) => index + 1);
    assert.equal(expected.length, 100);
    assert.deepEqual(reported, expected);
  });

  test('counts a U+FEFF at the start of a block as a character', () => {
    const head = '{"contents":[{"role":"user","parts":[{"text":"';
    const text = `${head}${'x'.repeat(65_536 - head.length)}\ufeff"},{}]}]}`;
    const { stdout } = run(['lint', file('block.json', text), ...model, '-f', 'json']);
    const [{ column }] = JSON.parse(stdout).findings;
    assert.equal(column, text.indexOf('{}') + 1);
  });

  test('shows U+FEFF in an excerpt', () => {
    const text = '{"contents":[{"role":"user","parts":[{"text":"a"},\ufeff]}]}';
    const { stdout } = run(['lint', file('stray.json', text), ...model]);
    assert.match(stdout, /\{"text":"a"\},\ufeff\]/);
  });

  test('does not count a byte order mark in columns', () => {
    const line = '{"contents":[{"role":"user","parts":[{}]}]}';
    const path = file('marked.jsonl', `\ufeff${line}\n${line}\n`);
    const { stdout } = run(['lint', path, ...model, '-f', 'json']);
    const reported = JSON.parse(stdout).findings.map((found) => [
      found.code,
      found.line,
      found.column,
    ]);
    assert.deepEqual(reported, [
      ['json.invalid', 1, 1],
      ['part.no_data', 2, line.indexOf('{}') + 1],
    ]);
  });

  test('reports a byte order mark', () => {
    const { status, stdout } = run([
      'lint',
      file('marked.json', '\ufeff{"contents":[]}'),
      ...model,
    ]);
    assert.equal(status, 1);
    assert.match(stdout, /^marked\.json:1:1 error json\.invalid .*no byte order mark/s);
  });
});

describe('output', () => {
  test('JSON', () => {
    const { status, stdout } = run(['lint', 'unsigned.json', 'good.json', ...model, '-f', 'json']);
    assert.equal(status, 1);
    const { ok, requests, findings } = JSON.parse(stdout);
    assert.deepEqual([ok, requests, findings.length], [false, 2, 1]);
    const { file, line, column, offset, code, severity, path } = findings[0];
    assert.deepEqual(
      { file, line, column, code, severity, path },
      {
        file: 'unsigned.json',
        line: 4,
        column: 33,
        code: 'signature.missing',
        severity: 'error',
        path: '/contents/1/parts/0',
      },
    );
    assert.equal(unsigned.slice(offset, offset + 15), '{"functionCall"');
  });

  test('writes SARIF 2.1.0 with the rules of its findings', () => {
    const { status } = run(['lint', 'unsigned.json', ...model, '-f', 'sarif', '-o', 'out.sarif']);
    assert.equal(status, 1);
    const log = JSON.parse(readFileSync(join(folder, 'out.sarif'), 'utf8'));
    assert.deepEqual([log.version, log.runs.length], ['2.1.0', 1]);
    const [{ tool, results, columnKind }] = log.runs;
    assert.equal(columnKind, 'utf16CodeUnits');
    assert.equal(tool.driver.name, 'prompt-strata');
    const [result] = results;
    const rule = tool.driver.rules[result.ruleIndex];
    assert.deepEqual(
      [rule.id, result.ruleId, result.level],
      [result.ruleId, 'signature.missing', 'error'],
    );
    for (const text of [rule.shortDescription, rule.fullDescription, rule.help])
      assert.ok(text.text);
    const [{ physicalLocation, logicalLocations }] = result.locations;
    assert.deepEqual(physicalLocation, {
      artifactLocation: { uri: 'unsigned.json' },
      region: { startLine: 4, startColumn: 33 },
    });
    assert.equal(logicalLocations[0].fullyQualifiedName, '/contents/1/parts/0');
  });

  test('SARIF conforms to its schema for all inputs', () => {
    mkdirSync(join(folder, 'a folder'), { recursive: true });
    const strange = file('a folder/100% #1 ü?.json', unsigned);
    const runs = [
      run(['lint', 'good.json', ...model, '-f', 'sarif']),
      run(['lint', ...model, '-f', 'sarif'], { input: 'oops' }),
      run(['lint', 'good.json', 'all.jsonl', strange, ...model, '-f', 'sarif']),
      run(['lint', 'traffic.har', '-f', 'sarif']),
    ];
    const repaired = run(['lint', 'unsigned.json', ...model, '--repair', '-f', 'sarif']);
    for (const text of [...runs.map(({ stdout }) => stdout), repaired.stderr]) {
      const valid = isSarif(JSON.parse(text));
      assert.ok(valid, `${JSON.stringify(isSarif.errors, null, 1)}\n${text}`);
    }
    assert.ok(!isSarif({ version: '2.1.0', runs: [{ tool: {} }] }));
    assert.ok(!runs.some(({ stdout }) => /\{(subject|other)\}/.test(stdout)));
  });

  const noTerminal = existsSync('/usr/bin/script')
    ? false
    : 'script(1) is missing, so there is no terminal';
  test('colors the report on a terminal that supports colors', { skip: noTerminal }, () => {
    const lint = (env) =>
      shell(`script -qec 'strata lint unsigned.json -m gemini-3' /dev/null </dev/null`, env).stdout;
    const colored = (text) => text.includes('\x1b[');
    assert.equal(colored(lint({ TERM: 'xterm' })), true);
    assert.equal(colored(lint({ TERM: 'dumb' })), false);
    assert.equal(colored(lint({ TERM: 'xterm', NO_COLOR: '1' })), false);
    const waiting = shell(`script -qec 'strata lint -m gemini-3' /dev/null </dev/null`);
    assert.match(waiting.stdout, /No file is given and standard input is a terminal/);
  });

  test('ignores a reader that closes the pipe early', () => {
    const line = JSON.stringify({ contents: [user({})] });
    file('many.jsonl', `${line}\n`.repeat(3000));
    const { stdout, stderr } = shell('strata lint many.jsonl -m gemini-3 | head -n 1');
    assert.match(stdout, /^many\.jsonl:1:\d+ \(request 1\) error part\.no_data .*\n$/);
    assert.equal(stderr, '');
  });

  test('colors other output only with FORCE_COLOR', () => {
    const lint = (env) => run(['lint', 'unsigned.json', ...model], { env }).stdout;
    const colored = (text) => text.includes('\x1b[');
    assert.equal(colored(lint({})), false);
    assert.equal(colored(lint({ FORCE_COLOR: '1' })), true);
    assert.equal(colored(lint({ FORCE_COLOR: '0' })), false);
    assert.equal(colored(lint({ FORCE_COLOR: '1', NO_COLOR: '1' })), false);
  });

  test('replaces control characters', () => {
    const text = JSON.stringify({ contents: [{ role: '\x1b[31mred', parts: [{ text: 'a' }] }] });
    const { stdout } = run(['lint', file('escape.json', text), ...model]);
    assert.match(stdout, /role\.invalid/);
    assert.ok(!stdout.includes('\x1b'));
  });
});

describe('--repair', () => {
  const trailing = `{"contents":[
  {"role":"user","parts":[{"text":"a"}]},
  {"role":"model","parts":[{"functionCall":{"name":"f","args":{"n":1.0}},"thoughtSignature":"c2ln"}]},
  {"role":"user","parts":[{"functionResponse":{"name":"f","response":[1]}}]}]}
`;

  test('writes the repaired request to standard output and the findings to standard error', () => {
    const { status, stdout, stderr } = run([
      'lint',
      file('t.json', trailing),
      ...model,
      '--repair',
    ]);
    assert.equal(status, 0, stderr);
    assert.equal(stdout, trailing.replace('"response":[1]', '"response":{"output":[1]}'));
    assert.match(stderr, /^t\.json:4:\d+ repaired response\.not_object/);
    assert.match(stderr, /1 repaired in 1 request\n$/);
    assert.deepEqual(run(['lint', ...model, '--repair'], { input: stdout }).stdout, stdout);
  });

  test('writes a request without errors unchanged', () => {
    const spaced = ' { "contents" : [ {"role":"user","parts":[{"text":"\\u0041"}]} ] } \n';
    const { status, stdout } = run(['lint', ...model, '--repair'], { input: spaced });
    assert.deepEqual([status, stdout], [0, spaced]);
  });

  test('adds placeholders only with --dummy-signatures', () => {
    const lint = (...args) => run(['lint', 'unsigned.json', ...model, '--repair', ...args]);
    const plain = lint();
    assert.deepEqual([plain.status, plain.stdout], [1, unsigned]);
    assert.match(plain.stderr, /\(only with --repair --dummy-signatures\)/);
    assert.match(plain.stderr, / in 1 request; nothing was repaired\n$/);
    const filled = lint('--dummy-signatures');
    assert.equal(filled.status, 0);
    assert.match(filled.stdout, /"thoughtSignature":\s*"skip_thought_signature_validator"/);
    assert.ok(filled.stdout.includes('{"n": 9007199254740993, "x": 1.0}'));
  });

  test('writes Contents and JSON Lines in their original form, also to --output', () => {
    const body = JSON.stringify(JSON.parse(trailing));
    const repaired = body.replace('[1]', '{"output":[1]}');
    const bare = (text) => text.slice('{"contents":'.length, -1);
    const { stdout } = run(['lint', ...model, '--repair'], { input: bare(body) });
    assert.equal(stdout, bare(repaired));
    const lines = `{"key":"a","request":${body}}\n${JSON.stringify(good)}\n`;
    const args = ['lint', ...model, '--repair', '-o', 'repaired.jsonl'];
    assert.equal(run(args, { input: lines }).status, 0);
    const written = readFileSync(join(folder, 'repaired.jsonl'), 'utf8');
    assert.equal(written, lines.replace(body, repaired));
  });

  test('rejects several files and HAR files', () => {
    const { status, stderr } = run(['lint', 'good.json', 't.json', ...model, '--repair']);
    assert.equal(status, 2);
    assert.match(stderr, /one file at a time/);
    assert.equal(run(['lint', 'traffic.har', '--repair']).status, 2);
  });
});
