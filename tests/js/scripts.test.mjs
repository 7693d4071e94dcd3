// Finds requests in scripts: what browsers copy as fetch and as PowerShell, Python dicts, and calls of Google's SDKs.
import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { loadChecker } from 'prompt-strata/check';
import { importParts } from './lint-parts.mjs';

const { analyze, findRequests, readRequests, removeSecrets, repairedText } = await importParts(
  'requests/requests',
  'requests/remove-secrets',
  'playground/engine/lint-analysis',
  'playground/engine/text-repairs',
);

const checker = await loadChecker();
const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder().decode(bytes);
const find = (text) => findRequests(checker, { name: 'text', bytes: encode(text) });
const model = 'gemini-3.8-flash';
const url = `https://generativelanguage.googleapis.com/v1beta/models/${model}:generateContent`;
const lint = (text) => analyze(checker, text, { model, backend: 'gemini' });

/** Returns the bodies of a text, parsed, and checks that each string of them is where the text has it. */
function bodiesOf(text, form) {
  const found = find(text);
  assert.deepEqual([found.form, found.notes], [form, []]);
  return found.requests.map((request) => {
    const value = decode(request.body);
    const written = request.quoted.read(text);
    assert.equal(written.value, value);
    for (const { index, 0: word } of value.matchAll(/(?<!\\)\b(?!true|false|null)[a-z]{4,}/gi)) {
      const { from, to } = written.rangeOf(index, index + word.length);
      const at = text.slice(from, to);
      // Names that only the API has stand where their value begins.
      if (at !== '' && !isComputedAt(request, index) && !/_/.test(at)) assert.equal(at, word);
    }
    return JSON.parse(value);
  });
}

const isComputedAt = ({ computed = [] }, offset) =>
  computed.some(({ from, to }) => from <= offset && offset < to);

/** Returns a text with all its repairs. */
function repair(text) {
  const { text: clean, repairs } = lint(text);
  return repairedText(clean, repairs);
}

/** Returns what a text has where the findings of a rule are. */
function placesOf(text, code) {
  const { findings, text: clean } = lint(text);
  const own = findings.filter((found) => found.code === code);
  assert.ok(own.length > 0, JSON.stringify(findings.map((one) => [one.code, one.message])));
  return own.map(({ from, to }) => clean.slice(from, to));
}

const body = {
  contents: [
    {
      role: 'user',
      parts: [{ text: 'It\'s "5 o\'clock" \\ here:\n é 🐢 $HOME `ls` ${x} 100% !' }],
    },
    { role: 'assistant', parts: [{ text: 'Hello' }] },
    { role: 'user', parts: [{ text: 'Bye' }] },
  ],
};
const json = JSON.stringify(body);

// As Chrome's and Firefox's "Copy as fetch" write it.
const chromeFetch = `fetch("${url}?alt=sse", {
  "headers": {
    "accept": "*/*",
    "accept-language": "en-US,en;q=0.9",
    "content-type": "application/json",
    "x-goog-api-key": "s3cr3t-value"
  },
  "referrer": "https://aistudio.google.com/",
  "body": ${JSON.stringify(json)},
  "method": "POST",
  "mode": "cors",
  "credentials": "include"
});`;
const firefoxFetch = `await ${chromeFetch.replace('"mode"', '"credentials": "omit",\n    "mode"')}`;

