// The provider of `prompt-strata/ai-sdk` behind the AI SDK itself, against the strict emulator: every turn of the model
// returns byte for byte on both APIs, and what Gemini would refuse is not sent.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import {
  convertToModelMessages,
  createProviderRegistry,
  generateText,
  isStepCount,
  Output,
  readUIMessageStream,
  streamText,
  tool,
} from 'ai';
import { createPromptStrata } from 'prompt-strata/ai-sdk';
import { createEmulator } from 'prompt-strata/testing';
import * as z from 'zod';
import { root } from '../../scripts/setup/run.mjs';
import { examplesIn } from './examples-in-docs.mjs';

const run = promisify(execFile);
const modelId = 'gemini-3.8-flash';
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Returns a provider with an emulator that checks signatures, and the bodies that it was sent. */
function setup(options = {}, emulatorOptions = {}) {
  const emulator = createEmulator({ checkSignatures: true, ...emulatorOptions });
  const bodies = [];
  const fetch = async (input, init) => {
    const request = new Request(input, init);
    bodies.push(await request.clone().text());
    return emulator(request);
  };
  return { gemini: createPromptStrata({ fetch, retry: false, ...options }), bodies };
}

const weather = tool({
  description: 'The weather in a city',
  inputSchema: z.object({ city: z.string(), unit: z.string().default('celsius') }),
  execute: ({ city }) => ({ city, celsius: 4 }),
});
const question = 'How is the weather in Paris and Rome?';

/** Returns the turns of the model that messages hold, as the provider kept them. */
const keptTurns = (messages) =>
  messages
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) => content.at(-1).providerOptions.promptStrata.turn);

const textOfError = (parts) => parts.find(({ type }) => type === 'error')?.error;

for (const wire of ['generateContent', 'interactions']) {
  test(`${wire}: parallel calls, a second turn and an object repeat the API's bytes`, async () => {
    const { gemini, bodies } = setup({ wire });
    const options = {
      model: gemini(modelId),
      instructions: 'You know the weather.',
      tools: { get_weather: weather },
      stopWhen: isStepCount(4),
    };
    const messages = [{ role: 'user', content: question }];
    const first = await generateText({ ...options, messages });
    messages.push(...first.responseMessages);
    assert.deepEqual(
      first.steps.map(({ finishReason, toolCalls }) => [finishReason, toolCalls.length]),
      [
        ['tool-calls', 2],
        ['stop', 0],
      ],
    );
    assert.match(first.text, /Paris.*Rome/);
    assert.deepEqual(first.warnings, []);
    assert.ok(first.totalUsage.inputTokens > 0 && first.totalUsage.outputTokens > 0);

    messages.push({
      role: 'user',
      content: [{ type: 'text', text: 'And in Oslo and Bergen, weather?' }],
    });
    const second = streamText({ ...options, messages });
    const pieces = [];
    for await (const piece of second.textStream) pieces.push(piece);
    assert.ok(pieces.length > 1);
    messages.push(...(await second.responseMessages));

    const file = { type: 'file', mediaType: 'image', data: png };
    messages.push({ role: 'user', content: [{ type: 'text', text: 'What is this?' }, file] });
    const output = Output.object({ schema: z.object({ city: z.string() }) });
    const third = await generateText({ ...options, messages, output });
    assert.equal(typeof third.output.city, 'string');

    const turns = keptTurns(messages);
    assert.equal(turns.length, 4);
    const inArray = (turn) => (wire === 'interactions' ? turn.slice(1, -1) : turn);
    for (const turn of turns) assert.ok(bodies.at(-1).includes(inArray(turn)), turn);
    assert.ok(bodies.at(-1).includes(png.toString('base64')));
    assert.ok(bodies.at(-1).includes('image/png'));
    assert.equal(bodies.length, 5);
  });
}

