// Finds requests in texts: cURL as browsers and Postman copy it, HAR, JSON Lines, OpenAI messages; and removes
// credentials.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test, { describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadChecker } from 'prompt-strata/check';
import {
  chromePosix,
  firefoxPosix,
  importParts,
  postman,
  windowsCarets,
  windowsDoubled,
} from './lint-parts.mjs';

const { convertMessages, findRequests, messagesPath, readJsonString, removeSecrets } =
  await importParts(
    'requests/requests',
    'requests/remove-secrets',
    'requests/openai',
    'requests/written-string',
  );

const checker = await loadChecker();
const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder().decode(bytes);
const find = (text) => findRequests(checker, { name: 'text', bytes: encode(text) });

const model = 'gemini-3.8-flash';
const host = 'https://generativelanguage.googleapis.com';
const url = `${host}/v1beta/models/${model}:generateContent`;
const bodyWith = (text) => JSON.stringify({ contents: [{ role: 'user', parts: [{ text }] }] });
const body = bodyWith('It\'s "5 o\'clock" \\ here:\n é 🐢 $HOME `ls` 100% !');
// Without what cmd.exe and the C runtime cannot carry: a backslash that Chrome doubles, a divided character.
const plainBody = bodyWith("It's 5 o'clock: é 100% a&b|c<d>e !").replace(
  'contents": ',
  'contents":',
);

/** Checks that each character of a quoted body is where the text has it. */
function checkPlaces(text, request, written) {
  const value = decode(request.body);
  const string = request.quoted.read(text);
  assert.equal(string.value, value);
  for (const word of ['"contents"', '"role"', 'here', 'clock']) {
    const at = value.indexOf(word);
    if (at < 0) continue;
    const { from, to } = string.rangeOf(at, at + word.length);
    assert.equal(text.slice(from, to), written(word), word);
  }
}

/** Replaces a word of a quoted body in the text, and checks that the body then holds the new one. */
function checkChange(text, request, added) {
  const value = decode(request.body);
  const string = request.quoted.read(text);
  for (const word of ['user', 'role', 'clock', '{"role":"user"']) {
    const at = value.indexOf(word);
    const { from, to } = string.rangeOf(at, at + word.length);
    const after = string.written(added, at, at + word.length);
    const changed = text.slice(0, from) + after + text.slice(to);
    assert.equal(
      decode(find(changed).requests[0].body),
      value.replace(word, () => added),
      word,
    );
  }
}

const commands = [
  {
    name: 'Chrome on Linux and macOS',
    text: `curl '${url}?alt=sse' \\\n  -H 'accept: */*' \\\n  -H ${chromePosix("a: b's")} \\\n  --data-raw ${chromePosix(body)} ;\n`,
    written: (word) => word,
  },
  {
    name: 'Firefox on Linux and macOS',
    text: `curl '${url}' --compressed -X POST -H 'Accept: */*' --data-raw ${firefoxPosix(body)}`,
    written: (word) => word,
  },
  {
    name: 'Postman',
    text: `curl --location '${url}' \\\n--header 'Content-Type: application/json' \\\n--data ${postman(body)}`,
    written: (word) => word,
  },
  {
    name: 'Chrome on Windows',
    text: `curl ^"${url}^" ^\r\n  -H ^"accept: */*^" ^\r\n  --data-raw ${windowsCarets(plainBody)}`,
    body: plainBody,
    written: (word) => word.replaceAll('"', '^\\^"'),
  },
  {
    name: 'an older Firefox on Windows',
    text: `curl "${url}" -H "Accept: */*" --data-raw ${windowsDoubled(plainBody)}`,
    body: plainBody,
    written: (word) => word.replaceAll('"', '""'),
  },
  {
    name: 'documentation, with the body in double quotes',
    text: `$ curl -sS -X POST "${url}" -d "${body.replace(/[\\"$`]/g, '\\$&')}" | jq .`,
    written: (word) => word.replaceAll('"', '\\"'),
  },
  {
    name: 'a script with a here-document',
    text: `curl -X POST "${url}" \\\n  --json @- <<'EOF'\n${body}\nEOF\necho done\n`,
    body: `${body}\n`,
    written: (word) => word,
  },
  {
    name: 'AI Studio, which writes a file first',
    text: `#!/bin/bash\nMODEL_ID="${model}"\n\ncat << EOF > request.json\n${plainBody}\nEOF\n\ncurl \\\n-X POST \\\n"${host}/v1beta/models/\${MODEL_ID}:streamGenerateContent?key=\${GEMINI_API_KEY}" -d '@request.json'\n`,
    body: `${plainBody}\n`,
    written: (word) => word,
  },
];