describe('fetch', () => {
  for (const [name, text] of Object.entries({ chromeFetch, firefoxFetch }))
    test(`is read as browsers copy it: ${name}`, () => {
      assert.deepEqual(bodiesOf(text, 'javascript'), [body]);
      const [request] = find(text).requests;
      assert.deepEqual([request.model, request.backend], [model, 'gemini']);
      assert.deepEqual(placesOf(text, 'role.invalid'), ['\\"assistant\\"']);
      const repaired = JSON.parse(decode(find(repair(text)).requests[0].body));
      assert.equal(repaired.contents[1].role, 'model');
    });

  test('is read with the object that JSON.stringify gets, also of a variable', () => {
    const text = `// My script
const contents = [
  { role: 'user', parts: [{ text: \`Hi, "you"
there\` }] }, // the first
  { role: "assistant", parts: [{ text: 'It\\'s me' + name }] },
];
const response = await fetch(\`${url.replace(model, '${model}')}\`, {
  method: 'POST', headers: { 'x-goog-api-key': process.env.KEY },
  body: JSON.stringify({ contents, generationConfig: { temperature: 0.5, stopSequences: ['x',], }, }),
}).then((response) => response.json());
`;
    const [value] = bodiesOf(text, 'javascript');
    assert.equal(value.contents[0].parts[0].text, 'Hi, "you"\nthere');
    assert.equal(value.contents[1].parts[0].text, "'It\\'s me' + name");
    assert.deepEqual(value.generationConfig, { temperature: 0.5, stopSequences: ['x'] });
    assert.deepEqual(placesOf(text, 'role.invalid'), ['"assistant"']);
    const repaired = repair(text);
    assert.match(repaired, /\{ role: "model", parts/);
  });

  test('says which body it cannot read, and which API it does not check', () => {
    const notesOf = (text) => find(text).notes.map(({ message }) => message);
    assert.match(notesOf(`fetch("${url}", { body: makeBody() })`)[0], /computes the body/);
    assert.match(notesOf(`fetch("${url}")`)[0], /sends no body/);
    assert.match(
      notesOf(`fetch("${url}", {\n  body: "{`)[0],
      /^Line 2, column 9: The string that begins here does not end\.$/,
    );
    const other = find('fetch("https://api.openai.com/v1/responses", { body: "{}" })').requests[0];
    assert.match(
      other.skipped.message,
      /^The script calls \/v1\/responses, which is an OpenAI API/,
    );
  });
});

describe('PowerShell', () => {
  const quoted = (text) =>
    `"${text.replace(/[`$"]/g, '`$&').replace(/[^ -~]/g, (c) => `$([char]${c.charCodeAt(0)})`)}"`;
  const copied = (value) => `$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
$session.UserAgent = "Mozilla/5.0 (X11; Linux x86_64)"
$session.Cookies.Add((New-Object System.Net.Cookie("SID", "hunter2-cookie", "/", ".google.com")))
Invoke-WebRequest -UseBasicParsing -Uri "${url}?alt=sse" \`
-Method "POST" \`
-WebSession $session \`
-Headers @{
"authority"="generativelanguage.googleapis.com"
  "authorization"="Bearer s3cr3t-value"
  "x-goog-api-key"="s3cr3t-value"
} \`
-ContentType "application/json" \`
-Body ${value}`;

  for (const [name, text, turn] of [
    ['browsers', copied(`([System.Text.Encoding]::UTF8.GetBytes(${quoted(json)}))`), body],
    ['browsers, in ASCII', copied(quoted(json.replace(/[é🐢]/gu, ''))), undefined],
    [
      'a here-string',
      `$body = @'\n${json}\n'@\nInvoke-RestMethod -Uri '${url}' -Method Post -Body $body`,
      body,
    ],
    ['single quotes', `irm -Uri ${url} -Body '${json.replaceAll("'", "''")}'`, body],
  ])
    test(`is read as written by ${name}`, () => {
      const [value] = bodiesOf(text, 'powershell');
      if (turn) assert.deepEqual(value, turn);
      assert.equal(find(text).requests[0].model, model);
      const [place] = placesOf(text, 'role.invalid');
      assert.match(place, /^`?"assistant`?"$/);
      const repaired = JSON.parse(decode(find(repair(text)).requests[0].body));
      assert.equal(repaired.contents[1].role, 'model');
      assert.equal(repaired.contents[0].parts[0].text, value.contents[0].parts[0].text);
    });

  test('says which body it cannot read', () => {
    const { notes } = find(`Invoke-RestMethod -Uri ${url} -Body ($body | ConvertTo-Json)`);
    assert.match(notes[0].message, /computes its body when it runs/);
  });

  test('loses its credentials, as the other scripts do', () => {
    for (const text of [
      copied(quoted(json)),
      chromeFetch,
      `client = genai.Client(api_key='s3cr3t-value')\nr = requests.post(u, headers={'x-goog-api-key': 's3cr3t-value'}, json={'contents': []})`,
    ]) {
      const clean = removeSecrets(text);
      assert.doesNotMatch(clean.text, /s3cr3t|hunter2/);
      assert.deepEqual(removeSecrets(clean.text), { text: clean.text, removed: 0 });
      assert.equal(find(clean.text).requests.length, 1);
    }
  });
});

describe('Python', () => {
  const dict = `{
    'contents': [
        # The question
        {'role': 'user', 'parts': [{'text': """Is it "sunny"?
Say it's \\u00e9.""", 'thought': None}]},
        {'role': 'assistant', 'parts': [{'text': 'It '
            "is", 'thought': True}]},
        {'role': 'user', 'parts': ({'text': r'a\\d'},)},
    ],
    'generation_config': {'temperature': 1_0.5e-1, 'top_k': .5, },
}
`;
  test('dicts are read, with their own constants, strings and commas', () => {
    const [value] = bodiesOf(dict, 'python');
    assert.deepEqual(value, {
      contents: [
        { role: 'user', parts: [{ text: 'Is it "sunny"?\nSay it\'s é.', thought: null }] },
        { role: 'assistant', parts: [{ text: 'It is', thought: true }] },
        { role: 'user', parts: [{ text: 'a\\d' }] },
      ],
      generation_config: { temperature: 1.05, top_k: 0.5 },
    });
    assert.deepEqual(placesOf(dict, 'role.invalid'), ["'assistant'"]);
    const repaired = repair(dict);
    assert.match(repaired, /\{'role': "model", 'parts'/);
  });

  test('what a repair adds is Python', () => {
    const text = `{'contents': [
    {'role': 'user', 'parts': [{'text': 'Weather?', 'thought': None}]},
    {'role': 'model', 'parts': [
        {'functionCall': {'name': 'f', 'args': {'a': True}}, 'thoughtSignature': 'c2ln'},
    ]},
    {'role': 'user', 'parts': [{'text': 'Well?'}]},
]}`;
    const { findings } = lint(text);
    assert.ok(findings.some(({ code }) => code === 'call.open'));
    const [repaired] = bodiesOf(repair(text), 'python');
    assert.ok(JSON.stringify(repaired).includes('functionResponse'));
  });

  test('dicts in scripts are found, and OpenAI messages in them', () => {
    const text = `import requests
payload = {"contents": [{"role": "user", "parts": [{"text": "Hi", "thought": False}]}]}
r = requests.post("${url}", json=payload)
`;
    assert.equal(bodiesOf(text, 'python')[0].contents[0].parts[0].thought, false);
    assert.equal(find(text).requests[0].model, model);
    const messages = `messages = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": None},
]
`;
    assert.deepEqual(Object.keys(bodiesOf(messages, 'python')[0]), ['messages']);
  });

  test('what is wrong in JSON is said in the words for JSON', () => {
    const { form, requests } = find('{"contents": [{"parts": [{"text": "None of\n# it", True');
    assert.deepEqual([form, requests.length], ['python', 0]);
    assert.equal(find('{"contents": [{"parts": [{"text": "None of it"}').form, 'body');
  });

  test('text that cannot be read says where and what to do', () => {
    for (const [text, message] of [
      [
        "{'contents': [None, {'a': 1}",
        /^Line 1, column 14: The \[ here is not closed\. Copy the text to its end\.$/,
      ],
      [
        "{'contents': [None,\n  'a]}",
        /^Line 2, column 3: The string that begins here does not end\.$/,
      ],
      ["{'contents': [None 'a']}", /^Line 1, column 20: A comma or \] is missing\.$/],
      [
        "{'contents': [True], **base}",
        /^Line 1, column 22: What is spread here is not known\. Write/,
      ],
    ]) {
      const { requests, notes } = find(text);
      assert.equal(requests.length, 0);
      assert.match(notes[0].message, message);
      assert.throws(
        () => readRequests(checker, { name: 'a.py', bytes: encode(text) }),
        /^NoRequestsError: a\.py: Line/,
      );
    }
  });

  // As AI Studio's "Get code" writes it.
  const studio = `# To run this code you need to install the following dependencies:
# pip install google-genai

import base64
import os
from google import genai
from google.genai import types


def generate():
    client = genai.Client(
        api_key=os.environ.get("GEMINI_API_KEY"),
    )

    model = "${model}"
    contents = [
        types.Content(
            role="user",
            parts=[
                types.Part.from_text(text="""What is the weather?"""),
            ],
        ),
        types.Content(
            role="assistant",
            parts=[
                types.Part.from_function_call(name="get_weather", args={"city_name": "Rome"}),
            ],
        ),
        types.Content(role="user", parts=[
            types.Part.from_function_response(name="get_weather", response={"sky": "clear"}),
            types.Part.from_bytes(data=image_bytes, mime_type="image/png"),
        ]),
    ]
    tools = [
        types.Tool(googleSearch=types.GoogleSearch(
        )),
        get_weather,
    ]
    generate_content_config = types.GenerateContentConfig(
        thinking_config = types.ThinkingConfig(
            thinking_budget=-1,
        ),
        tools=tools,
        safety_settings=[types.SafetySetting(category=types.HarmCategory.HARM_CATEGORY_HARASSMENT, threshold="BLOCK_NONE")],
        system_instruction=[
            types.Part.from_text(text="""Be kind."""),
        ],
        http_options=types.HttpOptions(timeout=1),
    )

    for chunk in client.models.generate_content_stream(
        model=model,
        contents=contents,
        config=generate_content_config,
    ):
        print(chunk.text, end="")

if __name__ == "__main__":
    generate()
`;
  test('calls of generate_content become the body that the SDK sends', () => {
    const [value] = bodiesOf(studio, 'python');
    assert.deepEqual(value, {
      contents: [
        { role: 'user', parts: [{ text: 'What is the weather?' }] },
        {
          role: 'assistant',
          parts: [{ functionCall: { name: 'get_weather', args: { city_name: 'Rome' } } }],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'get_weather', response: { sky: 'clear' } } },
            { inlineData: { data: 'image_bytes', mimeType: 'image/png' } },
          ],
        },
      ],
      tools: [{ googleSearch: {} }, 'get_weather'],
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      systemInstruction: { parts: [{ text: 'Be kind.' }] },
      generationConfig: { thinkingConfig: { thinkingBudget: -1 } },
    });
    assert.equal(find(studio).requests[0].model, model);
    assert.deepEqual(placesOf(studio, 'role.invalid'), ['"assistant"']);
    const { findings } = lint(studio);
    // What the script computes is not judged.
    assert.ok(!findings.some(({ path }) => /tools\/1|data$/.test(path)), JSON.stringify(findings));
    assert.equal(bodiesOf(repair(studio), 'python')[0].contents[1].role, 'model');
  });

  test('the contents of a call may be strings, Parts and messages', () => {
    const contentsOf = (contents) =>
      bodiesOf(
        `r = client.models.generate_content(model="${model}", contents=${contents})`,
        'python',
      )[0].contents;
    const user = (...parts) => ({ role: 'user', parts });
    assert.deepEqual(contentsOf('"Why?"'), [user({ text: 'Why?' })]);
    assert.deepEqual(contentsOf('["Why?", Part.from_uri(file_uri="gs://a", mime_type="a/b")]'), [
      user({ text: 'Why?' }, { fileData: { fileUri: 'gs://a', mimeType: 'a/b' } }),
    ]);
    assert.deepEqual(
      contentsOf('[types.UserContent(parts="Hello"), types.ModelContent("Well"), "Then?"]'),
      [
        user({ text: 'Hello' }),
        { role: 'model', parts: [{ text: 'Well' }] },
        user({ text: 'Then?' }),
      ],
    );
    assert.deepEqual(contentsOf('types.Content(role="user", parts=[{"text": "Hello"}])'), [
      user({ text: 'Hello' }),
    ]);
  });

  test('calls of interactions.create become the body that the SDK sends', () => {
    const input = [{ type: 'user_input', content: [{ type: 'text', text: 'Why?' }] }];
    const python = `interaction = client.interactions.create(
    model="${model}",
    input=${JSON.stringify(input)},
    generation_config={"topP": 1}, store=False,
    timeout=10,
)`;
    const expected = { model, input, generation_config: { topP: 1 }, store: false };
    assert.deepEqual(bodiesOf(python, 'python'), [expected]);
    const [request] = find(python).requests;
    assert.deepEqual([request.model, request.api], [model, 'interactions']);
    assert.deepEqual(placesOf(python, 'interaction.field_unknown'), ['1']);
    const script = (fields) => `const ai = new GoogleGenAI({});
const r = await ai.interactions.create({ ${fields}, input: 'Why?' });`;
    const agent = 'deep-research-preview-04-2026';
    const text = script(`agent: '${agent}', background: true, api_version: 'v1'`);
    assert.deepEqual(bodiesOf(text, 'javascript'), [{ agent, background: true, input: 'Why?' }]);
    const [{ model: named, apiVersion }] = find(text).requests;
    assert.deepEqual([named, apiVersion], [agent, 'v1']);
  });

  test('a list of steps is a history of the Interactions API', () => {
    const text = `history = [{'type': 'user_input', 'content': [{'type': 'text', 'text': ''}]}]`;
    assert.deepEqual(
      lint(text).findings.map(({ code }) => code),
      ['step.text_empty'],
    );
  });

  test('the SDK of JavaScript is read in the same way', () => {
    const text = `const ai = new GoogleGenAI({});
const response = await ai.models.generateContent({
  model: '${model}', contents: 'Why?', config: { temperature: 0, systemInstruction: 'Be kind.' } });`;
    assert.deepEqual(bodiesOf(text, 'javascript'), [
      {
        contents: [{ role: 'user', parts: [{ text: 'Why?' }] }],
        systemInstruction: { parts: [{ text: 'Be kind.' }] },
        generationConfig: { temperature: 0 },
      },
    ]);
  });
});

test('unfinished and very long scripts end in time', () => {
  for (const text of [chromeFetch])
    for (let length = 5; length < text.length; length += 7) find(text.slice(0, length));
  for (const text of [
    `x = ${'['.repeat(100_000)}`,
    `generate_content(contents=${'f('.repeat(50_000)}`,
    `a = {'contents': [b, b]}\nb = [c, c]\n${Array.from({ length: 40 }, (_, i) => `${'cdefghijkl'[i % 10]}${i}= [x]\n`).join('')}`,
    `${Array.from({ length: 40 }, (_, i) => `v${i} = [v${i + 1}, v${i + 1}]\n`).join('')}a = {'contents': v0}`,
    `fetch("${url}", {body: ${'`${'.repeat(30_000)}`,
    `Invoke-WebRequest -Body "${'$('.repeat(50_000)}`,
    'fetch({'.repeat(20_000),
    'a: '.repeat(50_000),
    `{'contents': [None, ${"{'text': 'é'},".repeat(50_000)}]}`,
  ]) {
    const before = performance.now();
    find(text);
    const took = performance.now() - before;
    assert.ok(took < 10_000, `${text.slice(0, 40)}: ${took} ms`);
  }
});
