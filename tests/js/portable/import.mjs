// Imports histories of other clients: the same thread from every format, with a diagnostic for each value that is
// hidden, dropped, or replaced.
import { deepEqual, equal, match, ok, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = '2026-11-21T10:00:00Z';
const decode = (bytes) => new TextDecoder().decode(bytes);
const signature = 'c2lnbmVkIGJ5IHRoZSBtb2RlbA==';
const codes = ({ diagnostics }) => diagnostics.map(({ code }) => code);
const places = ({ diagnostics }) => diagnostics.map(({ code, path }) => `${code} ${path}`);

/** Returns what opens a history of any client: its thread, and what the conversion has found. */
async function opener(pkg) {
  const strata = await pkg.load();
  const checker = await pkg.check.loadChecker();
  return (
    from,
    { policy = 'reject', backend = 'gemini', model: name = model, ...options } = {},
  ) => {
    const service = { model: name, backend };
    const imported = checker.import(from, { ...service, ...options });
    return { imported, thread: strata.thread({ ...service, policy, from: imported.saved }) };
  };
}

async function opened(pkg, from, options = {}) {
  const open = await opener(pkg);
  return open(from, options);
}

const turnsOf = (thread) =>
  Array.from({ length: thread.length }, (_, i) => decode(thread.content(i)));

// The same step in every format: a question, two parallel calls (the first is signed), their results, and an
// answer.
const question = 'Weather and time?';
const answer = 'Clear, noon.';
const args = { city: 'Zürich', n: 1.5 };
const openai = [
  { role: 'user', content: question },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: 'c1',
        type: 'function',
        function: { name: 'weather', arguments: JSON.stringify(args) },
        extra_content: { google: { thought_signature: signature } },
      },
      { id: 'c2', type: 'function', function: { name: 'time', arguments: '{}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: '{"sky":"clear"}' },
  { role: 'tool', tool_call_id: 'c2', content: '{"at":"noon"}' },
  { role: 'assistant', content: answer },
];

const providerOptions = { google: { thoughtSignature: signature } };
const toolResult = (toolCallId, toolName, value) => ({
  type: 'tool-result',
  toolCallId,
  toolName,
  output: { type: 'json', value },
});
const aiSdk = [
  { role: 'user', content: [{ type: 'text', text: question }] },
  {
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: args, providerOptions },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'time', input: {} },
    ],
  },
  {
    role: 'tool',
    content: [
      toolResult('c1', 'weather', { sky: 'clear' }),
      toolResult('c2', 'time', { at: 'noon' }),
    ],
  },
  { role: 'assistant', content: [{ type: 'text', text: answer }] },
];

const python = [
  { parts: [{ text: question, thought: null }], role: 'user' },
  {
    parts: [
      { function_call: { id: 'c1', name: 'weather', args }, thought_signature: signature },
      { function_call: { id: 'c2', name: 'time', args: {} }, thought_signature: null },
    ],
    role: 'model',
  },
  {
    parts: [
      { function_response: { id: 'c1', name: 'weather', response: { sky: 'clear' } } },
      { function_response: { id: 'c2', name: 'time', response: { at: 'noon' } } },
    ],
    role: 'user',
  },
  { parts: [{ text: answer }], role: 'model' },
];

// Two chunks of a stream.
const chunk = (...parts) => ({
  candidates: [{ content: { role: 'model', parts } }],
  model_version: model,
});
const [first, second] = python[1].parts;
const raw = [chunk(first), chunk(second)];
const pipe = (raw_response) => [
  { type: 'user_task', instruction: question },
  { type: 'function_calling', response: 'weather, time', raw_response },
  { type: 'tool_response', name: 'weather', response: { sky: 'clear' } },
  { type: 'tool_response', name: 'time', response: { at: 'noon' } },
  { type: 'model_response', content: answer },
];

// The format that js-genai stores.
const gemini = JSON.parse(
  JSON.stringify(python, (_, value) => (value === null ? undefined : value))
    .replaceAll('function_call"', 'functionCall"')
    .replaceAll('function_response', 'functionResponse')
    .replaceAll('thought_signature', 'thoughtSignature'),
);