test('a page keeps the turn: UI messages, and back to the prompt', async () => {
  const { gemini, bodies } = setup();
  const options = {
    model: gemini(modelId),
    tools: { get_weather: weather },
    stopWhen: isStepCount(4),
  };
  const user = { id: '1', role: 'user', parts: [{ type: 'text', text: question }] };
  const first = streamText({ ...options, messages: await convertToModelMessages([user]) });
  let answer;
  for await (const message of readUIMessageStream({ stream: first.toUIMessageStream() }))
    answer = message;
  const more = { id: '3', role: 'user', parts: [{ type: 'text', text: 'Thanks' }] };
  // As a page sends it, and a server reads it.
  const stored = JSON.parse(JSON.stringify([user, answer, more]));
  const messages = await convertToModelMessages(stored);
  await generateText({ ...options, messages });
  const turns = keptTurns(messages);
  assert.equal(turns.length, 2);
  for (const turn of turns) assert.ok(bodies.at(-1).includes(turn), turn);
});

test('a message that was changed is a new Content, with the signatures that still belong to it', async () => {
  const { gemini, bodies } = setup();
  const options = { model: gemini(modelId), tools: { get_weather: weather } };
  const first = await generateText({ ...options, prompt: question });
  const messages = [{ role: 'user', content: question }, ...first.responseMessages];
  messages[1].content.unshift({ type: 'text', text: 'I will look.' });
  await generateText({ ...options, messages });
  const [, model] = JSON.parse(bodies.at(-1)).contents;
  assert.deepEqual(
    model.parts.map(({ text, functionCall, thoughtSignature }) => [
      text ?? functionCall.name,
      thoughtSignature !== undefined,
    ]),
    [
      ['I will look.', false],
      ['get_weather', true],
      ['get_weather', false],
    ],
  );
});

test("what the API would refuse is an error with the rule and the message's place, and is not sent", async () => {
  const { gemini, bodies } = setup();
  const model = gemini(modelId);
  const call = {
    type: 'tool-call',
    toolCallId: 'a',
    toolName: 'get_weather',
    input: { city: 'Oslo' },
  };
  const output = { type: 'json', value: { celsius: 4 } };
  const result = { type: 'tool-result', toolCallId: 'a', toolName: 'get_weather', output };
  const messages = [
    { role: 'user', content: 'How is the weather?' },
    { role: 'assistant', content: [call] },
    { role: 'tool', content: [result] },
  ];
  await assert.rejects(generateText({ model, messages, tools: { get_weather: weather } }), {
    code: 'signature.missing',
    message: /^messages\[1\]: /,
  });
  await assert.rejects(
    generateText({ model, prompt: 'Hi', temperature: 9 }),
    ({ code, message }) => code.startsWith('config.') && message.includes('temperature'),
  );
  const late = [
    { role: 'user', content: 'Hi' },
    { role: 'system', content: 'Be brief.' },
  ];
  await assert.rejects(generateText({ model, messages: late, allowSystemInMessages: true }), {
    code: 'field.invalid',
    message: /^messages\[1\]: Gemini has no system messages/,
  });
  const audio = { type: 'file', mediaType: 'audio', data: new Uint8Array([1, 2, 3, 4]) };
  await assert.rejects(
    generateText({ model, messages: [{ role: 'user', content: [audio] }] }),
    /^StrataError: messages\[0\]\.content\[0\]: .*media type/,
  );
  assert.equal(bodies.length, 0);
});

const chunk = (parts, more = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
});