describe('cURL', () => {
  for (const { name, text, written, body: expected = body } of commands) {
    test(`reads what ${name} writes`, () => {
      const { form, requests, notes } = find(text);
      assert.deepEqual([form, requests.length, notes], ['curl', 1, []]);
      const [request] = requests;
      assert.equal(decode(request.body), expected);
      assert.deepEqual([request.model, request.backend], [model, 'gemini']);
      checkPlaces(text, request, written);
    });
    test(`changes what ${name} writes`, () => {
      checkChange(text, find(text).requests[0], 'a "new" one\'s $x `y` \\ & %PATH% {"b":[1]}');
    });
  }

  test('reads several commands, and options in all their forms', () => {
    const text = [
      `curl -sSL -XPOST -H'a: b' --url=${url} -d'${bodyWith('1')}'`,
      `curl --request POST -o out.json -m 10 --data-binary='${bodyWith('2')}' ${url}; echo x`,
      `curl https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-pro:generateContent --json '${bodyWith('3')}' && true`,
    ].join('\n');
    const { requests } = find(text);
    assert.deepEqual(
      requests.map(({ body: bytes, label, model: name, backend }) => [
        JSON.parse(decode(bytes)).contents[0].parts[0].text,
        ...[label, name, backend],
      ]),
      [
        ['1', 'command 1', model, 'gemini'],
        ['2', 'command 2', model, 'gemini'],
        ['3', 'command 3', 'gemini-2.5-pro', 'vertex'],
      ],
    );
  });

  test('says which body it cannot read', () => {
    for (const [text, place, message] of [
      [`curl ${url} --data-binary @body.json`, '@body.json', /from the file body\.json/],
      [`curl ${url} -d '@-'`, "'@-'", /from standard input/],
      [`curl ${url} -H 'a: b'`, `curl ${url} -H 'a: b'`, /sends no body/],
    ]) {
      const { requests, notes } = find(text);
      assert.equal(requests.length, 0);
      const [note] = notes;
      assert.match(note.message, message);
      assert.equal(text.slice(note.from, note.to), place);
    }
    // --data-raw reads no file.
    assert.equal(decode(find(`curl ${url} --data-raw @x`).requests[0].body), '@x');
  });

  const computedIn = (text) => {
    const { requests, notes } = find(text);
    assert.deepEqual(notes, []);
    const [request] = requests;
    const string = request.quoted.read(text);
    const value = decode(request.body);
    assert.equal(string.value, value);
    const parsed = JSON.parse(value);
    return (request.computed ?? []).map(({ from, to }) => {
      const place = string.rangeOf(from, to);
      return [value.slice(from, to), text.slice(place.from, place.to), parsed.contents];
    });
  };

  test('knows which values the shell computes, and makes JSON of the rest', () => {
    const part = (data) => [{ parts: [{ inline_data: { mime_type: 'image/png', data } }] }];
    const around = (data) => JSON.stringify({ contents: part('@') }).replace('@', () => data);
    for (const [text, written, value = written] of [
      // As in Google's documents.
      [
        `curl ${url} -d '${around(`'"$(base64 $B64FLAGS $IMG_PATH)"'`)}'`,
        '$(base64 $B64FLAGS $IMG_PATH)',
      ],
      [
        `curl ${url} -d '${around(`'"$(base64 -w0 "$(ls *.png)" | tr -d ")")"'`)}'`,
        '$(base64 -w0 "$(ls *.png)" | tr -d ")")',
      ],
      [`curl ${url} -d '${around("'$IMG'")}'`, '$IMG'],
      [`curl ${url} -d '${around("'${IMG}'")}'`, '${IMG}'],
      [`curl ${url} -d "${around('`base64 a.png`').replaceAll('"', '\\"')}"`, '`base64 a.png`'],
      [
        `curl ${url} -d @- <<EOF\n${around('$(base64 -w0 "a b.png")')}\nEOF\n`,
        '$(base64 -w0 "a b.png")',
      ],
      [
        `cat <<EOF >r.json\n${around("$(\nbase64 'a)'\n)")}\nEOF\ncurl ${url} -d@r.json`,
        "$(\nbase64 'a)'\n)",
      ],
      [`curl "${url}" -d ${windowsDoubled(around('%IMG%'))}`, '%IMG%'],
    ]) {
      const [[, place, contents], ...others] = computedIn(text);
      assert.deepEqual([place, others], [written, []], text);
      assert.deepEqual(contents, part(value), text);
    }
    // Outside of a string, the value is one.
    const number = `curl ${url} -d '{"contents":'"$HISTORY"',"generationConfig":{"seed":'$N'}}'`;
    assert.deepEqual(computedIn(number), [
      ['"$HISTORY"', '$HISTORY', '$HISTORY'],
      ['"$N"', '$N', '$HISTORY'],
    ]);
    // What the shell passes on as it is.
    for (const text of [
      `curl ${url} -d '${bodyWith('$HOME $(ls) `ls`')}'`,
      `curl ${url} -d @- <<'E'\n${bodyWith('$HOME')}\nE\n`,
      `curl ${url} -d @- <<E\n${bodyWith('5 $ and \\\\$HOME, $(never closed').replaceAll('\\\\\\\\', '\\')}\nE\n`,
    ])
      assert.deepEqual(computedIn(text), [], text);
  });

  test('says that a body is computed as a whole', () => {
    for (const body of ['"$BODY"', '"$(jq -n {})"', '$BODY', '"`cat x`"']) {
      const { requests, notes } = find(`curl ${url} -d ${body}`);
      assert.deepEqual(requests, []);
      assert.match(notes[0].message, /computes its body when it runs: [$`]/);
    }
  });

  test('leaves out commands for other APIs, with the reason', () => {
    const vertex = 'https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/l';
    for (const [address, reason] of [
      [`${host}/v1beta/openai/chat/completions`, 'is an OpenAI API'],
      ['https://api.openai.com/v1/chat/completions', 'is an OpenAI API'],
      ['http://localhost:8080/v1/chat/completions?x=1', 'is an OpenAI API'],
      ['https://api.openai.com/v1/responses', 'is an OpenAI API'],
      [`${host}/v1beta/interactions/i1/cancel`, 'names a stored interaction'],
      [`${host}/upload/v1beta/files`, 'uploads a file'],
      [`${host}/v1beta/models/gemini-embedding-001:embedContent?key=$KEY`, 'takes another body'],
      [`${host}/v1beta/models/gemini-embedding-001:batchEmbedContents`, 'takes another body'],
      [`${vertex}/publishers/google/models/imagen-4.0-generate-001:predict`, 'takes another body'],
      ['https://api.anthropic.com/v1/messages', 'takes another body'],
    ]) {
      const { requests } = find(`curl "${address}" -d '{"input":"x"}'`);
      assert.deepEqual(requests.length, 1, address);
      assert.match(
        requests[0].skipped.message,
        new RegExp(`^The command calls /[^?]+, which ${reason}.* not checked\\.$`),
      );
    }
    for (const address of [
      url,
      `${host}/v1beta/cachedContents`,
      `${host}/v1beta/tunedModels/a:generateContent`,
      `${vertex}/endpoints/1:streamGenerateContent`,
      'https://proxy.example/gemini',
      '$URL',
      '${BASE}/openai/chat/completions',
      `${host}/v1beta/\${MODEL}:\${METHOD}`,
    ])
      assert.equal(find(`curl "${address}" -d '{}'`).requests[0].skipped, undefined, address);
  });

  test('checks a file that very many commands send a bounded number of times', () => {
    const text = `cat <<E >f\n${bodyWith('x'.repeat(10_000))}\nE\n${`curl ${url} -d @f\n`.repeat(100)}`;
    const { requests, notes } = find(text);
    assert.equal(requests.length + notes.length, 100);
    assert.ok(requests.length >= 16 && requests.length <= 60, `${requests.length}`);
    assert.match(notes[0].message, /checked with the commands before/);
  });

  test('never loops or throws on unfinished commands', () => {
    for (const { text } of commands) {
      for (let length = 5; length < text.length; length += 7) {
        const { form, requests } = find(text.slice(0, length));
        if (form === 'curl') for (const { quoted } of requests) quoted.read(text);
      }
    }
  });

  test('does not take prose or JSON for commands', () => {
    assert.equal(find('{"contents": "\\ncurl x"}').form, 'body');
    assert.equal(find('I like to curl up.').form, 'body');
  });
});

describe('places in JSON', () => {
  const text = ' {"a/b~":[1, {"é":"x\\"]","\\u0061":[]}, -2.5e3 ], "🐢" : {"":null}}\n';
  const value = JSON.parse(text);
  const pointers = ['', '/a~1b~0', '/a~1b~0/0', '/a~1b~0/1', '/a~1b~0/1/é', '/a~1b~0/1/a'];
  pointers.push('/a~1b~0/2', '/🐢', '/🐢/');

  test('are the same in bytes and in UTF-16 units', () => {
    const bytes = encode(text);
    const units = checker.locate(text, pointers, { positions: 'utf16' });
    for (const [i, span] of checker.locate(bytes, pointers).entries()) {
      const { start, end } = units[i];
      assert.equal(text.slice(start, end), decode(bytes.subarray(span.start, span.end)));
    }
    assert.deepEqual(JSON.parse(text.slice(units[0].start, units[0].end)), value);
    const [{ start, end }] = checker.locate(text, ['/a~1b~0/1/nothing/here'], {
      positions: 'utf16',
    });
    assert.equal(text.slice(start, end), '{"é":"x\\"]","\\u0061":[]}');
  });

  test('reads the characters of a string with their places', () => {
    const original = 'a"\\\n\u0001é🐢\u2028/';
    const written = `[${JSON.stringify(original).replace('é', '\\u00e9')}]`;
    const string = readJsonString(written, 1);
    assert.equal(string.value, original);
    assert.equal(string.to, written.length - 1);
    const { from, to } = string.rangeOf(1, 4);
    assert.equal(written.slice(from, to), '\\"\\\\\\n');
  });
});

describe('JSON that Google takes', () => {
  test('is read in each form', () => {
    const part = `{parts: [{'text':"x",},],}`;
    assert.equal(find(`[${part},]`).form, 'contents');
    const [wrapped] = find(`{"request": {"contents":[${part}],},}`).requests;
    assert.equal(decode(wrapped.body), `{"contents":[${part}],}`);
    const lines = find(`{"contents":[${part}],}\n{'model':'${model}',"contents":[]}`);
    assert.deepEqual(
      [lines.form, lines.requests.map((one) => one.model)],
      ['jsonl', [undefined, model]],
    );
  });

  test('has places as JSON has', () => {
    const text = `{ab: [1, {'c"' : 'x\\'}',},], "d":2 ,}`;
    const pointers = ['/ab/0', '/ab/1', '/ab/1/c"', '/d'];
    assert.deepEqual(
      checker.locate(text, pointers).map(({ start, end }) => text.slice(start, end)),
      ['1', `{'c"' : 'x\\'}',}`, `'x\\'}'`, '2'],
    );
  });
});

describe('HAR', () => {
  const har = (method, postData) =>
    JSON.stringify({
      log: { entries: [{}, { request: { method: 'POST', url: `${host}${method}`, postData } }] },
    });

  test('finds the place of each character of a body', () => {
    const text = har(`/v1beta/models/${model}:generateContent`, { text: body });
    const { form, requests } = find(text);
    assert.equal(form, 'har');
    checkPlaces(text, requests[0], (word) => word.replaceAll('"', '\\"'));
    checkChange(text, requests[0], 'a "new" \\ one\n');
  });

  test('finds the request inside a body of countTokens', () => {
    const wrapped = `{"generateContentRequest": ${body}, "x": 1}`;
    const text = har(`/v1beta/models/${model}:countTokens`, { text: wrapped });
    const [{ body: bytes, quoted }] = find(text).requests;
    assert.equal(decode(bytes), body);
    assert.equal(quoted.read(text).value.slice(quoted.skipped).startsWith(body), true);
  });
});

describe('the Interactions API', () => {
  const interaction = JSON.stringify({ model, input: 'Hi' });
  const address = `${host}/v1beta/interactions`;
  const checkRequest = ([request]) => {
    const { wire, ok } = checker.lint(request.body, { model: request.model });
    assert.deepEqual(
      [request.model, request.skipped, wire, ok],
      [model, undefined, 'interactions', true],
    );
  };

  test('is read in a cURL command', () => {
    checkRequest(find(`curl ${address} -d '${interaction}'`).requests);
  });

  test('is read in a HAR file', () => {
    const request = { method: 'POST', url: `${address}?alt=sse`, postData: { text: interaction } };
    checkRequest(find(JSON.stringify({ log: { entries: [{ request }] } })).requests);
  });
});

describe('OpenAI messages', () => {
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Weather?' },
    {
      role: 'assistant',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x": 1.0}' } },
        { id: 'b', type: 'function', function: { name: 'f', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'b', content: 'rain' },
    { role: 'tool', tool_call_id: 'a', content: 'sun' },
    { role: 'user', content: 'Thanks' },
  ];
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];

  test('are recognized alone and in a body, and nothing else is', () => {
    assert.equal(messagesPath(messages), '');
    assert.equal(messagesPath({ model: 'x', messages }), '/messages');
    assert.equal(messagesPath(JSON.parse(body)), undefined);
    assert.equal(messagesPath([{ role: 'user', parts: [] }]), undefined);
    assert.equal(messagesPath([]), undefined);
    assert.equal(messagesPath(null), undefined);
  });

  test('become a Gemini request, and each Content knows its messages', () => {
    const value = { messages, tools };
    const converted = convertMessages(checker, encode(JSON.stringify(value)), value, { model });
    const request = JSON.parse(decode(converted.body));
    assert.deepEqual(request.systemInstruction, { parts: [{ text: 'Be kind.' }] });
    assert.deepEqual(request.tools, [
      { functionDeclarations: [{ name: 'f', parametersJsonSchema: { type: 'object' } }] },
    ]);
    assert.deepEqual(
      request.contents.map(({ role }) => role),
      ['user', 'model', 'user', 'user'],
    );
    assert.match(decode(converted.body), /"x": ?1\.0/);
    assert.deepEqual(converted.messages, [[1], [2], [3, 4], [5]]);
    // What the request has was not left out.
    assert.deepEqual(
      converted.diagnostics.map(({ code }) => code),
      ['import.converted'],
    );
  });

  test('to a model of another vendor are judged for the chosen one', () => {
    const modelIn = (name) => find(JSON.stringify({ model: name, messages })).requests[0].model;
    assert.equal(modelIn('gpt-4o'), undefined);
    assert.equal(modelIn('models/gemini-2.5-pro'), 'models/gemini-2.5-pro');
  });
});

describe('credentials', () => {
  const key = 'AIzaSyCommand-test-key_0123456789abcdef';
  const token = 'ya29.a0AfH6SMBx-example_token.123';
  const cookie = 'SID=g.a000example; HSID=AbCdEf';
  const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl';
  const secrets = [key, token, cookie, jwt, 'hunter2', 's3cr3t'];
  const texts = {
    'an address': `curl '${url}?alt=sse&key=s3cr3t-value' -d '{}'`,
    'headers of cURL': `curl ${url} -H 'x-goog-api-key: s3cr3t-value' -H "Authorization: Bearer ${token}" -H $'Cookie: ${cookie}' -d '{}'`,
    'headers for cmd.exe': `curl ^"${url}^" ^\n -H ^"X-Goog-Api-Key: s3cr3t-value^" ^\n -b ^"${cookie}^" --data-raw ^"^{^}^"`,
    'options of cURL': `curl -u me:hunter2 --cookie '${cookie}' --oauth2-bearer ${token} ${url} -d '{}'`,
    'cURL with a caret in its body': `curl '${url}' -H 'Authorization: Bearer s3cr3t-value' -d '{"contents":[{"parts":[{"text":"what does x^"}]}]}'`,
    'cURL with continued lines and a caret': `curl "${url}" \\\n -H "x-goog-api-key: s3cr3t-value" \\\n -d '{"contents":[{"parts":[{"text":" ^"}]}]}'`,
    'cURL after other words': `sudo curl ${url} -H 'x-goog-api-key: s3cr3t-value' -d '{}'\nA=1 B=two time curl ${url} -u me:hunter2 -d '{}'`,
    'cURL for both shells': `curl '${url}' -H 'x-goog-api-key: s3cr3t-value' -d '{}'\ncurl ^"${url}^" ^\n -H ^"X-Goog-Api-Key: s3cr3t-value^" --data-raw ^"^{^}^"`,
    'cURL of one line with a caret': `curl "${url}" -H 'x-goog-api-key: s3cr3t-value' -d '{"contents":[{"parts":[{"text":" ^"}]}]}'`,
    'cURL with two lists in its body': `curl "${url}" -H 'x-goog-api-key: s3cr3t-value' -d '{"contents":[{"parts":[{"text":"["}, {"text":""}]}]}'`,
    'cURL after options and quotes': `sudo -E curl ${url} -H 'x-goog-api-key: s3cr3t-value' -d '{}'\nA="x y" /usr/bin/curl ${url} -u me:hunter2 -d '{}'`,
    'names in escaped addresses': JSON.stringify({
      text: 'https://me:s3cr3t@example.com',
    }).replaceAll('/', '\\/'),
    'names in addresses': `curl -x http://me:hunter2@proxy.example:80 https://me:s3cr3t@example.com -d '{}'`,
    'a HAR file': JSON.stringify({
      log: {
        entries: [
          {
            request: {
              method: 'POST',
              url: `${url}?key=s3cr3t-value`,
              headers: [
                { name: 'X-Goog-Api-Key', value: 's3cr3t-value' },
                { value: `Bearer "${jwt}`, name: 'authorization' },
                { name: 'cookie', value: cookie },
              ],
              cookies: [{ name: 'a]', value: 'hunter2' }],
              queryString: [{ name: 'key', value: 's3cr3t-value' }],
              postData: { text: JSON.stringify({ a: { 'x-api-key': 's3cr3t-value' }, key }) },
            },
          },
        ],
      },
    }),
    'a body': JSON.stringify({
      contents: [{ role: 'user', parts: [{ text: `My key\n${key}, ${jwt} and ${token}` }] }],
      tools: [{ mcpServers: [{ headers: { Authorization: 'Bearer s3cr3t-value' } }] }],
    }),
    'a service account': JSON.stringify({
      text: `-----BEGIN PRIVATE KEY-----\n${'s3cr3t+value/'.repeat(9)}s3cr3t-value`.replaceAll(
        '-value',
        '',
      ),
    }),
    'an HTTP request': `POST /v1beta/x HTTP/1.1\r\nx-goog-api-key: s3cr3t-value\r\nCookie:${cookie} \r\n\r\n{}`,
    'the output of curl -v': `> POST / HTTP/2\n> Authorization: Bearer ${token}\n< set-cookie: hunter2; Path=/\n\n{}`,
    prose: `export GEMINI_API_KEY=${key}`,
  };

  for (const [name, text] of Object.entries(texts)) {
    test(`are removed from ${name}, once`, () => {
      const clean = removeSecrets(text);
      assert.ok(clean.removed > 0);
      for (const secret of secrets) assert.ok(!clean.text.includes(secret), clean.text);
      assert.deepEqual(removeSecrets(clean.text), { text: clean.text, removed: 0 });
      if (text.startsWith('{')) JSON.parse(clean.text);
      assert.equal(find(clean.text).requests.length, find(text).requests.length);
    });
  }

  test('variables, placeholders, signatures and ordinary words stay', () => {
    const signature = `${'Qm9'.repeat(40)}+AIzaabcdefghijklmnopqrstuvwxyz0123456789ABC/ya29Ab==`;
    for (const text of [
      body,
      `curl "${url}?key=$GEMINI_API_KEY" -H "x-goog-api-key: \${KEY}" -d '{}'`,
      'see http://localhost:8080?user=me@example.com, https://h:1#a@b and //note:ping@bob',
      `curl "https://example.com/a:b@c?x=//a:b" -d '{"contents":[{"parts":[{"text":"me:you@example.com"}]}]}'`,
      `curl "${url}?key=YOUR_API_KEY" -H 'x-goog-api-key: <your key>' -d '{}'`,
      JSON.stringify({ parts: [{ thoughtSignature: signature, text: 'a key=value pair' }] }),
      JSON.stringify({ properties: { authorization: { type: 'string' }, name: 'key' } }),
      JSON.stringify({ args: { name: 'key', value: 'of the door' } }),
      'authorization:\n x-goog-api-key: $KEY\nThe header cookie: it is read by the server',
    ]) {
      assert.deepEqual(removeSecrets(text), { text, removed: 0 });
    }
  });
});

test('long texts are read in time in proportion to their length', () => {
  // Before, 80 KB of some took 12 seconds, and 1 MB would take half an hour.
  const file = fileURLToPath(new URL('long-texts.mjs', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
    ...{ encoding: 'utf8', timeout: 300_000 },
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  assert.equal(status, 0, stderr || 'the process was ended');
  const [found] = stdout.split('\n').filter((line) => line.startsWith('[['));
  // Requests, notes and credentials.
  assert.deepEqual(JSON.parse(found), [
    ['here-documents without an end', [1, 0, 0]],
    ['here-documents with an end', [1, 0, 0]],
    ['variables in an address', [1, 0, 0]],
    ['lists of cookies without an end', [0, 0, 0]],
    ['options of a command before curl', [0, 1, 0]],
    ['backslashes before a quotation mark', [1, 0, 0]],
    ['computed values without an end', [0, 1, 0]],
    ['variables without an end', [1, 0, 0]],
    ['here-documents with a command without an end', [9175, 0, 0]],
    ['computed values in a body', [1, 0, 0]],
    ['very many commands', [9804, 0, 0]],
    ['tokens of one word', [0, 0, 1]],
    ['a file that many commands send', [32, 76892, 0]],
  ]);
});