// What LangChain stores of each message: its type, the end of its class, and its fields.
const langchain = [
  ['human', 'HumanMessage', { content: question }],
  [
    'ai',
    'AIMessage',
    {
      content: [
        {
          type: 'functionCall',
          functionCall: { name: 'weather', args },
          thoughtSignature: signature,
        },
        { type: 'functionCall', functionCall: { name: 'time', args: {} } },
      ],
      tool_calls: [
        { type: 'tool_call', id: 'c1', name: 'weather', args, thoughtSignature: signature },
        { type: 'tool_call', id: 'c2', name: 'time', args: {} },
      ],
      invalid_tool_calls: [],
      additional_kwargs: { finishReason: 'STOP' },
      response_metadata: { model_provider: 'google' },
    },
  ],
  ['tool', 'ToolMessage', { content: '{"sky":"clear"}', tool_call_id: 'c1', name: 'weather' }],
  ['tool', 'ToolMessage', { content: '{"at":"noon"}', tool_call_id: 'c2' }],
  ['AIMessageChunk', 'AIMessageChunk', { content: answer, tool_call_chunks: [] }],
];
const langchainForms = {
  constructors: langchain.map(([, name, kwargs]) => {
    const id = ['langchain_core', 'messages', name];
    return { lc: 1, type: 'constructor', id, kwargs };
  }),
  stored: langchain.map(([type, , data]) => ({ type, data })),
  flat: langchain.map(([type, , fields]) => ({ ...fields, type })),
};

const histories = {
  gemini,
  'gemini in a body': { contents: gemini },
  'python-genai': python,
  openai,
  'openai in a body': { messages: openai },
  'ai-sdk': aiSdk,
  'langchain, constructors': langchainForms.constructors,
  'langchain, stored messages': langchainForms.stored,
  'langchain in a state': { messages: langchainForms.flat },
  'raw_response as a value': pipe(raw),
  'raw_response as text': pipe(JSON.stringify(raw)),
  'raw_response as a list of texts': pipe(raw.map((one) => JSON.stringify(one))),
  'raw_response as one response': pipe(chunk(first, second)),
  'turns of a session': { turns: pipe(raw) },
};

const shapeOf = (thread) =>
  turnsOf(thread).map((text) => {
    const { role, parts } = JSON.parse(text);
    return { role, parts };
  });

const forms = [
  {
    name: 'imports the same thread from the history of every client',
    async run(pkg) {
      for (const [what, history] of Object.entries(histories)) {
        for (const from of [history, JSON.stringify(history, null, 1)]) {
          const { thread, imported } = await opened(pkg, from);
          deepEqual(shapeOf(thread), gemini, what);
          deepEqual(thread.report(), { ok: true, diagnostics: [] }, what);
          deepEqual(JSON.parse(decode(imported.contentsJson)), imported.contents, what);
          deepEqual(
            imported.contents,
            turnsOf(thread).map((turn) => JSON.parse(turn)),
            what,
          );
        }
      }
    },
  },
  {
    name: 'uses the given format, and reports the path where a history does not match it',
    async run(pkg) {
      const given = { gemini, openai, 'ai-sdk': aiSdk, langchain: langchainForms.stored };
      for (const [format, from] of Object.entries(given)) {
        equal((await opened(pkg, from, { format })).thread.length, 4, format);
      }
      equal((await opened(pkg, pipe(raw), { format: 'raw_response' })).thread.length, 4);
      const open = await opener(pkg);
      const openError = ({ from, ...options }) => throws(() => open(from, options));
      equal(openError({ from: aiSdk, format: 'raw_response' }).diagnostics[0].path, '/0/type');
      equal(openError({ from: openai, format: 'anthropic' }).diagnostics[0].path, '/format');
      const broken = openError({ from: [{ role: 'assistant', tool_calls: [{ id: 'x' }] }] });
      equal(broken.name, 'HistoryError');
      equal(broken.diagnostics[0].path, '/0/tool_calls/0');
    },
  },
  {
    name: 'names the format that it read, and what showed it, in errors',
    async run(pkg) {
      const open = await opener(pkg);
      const messageOf = ({ from, ...options }) =>
        throws(() => open(from, options)).diagnostics[0].message;
      const messages = [...openai, { role: 'robot', content: '' }];
      equal(
        messageOf({ from: { messages } }),
        'role must be one of system, developer, user, assistant, tool and function. It was read as ' +
          'OpenAI messages, because /messages/1 has `tool_calls`; set `format` to choose another one.',
      );
      match(
        messageOf({ from: [...langchainForms.flat, { type: 'robot', content: '' }] }),
        /read as LangChain messages, because \/0 has the type `human`; set `format`/,
      );
      match(
        messageOf({ from: openai, format: 'langchain' }),
        /read as LangChain messages, as `format` says\.$/,
      );
      match(messageOf({ from: {} }), /read as Contents, since nothing shows another format;/);
    },
  },
  {
    name: 'reads `null` and nothing as no arguments of an OpenAI call',
    async run(pkg) {
      for (const given of ['null', ' null', '', null, undefined]) {
        const call = { id: 'c', type: 'function', function: { name: 'f', arguments: given } };
        const from = [
          { role: 'user', content: question },
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: 'c', content: 'done' },
        ];
        const { thread, imported } = await opened(pkg, from, { signatures: 'dummy' });
        const [part] = JSON.parse(decode(thread.content(1))).parts;
        deepEqual(part.functionCall, { id: 'c', name: 'f', args: {} }, given);
        deepEqual(codes(imported), [], given);
        equal(thread.report().ok, true);
      }
    },
  },
  {
    name: 'saves, loads, forks, and sends an imported thread',
    async run(pkg) {
      const strata = await pkg.load();
      const checker = await pkg.check.loadChecker();
      for (const [what, from] of Object.entries(histories)) {
        const { saved } = checker.import(from, { model });
        const thread = strata.thread({ model, from: saved, sequencing: 'api' });
        const loaded = strata.thread({ model, from: thread.save() });
        deepEqual(turnsOf(loaded), turnsOf(thread), what);
        deepEqual(loaded.report(), { ok: true, diagnostics: [] }, what);
        deepEqual(turnsOf(thread.fork(2)), turnsOf(thread).slice(0, 2), what);
        const request = { now, trigger: 'And tomorrow?', dynamic: { text: '' } };
        const { body } = thread.assemble(request);
        equal(checker.lint(body, { model }).ok, true, what);
        ok(decode(body).includes(signature), what);
        deepEqual(loaded.assemble(request).body, body, what);
      }
    },
  },
  {
    name: 'keeps numbers, key order, and escapes of arguments byte for byte',
    async run(pkg) {
      const spelled = '{"zeta":9007199254740993,"10":1.0,"a":"\\u0041\\/"}';
      const texts = [
        `[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":${JSON.stringify(spelled)}}}]}]`,
        `[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c","toolName":"f","input":${spelled}}]}]`,
        `[{"role":"model","parts":[{"function_call":{"name":"f","args":${spelled}}}]}]`,
        `[{"type":"ai","data":{"content":"","tool_calls":[{"id":"c","name":"f","args":${spelled}}]}}]`,
        `[{"type":"function_calling","response":"f","raw_response":${JSON.stringify(`[{"candidates":[{"content":{"parts":[{"function_call":{"name":"f","args":${spelled}}}]}}]}]`)}}]`,
      ];
      for (const from of texts) {
        const { thread } = await opened(pkg, from, { policy: 'warn' });
        ok(decode(thread.content(0)).includes(`"args":${spelled}`), decode(thread.content(0)));
      }
    },
  },
];