test('thoughts, files, code, sources and the order of parts', async () => {
  const groundingChunks = [
    { web: { uri: 'https://example.com/a', title: 'A' } },
    { web: { uri: 'https://example.com/a', title: 'A' } },
  ];
  const data = png.toString('base64');
  const chunks = [
    chunk([{ text: 'I should draw.', thought: true }]),
    chunk([{ text: 'Here: ' }]),
    chunk([{ inlineData: { mimeType: 'image/png', data }, thoughtSignature: 'c2ln' }]),
    chunk([{ executableCode: { id: 'x', language: 'PYTHON', code: '1+1' } }]),
    chunk([{ codeExecutionResult: { id: 'x', outcome: 'OUTCOME_OK', output: '2' } }]),
    chunk([{ text: 'Two.' }], { finishReason: 'STOP', groundingMetadata: { groundingChunks } }),
  ];
  const respond = () => ({ chunks });
  const { gemini, bodies } = setup({}, { respond, checkSignatures: false });
  const streamed = streamText({ model: gemini(modelId), prompt: 'Draw' });
  const types = [];
  for await (const { type } of streamed.fullStream) types.push(type);
  assert.deepEqual(
    types.filter((type) => !/delta|step|^start$|^finish$/.test(type)),
    [
      'reasoning-start',
      'reasoning-end',
      'text-start',
      'text-end',
      'file',
      'tool-call',
      'tool-result',
      'text-start',
      'text-end',
      'source',
    ],
  );
  const messages = [{ role: 'user', content: 'Draw' }];
  const result = await generateText({ model: gemini(modelId), messages });
  assert.equal(result.reasoningText, 'I should draw.');
  assert.equal(result.text, 'Here: Two.');
  assert.equal(result.files[0].mediaType, 'image/png');
  assert.deepEqual(
    result.sources.map(({ url }) => url),
    ['https://example.com/a'],
  );
  messages.push(...result.responseMessages, { role: 'user', content: 'Again' });
  await generateText({ model: gemini(modelId), messages });
  assert.ok(bodies.at(-1).includes('"executableCode":{"id":"x"'));
  assert.ok(bodies.at(-1).includes('"thoughtSignature":"c2ln"'));
});

const answers = [
  ['MAX_TOKENS', [{ text: 'Half' }], 'length'],
  ['SAFETY', [{ text: 'No' }], 'content-filter'],
  ['OTHER', [{ text: 'Hm' }], 'other'],
  ['MALFORMED_FUNCTION_CALL', [], 'error'],
];
for (const [finishReason, parts, unified] of answers) {
  test(`${finishReason} is ${unified}`, async () => {
    const { gemini } = setup({}, { respond: () => ({ chunks: [chunk(parts, { finishReason })] }) });
    const result = await generateText({ model: gemini(modelId), prompt: 'Hi' });
    assert.equal(result.finishReason, unified);
    assert.equal(result.rawFinishReason, finishReason);
    assert.equal(result.text, parts[0]?.text ?? '');
  });
}