const reported = [
  {
    name: 'returns the system text and reports it',
    async run(pkg) {
      const { imported } = await opened(pkg, [{ role: 'system', content: 'Be kind.' }, ...openai]);
      equal(imported.systemText, 'Be kind.');
      deepEqual(places(imported), ['import.system_text /0']);
      equal((await opened(pkg, openai)).imported.systemText, '');
    },
  },
  {
    name: 'reads a system instruction in each form that the SDKs accept',
    async run(pkg) {
      const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
      for (const given of ['Be kind.', { text: 'Be kind.' }, ['Be kind.']]) {
        const config = { systemInstruction: given, temperature: 1 };
        const alone = await opened(pkg, { systemInstruction: given, contents });
        equal(alone.imported.systemText, 'Be kind.');
        const { imported } = await opened(pkg, { contents, config });
        equal(imported.systemText, 'Be kind.');
        equal(places(imported).includes('import.left_out /config/temperature'), true);
      }
    },
  },
  {
    name: 'imports the plain text when raw_response is unusable, and reports it',
    async run(pkg) {
      const unusable = ['oops', '{}', [], [{}], { candidates: [] }, 5, chunk({})];
      const garbled = chunk({ text: 'signed', thought_signature: 'a' });
      for (const raw_response of [...unusable, garbled]) {
        const turn = { type: 'model_response', content: 'plain', raw_response };
        const from = [{ type: 'user_task', instruction: 'x' }, turn];
        const { thread, imported } = await opened(pkg, from);
        deepEqual(shapeOf(thread)[1], { role: 'model', parts: [{ text: 'plain' }] });
        deepEqual(places(imported), ['import.text_fallback /1/raw_response']);
      }
    },
  },
  {
    name: 'joins the texts of a stream and keeps a signed text as a separate part',
    async run(pkg) {
      const raw_response = [
        chunk({ text: 'Hel', thought: null }),
        chunk({ text: 'lo', thought: null }),
        chunk({ text: '', thought_signature: signature }),
      ];
      const turn = { type: 'model_response', content: 'Hello', raw_response };
      const { thread } = await opened(pkg, [{ type: 'user_task', instruction: 'x' }, turn]);
      const parts = [{ text: 'Hello' }, { text: '', thoughtSignature: signature }];
      deepEqual(shapeOf(thread)[1].parts, parts);
    },
  },
  {
    name: 'imports files given as bytes as inlineData',
    async run(pkg) {
      const bytes = new Uint8Array([137, 80, 78, 71, 13, 10]);
      const content = [
        { type: 'image', image: bytes },
        { type: 'file', data: bytes.buffer, mediaType: 'image/png' },
        { type: 'image', image: new URL('https://example.com/a.png') },
      ];
      const { thread } = await opened(pkg, [{ role: 'user', content }]);
      const [{ parts }] = shapeOf(thread);
      const inlineData = { mimeType: 'image/png', data: 'iVBORw0K' };
      const fileData = { mimeType: 'image/png', fileUri: 'https://example.com/a.png' };
      deepEqual(parts, [{ inlineData }, { inlineData }, { fileData }]);
    },
  },
];