test('settings become fields of the API, and what it does not have is a warning', async () => {
  const { gemini, bodies } = setup();
  const search = {
    type: 'provider',
    id: 'google.google_search',
    args: {},
    isProviderExecuted: true,
  };
  const settings = {
    maxOutputTokens: 900,
    temperature: 1,
    topP: 0.9,
    topK: 20,
    seed: 7,
    stopSequences: ['END'],
  };
  const { warnings } = await generateText({
    model: gemini(modelId),
    prompt: 'Hi',
    ...settings,
    reasoning: 'max',
    tools: { google_search: search },
    providerOptions: {
      google: { thinkingConfig: { includeThoughts: true }, cachedContent: 'cachedContents/a' },
      promptStrata: { generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' } },
    },
  });
  const { generationConfig, tools } = JSON.parse(bodies[0]);
  assert.deepEqual(tools, [{ googleSearch: {} }]);
  assert.deepEqual(generationConfig, {
    ...settings,
    thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' },
    mediaResolution: 'MEDIA_RESOLUTION_LOW',
  });
  assert.deepEqual(
    warnings.filter(({ type }) => type !== 'other').map(({ type, feature }) => [type, feature]),
    [
      ['unsupported', 'providerOptions.cachedContent'],
      ['compatibility', "reasoning: 'max'"],
    ],
  );
});

test('tool choices, strict tools and results of every kind', async () => {
  const { gemini, bodies } = setup();
  const model = gemini(modelId);
  const base = {
    description: 'The weather in a city',
    inputSchema: z.object({ city: z.string() }),
  };
  const outputs = [
    [{ type: 'text', value: 'Cold' }, { output: 'Cold' }],
    [{ type: 'error-text', value: 'Down' }, { error: 'Down' }],
    [{ type: 'error-json', value: { code: 5 } }, { error: { code: 5 } }],
    [{ type: 'content', value: [{ type: 'text', text: 'A map' }] }, { output: 'A map' }],
  ];
  for (const [output, response] of outputs) {
    const weatherTool = tool({
      ...base,
      strict: true,
      execute: () => 'x',
      toModelOutput: () => output,
    });
    const prompt = 'How is the weather in Oslo?';
    await generateText({
      model,
      prompt,
      tools: { get_weather: weatherTool },
      stopWhen: isStepCount(2),
    });
    const { contents, toolConfig } = JSON.parse(bodies.at(-1));
    assert.deepEqual(contents[2].parts[0].functionResponse.response, response);
    assert.equal(toolConfig.functionCallingConfig.mode, 'VALIDATED');
  }
  for (const [toolChoice, expected] of [
    ['none', { mode: 'NONE' }],
    ['required', { mode: 'ANY' }],
    [
      { type: 'tool', toolName: 'get_weather' },
      { mode: 'ANY', allowedFunctionNames: ['get_weather'] },
    ],
  ]) {
    await generateText({ model, prompt: 'Oslo', tools: { get_weather: weather }, toolChoice });
    assert.deepEqual(JSON.parse(bodies.at(-1)).toolConfig.functionCallingConfig, expected);
  }
});

test('an abort ends the request, before and while the answer streams', async () => {
  const { gemini } = setup();
  const model = gemini(modelId);
  const before = AbortSignal.abort();
  await assert.rejects(generateText({ model, prompt: 'Hi', abortSignal: before }), {
    name: 'AbortError',
  });
  const controller = new AbortController();
  const parts = [];
  const { fullStream } = streamText({ model, prompt: 'Hi', abortSignal: controller.signal });
  for await (const part of fullStream) {
    parts.push(part.type);
    if (part.type === 'text-delta') controller.abort();
  }
  assert.equal(parts.at(-1), 'abort');
});

test('errors of the API are GeminiErrors, in a stream too', async () => {
  const { gemini } = setup({}, { faults: [{ kind: 'http429' }, { at: 2, kind: 'cut-stream' }] });
  const model = gemini(modelId);
  await assert.rejects(generateText({ model, prompt: 'Hi' }), { code: 'api.RESOURCE_EXHAUSTED' });
  const parts = [];
  const { fullStream } = streamText({ model, prompt: 'Hi', onError() {} });
  for await (const part of fullStream) parts.push(part);
  assert.equal(textOfError(parts).code, 'answer.cut');
});

test('a registry, headers of a call, and wrong options', async () => {
  const seen = [];
  const emulator = createEmulator();
  const fetch = (input, init) => {
    seen.push(new Request(input, init).headers.get('x-trace'));
    return emulator(input, init);
  };
  const registry = createProviderRegistry({
    gemini: createPromptStrata({ fetch, headers: { 'x-trace': 'all' } }),
  });
  const model = registry.languageModel(`gemini:${modelId}`);
  await generateText({ model, prompt: 'Hi' });
  await generateText({ model, prompt: 'Hi', headers: { 'x-trace': 'one' } });
  assert.deepEqual(seen, ['all', 'one']);
  assert.throws(() => createPromptStrata({ baseURL: 'x' }), { code: 'field.unknown' });
  assert.throws(() => createPromptStrata({ wire: 'live' }), { code: 'field.invalid' });
  assert.throws(() => createPromptStrata().embeddingModel('x'), { code: 'field.invalid' });
  const keys = ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'];
  assert.ok(keys.every((name) => process.env[name] === undefined));
  await assert.rejects(generateText({ model: createPromptStrata()(modelId), prompt: 'Hi' }), {
    code: 'key.missing',
  });
});

// docs.test.mjs and docs-types.test.mjs run and compile the other examples: the types of the AI SDK would cost them
// more time than all others.
for (const { code, name, promised } of examplesIn('docs/next-and-react.md', 'js ai')) {
  test(`${name} prints what the page says`, async () => {
    const folder = join(root, 'build', 'examples');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${name}.mjs`);
    writeFileSync(file, code);
    const { stdout } = await run(process.execPath, [file]);
    assert.ok(promised.length > 0);
    assert.deepEqual(stdout.trimEnd().split('\n'), promised);
  });
}