const vertex = structuredClone(aiSdk);
vertex[1].content[0].providerOptions = { vertex: { thoughtSignature: signature } };
vertex.pop();

const foreign = [
  {
    name: 'rejects, keeps, strips, or replaces signatures of another service, as the options say',
    async run(pkg) {
      const open = await opener(pkg);
      const from = vertex;
      throws(() => open(from), { name: 'HistoryError', code: 'signature.foreign' });
      const { thread: kept } = open(from, { policy: 'warn' });
      ok(turnsOf(kept)[1].includes(signature));
      equal(open(from, { backend: 'vertex' }).thread.report().ok, true);
      throws(() => open(from, { signatures: 'strip' }), { code: 'signature.missing' });
      const { thread: filled, imported } = open(from, { signatures: 'dummy' });
      ok(!turnsOf(filled)[1].includes(signature));
      equal(shapeOf(filled)[1].parts[0].thoughtSignature, 'skip_thought_signature_validator');
      equal(shapeOf(filled)[1].parts[1].thoughtSignature, undefined);
      deepEqual(codes(imported), ['import.left_out']);
      deepEqual(codes(filled.report()), ['signature.dummy']);
    },
  },
  {
    name: 'saves the origin of a signature with its turn',
    async run(pkg) {
      const open = await opener(pkg);
      const saved = open(vertex, { backend: 'vertex' }).thread.save();
      match(decode(saved).split('\n')[1], /"meta":\{"backend":"vertex"\}/);
      throws(() => open(saved), { code: 'signature.foreign' });
      equal(open(saved, { signatures: 'dummy' }).thread.report().ok, true);
      const signaturesFrom = { backend: 'vertex' };
      throws(() => open(gemini, { signaturesFrom }), { code: 'signature.foreign' });
    },
  },
  {
    name: 'fills missing signatures in the history of another vendor with placeholders, if requested',
    async run(pkg) {
      const open = await opener(pkg);
      const from = structuredClone(openai).slice(0, 4);
      delete from[1].tool_calls[0].extra_content;
      throws(() => open(from), { code: 'signature.missing' });
      equal(open(from, { signatures: 'dummy' }).thread.report().ok, true);
      equal(open(from, { model: 'gemini-2.5-pro' }).thread.report().ok, true);
    },
  },
];

const lossless = [
  {
    name: 'imports the plain text when a chunk of raw_response is not JSON',
    async run(pkg) {
      const raw_response = [JSON.stringify(chunk({ text: 'hel' })), '{broken'];
      const { thread, imported } = await opened(pkg, [
        { type: 'user_task', instruction: question },
        { type: 'model_response', content: 'hello', raw_response },
      ]);
      match(turnsOf(thread)[1], /"text":"hello"/);
      ok(codes(imported).includes('import.text_fallback'));
    },
  },
  {
    name: 'ignores members that are null',
    async run(pkg) {
      const audio = {
        type: 'input_audio',
        image_url: null,
        input_audio: { data: 'aGk=', format: 'wav' },
      };
      const { thread } = await opened(pkg, [{ role: 'user', content: [audio] }]);
      match(turnsOf(thread)[0], /"inlineData":\{"mimeType":"audio\/wav","data":"aGk="\}/);
    },
  },
  {
    name: 'replaces a null signature with a placeholder',
    async run(pkg) {
      const strata = await pkg.load();
      const warned = strata.thread({ model, policy: 'warn' });
      warned.append({ role: 'user', parts: [{ text: question }] });
      const functionCall = { name: 'weather', args };
      warned.append({ role: 'model', parts: [{ functionCall, thoughtSignature: null }] });
      const { thread } = await opened(pkg, warned.save(), { signatures: 'dummy' });
      const [part] = JSON.parse(turnsOf(thread)[1]).parts;
      deepEqual(Object.keys(part), ['functionCall', 'thoughtSignature']);
      equal(typeof part.thoughtSignature, 'string');
    },
  },
];

export default [...forms, ...reported, ...foreign, ...lossless];
