// One test for each fact about requests that recordings and reports show; each names its source. Ids are those of
// recorded exchanges.
import { deepEqual, equal, ok } from './assert.mjs';

const user = (...parts) => ({ role: 'user', parts });
const model = (...parts) => ({ role: 'model', parts });
const text = (value) => ({ text: value });
const call = (name, id, signature = 'c2ln') => ({
  functionCall: { ...(id && { id }), name, args: {} },
  ...(signature && { thoughtSignature: signature }),
});
const result = (name, id) => ({ functionResponse: { ...(id && { id }), name, response: {} } });
const hello = [user(text('Hi'))];
const answered = [user(text('Hi')), model(call('f')), user(result('f'))];
const functions = { functionDeclarations: [{ name: 'f' }] };
const flash = { model: 'gemini-2.5-flash' };
const newest = { model: 'gemini-3.8-flash' };
const vertex = (options) => ({ ...options, backend: 'vertex' });
const inline = (mimeType) => ({ inlineData: { mimeType, data: 'AAAA' } });
const withParts = (...parts) => [
  ...answered.slice(0, 2),
  user({ functionResponse: { name: 'f', response: {}, parts } }),
];
const config = (generationConfig) => ({ contents: hello, generationConfig });

const worst = ({ diagnostics }, code) =>
  diagnostics.find((one) => one.code === code)?.severity ?? 'none';

/** Requests that pass: none of them has an error, and repair changes none. */
const passes = [
  [
    'text behind results, 3.6+, Gemini API (router-for-me/CLIProxyAPI#5607)',
    newest,
    { contents: [...answered.slice(0, 2), user(result('f'), text('And?'))] },
  ],
  [
    'penalties of 0 (google-gemini/cookbook#1290; 05cb50d28b5a0b88)',
    flash,
    config({ presencePenalty: 0, frequencyPenalty: 0 }),
  ],
  [
    'penalties on 2.0 (d5b362faea85e792)',
    { model: 'gemini-2.0-flash' },
    config({ presencePenalty: 0.5 }),
  ],
  [
    'computerUse beside functions (python-genai, test_computer_use_override_default_function)',
    newest,
    { contents: hello, tools: [functions, { computerUse: {} }] },
  ],
  [
    'a Part of thought: true (python-genai, test_chat_tools_empty_thoughts)',
    newest,
    { contents: [...hello, model({ thought: true }, text('a')), ...hello] },
  ],
  [
    'continuationToken at the top level (python-genai)',
    newest,
    { contents: hello, continuationToken: 'a' },
  ],
  ['a single tool (b3638ae15d24cf0a)', newest, { contents: hello, tools: functions }],
  ['a single Part (0b862302791da2d5)', newest, { contents: [{ role: 'user', parts: text('Hi') }] }],
  ['a single Content', newest, { contents: { role: 'user', parts: text('Hi') } }],
  [
    'a Part of nothing but a signature (a4b5c3f538b7adde)',
    newest,
    {
      contents: [...hello, model({ thought: true, thoughtSignature: 'c2ln' }, text('a')), ...hello],
    },
  ],
  [
    'the same on Vertex AI (a5ae94ec7672d108)',
    vertex(newest),
    { contents: [...hello, model(text('a'), { thoughtSignature: 'c2ln' }), ...hello] },
  ],
  [
    'a Part of nothing but videoMetadata (82e812dffd82a594)',
    newest,
    { contents: [user(text('a'), { videoMetadata: { fps: 1 } })] },
  ],
  [
    'server-side MCP in one Content (f7ae932f8894b738)',
    flash,
    {
      tools: [{ mcpServers: [{ name: 'm' }] }],
      contents: [...hello, model(call('f'), result('f'), text('a')), ...hello],
    },
  ],
  [
    'server-side MCP in several Contents (8be0c3c4638280ce)',
    flash,
    {
      tools: [{ mcpServers: [{ name: 'm' }] }],
      contents: [...hello, model(call('f')), model(result('f')), model(text('a')), ...hello],
    },
  ],
  [
    'two model Contents with calls on 3 Flash (e71e92b6ef3940e9)',
    { model: 'gemini-3-flash-preview' },
    {
      contents: [
        ...hello,
        model(call('f', '1')),
        model(call('g', '2')),
        user(result('f', '1'), result('g', '2')),
      ],
    },
  ],
  [
    'three result Contents on 2.5 (d2c226b73805e1a6)',
    flash,
    {
      contents: [
        ...hello,
        model(call('f'), call('g', '', '')),
        user(result('f')),
        user(result('g')),
      ],
    },
  ],
  [
    'text in place of a result on 2.5 (04ad8212d8b2d1fe)',
    { model: 'gemini-2.5-pro' },
    { contents: [...hello, model(call('f')), user(text('5'))] },
  ],
  [
    'the same on Vertex AI (98b81994e55a6d80)',
    vertex(flash),
    { contents: [...hello, model(call('f')), user(text('5'))] },
  ],
  [
    'a result without role on 2.5 (94743727e4874aba)',
    flash,
    { contents: [...answered.slice(0, 2), { parts: [result('f')] }] },
  ],
  [
    'user text right behind results (adc6c6f841c4a5ac)',
    { model: 'gemini-3.6-flash' },
    { contents: [...answered, user(text('And?'))] },
  ],
  [
    'role function on 2.5 (93feeecc97c40315)',
    flash,
    { contents: [...answered.slice(0, 2), { role: 'function', parts: [result('f')] }] },
  ],
  [
    'role function on 3 Pro, Vertex AI (b7d346dcd0332dec)',
    vertex({ model: 'gemini-3-pro-preview' }),
    { contents: [...answered.slice(0, 2), { role: 'function', parts: [result('f')] }] },
  ],
  [
    'mediaProcessing (recordings of September 2026)',
    vertex(newest),
    { contents: [user(text('a'), { ...inline('video/mp4'), mediaProcessing: 'AGENTIC' })] },
  ],
  [
    'an Office file for Hydrogen, inside a functionResponse (guide gemini-4-hydrogen)',
    vertex({ model: 'gemini-4-hydrogen' }),
    { contents: withParts(inline('application/msword')) },
  ],
  [
    'the same id in two turns (Prism-Shadow/model-message-stream-protocol#223)',
    vertex(newest),
    {
      contents: [
        ...hello,
        model(call('f', 'call_1')),
        user(result('f', 'call_1')),
        model(call('f', 'call_1')),
        user(result('f', 'call_1')),
      ],
    },
  ],
  [
    'another name for a result on 2.5 (d0e8a08aca4abc5f)',
    flash,
    { contents: [...answered.slice(0, 2), user(result('call_1'))] },
  ],
  [
    'repeated ids within a step (30bf03e2d7decde1)',
    { model: 'gemini-2.0-flash' },
    {
      contents: [
        ...hello,
        model(call('f', 'f'), call('f', 'f', '')),
        user(result('f', 'f'), result('f', 'f')),
      ],
    },
  ],
  [
    'JSON beside tools on 2.0 (2887029d379541a4)',
    { model: 'gemini-2.0-flash' },
    { ...config({ responseMimeType: 'application/json' }), tools: [functions] },
  ],
  [
    'a cache without contents (276904b13684965c)',
    flash,
    {
      model: 'models/gemini-2.5-flash',
      ttl: '120s',
      systemInstruction: { role: 'model', parts: [text('a'.repeat(9000))] },
    },
  ],
  [
    'a nested countTokens request (68a2d45d1eaf7179)',
    newest,
    {
      generateContentRequest: {
        model: 'models/gemini-3.8-flash',
        contents: hello,
        systemInstruction: { parts: text('') },
      },
    },
  ],
];

/** Requests that are refused: the code, and Google's words. */
const refusals = [
  [
    'text behind results, 3.6+, Vertex AI (router-for-me/CLIProxyAPI#5607)',
    vertex(newest),
    { contents: [...answered.slice(0, 2), user(result('f'), text('And?'))] },
    'response.trailing_content',
    'Requests ending with a model turn are not supported.',
  ],
  [
    'penalties on 2.5 (5cd8baed59a4a27d)',
    flash,
    config({ presencePenalty: 0.1 }),
    'config.penalty_unsupported',
    'Penalty is not enabled for models/gemini-2.5-flash',
  ],
  [
    'several candidates on 3 (googleapis/js-genai#1609)',
    { model: 'gemini-3.1-flash-lite' },
    config({ candidateCount: 2 }),
    'config.candidate_count',
    'Multiple candidates is not enabled for this model',
  ],
  [
    'search beside functions on 2.5 (symfony/ai#803)',
    flash,
    { contents: hello, tools: [functions, { googleSearch: {} }] },
    'tools.mixed_without_flag',
    'Tool use with function calling is unsupported',
  ],
  [
    'the same on Vertex AI (litellm#26882)',
    vertex(flash),
    { contents: hello, tools: [functions, { googleSearch: {} }] },
    'tools.mixed_without_flag',
    'Multiple tools are supported only when they are all search tools.',
  ],
  [
    'a cache of a model without caches (facts, 13.4)',
    { model: 'gemini-4-argon' },
    { model: 'models/gemini-4-argon', ttl: '300s', contents: [user(text('a'.repeat(9000)))] },
    'cache.unsupported_model',
    /not supported for createCachedContent/,
  ],
  [
    'too many stop sequences (continue#2702)',
    newest,
    config({ stopSequences: ['a', 'b', 'c', 'd', 'e', 'f'] }),
    'config.stop_sequences',
    'the number of stop_sequences must not exceed 5',
  ],
  [
    'the same on Vertex AI (continue#7849)',
    vertex(flash),
    config({ stopSequences: [...'abcdefghij'] }),
    'config.stop_sequences',
    /^Unable to submit request because it has a stopSequences value of 10 but the supported range is from 1 \(inclusive\) to 6 \(exclusive\)/,
  ],
  [
    'maxOutputTokens out of range (bolt.diy#955)',
    newest,
    config({ maxOutputTokens: 655360 }),
    'config.output_tokens_range',
    /it has a maxOutputTokens value of 655360 but the supported range is/,
  ],
  [
    'maxOutputTokens of 0 (python-genai, test_max_output_tokens_zero)',
    vertex(flash),
    config({ maxOutputTokens: 0 }),
    'config.output_tokens_range',
    /maxOutputTokens value of 0/,
  ],
  [
    'log probabilities (python-genai)',
    flash,
    config({ responseLogprobs: true }),
    'config.logprobs_unsupported',
    'Logprobs is not enabled for models/gemini-2.5-flash',
  ],
  [
    'a system instruction for Gemma 3 (public code)',
    { model: 'gemma-3-27b-it' },
    { contents: hello, systemInstruction: { parts: [text('a')] } },
    'config.instruction_unsupported',
    'Developer instruction is not enabled for models/gemma-3-27b-it',
  ],
  [
    'audio for a model that does not hear (public code)',
    { model: 'gemma-3-27b-it' },
    { contents: [user({ inlineData: { mimeType: 'audio/wav', data: 'AAAA' } })] },
    'media.audio_unsupported',
    'Audio input modality is not enabled for this model',
  ],
  [
    'speech without AUDIO (e95b3accf7015607)',
    { model: 'gemini-2.5-flash-preview-tts' },
    { contents: hello },
    'config.modality_unsupported',
    /^The requested combination of response modalities \(TEXT\) is not supported by the model\./,
  ],
  [
    'JSON of an image model (36e08d10ed95e235)',
    { model: 'gemini-2.5-flash-image' },
    config({ responseMimeType: 'application/json' }),
    'config.json_mode_unsupported',
    'JSON mode is not enabled for models/gemini-2.5-flash-image',
  ],
  [
    'a forced call beside JSON (t3a15b5953c55e5e)',
    { model: 'gemini-3-flash-preview' },
    {
      ...config({ responseMimeType: 'application/json' }),
      tools: [functions],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    },
    'tools.json_mode_forced',
    "Forced function calling (ANY mode) with a response mime type: 'application/json' is unsupported",
  ],
  [
    'a temperature out of range (lthaath-alt/giasuhoa11)',
    { model: 'gemini-3.6-flash' },
    config({ temperature: 99 }),
    'config.temperature_range',
    '* GenerateContentRequest.generation_config.temperature: temperature must be in the range [0.0, 2.0].',
  ],
  [
    'a temperature out of range, Vertex AI (402150bdd2499067)',
    vertex(flash),
    config({ temperature: 1000 }),
    'config.temperature_range',
    /temperature value of 1000 but the supported range is from 0 \(inclusive\) to 2\.0001 \(exclusive\)/,
  ],
  [
    'gs:// on the Gemini API (googleapis/python-genai#71)',
    newest,
    { contents: [user({ fileData: { fileUri: 'gs://b/o.png', mimeType: 'image/png' } })] },
    'media.uri_unsupported',
    'Invalid or unsupported file uri: gs://b/o.png',
  ],
  [
    'a data: URL as fileUri (BoundaryML/baml#1548)',
    newest,
    {
      contents: [
        user({ fileData: { fileUri: 'data:image/png;base64,AA', mimeType: 'image/png' } }),
      ],
    },
    'media.uri_unsupported',
    'Invalid or unsupported file uri: data:image/png;base64,AA',
  ],
  [
    'a type without subtype (charmbracelet/crush#995)',
    newest,
    { contents: [user(inline('png'))] },
    'media.type_unsupported',
    'Unsupported MIME type: png',
  ],
  [
    'a type without subtype, Vertex AI (google/adk-python#2430)',
    vertex(flash),
    { contents: [user(inline('pdf'))] },
    'media.type_unsupported',
    'Unable to submit request because it has a mimeType parameter with value pdf, which is not supported. Update the mimeType and try again.',
  ],
  [
    'functionResponse.parts on 2.5 (google-gemini/gemini-cli#19436)',
    vertex(flash),
    { contents: withParts(inline('image/png')) },
    'response.parts_unsupported',
    'Unable to submit request because `function_response.parts` is not supported for this model.',
  ],
  [
    'text in functionResponse.parts (ChatLunaLab/chatluna#977)',
    newest,
    { contents: withParts(text('a')) },
    'field.unknown',
    /Unknown name "text" at 'contents\[2\]\.parts\[0\]\.function_response\.parts\[0\]'/,
  ],
  [
    'role function on 3.1, Vertex AI (crmne/ruby_llm#678)',
    vertex({ model: 'gemini-3.1-flash-lite-preview' }),
    { contents: [...answered.slice(0, 2), { role: 'function', parts: [result('f')] }] },
    'role.invalid',
    'Please use a valid role: user, model.',
  ],
  [
    'a signature on the thought before the call, Vertex AI (Prism-Shadow/model-message-stream-protocol#223)',
    vertex(newest),
    {
      contents: [
        ...hello,
        model({ thought: true, ...text('a'), thoughtSignature: 'c2ln' }, call('f', '', '')),
        user(result('f')),
      ],
    },
    'signature.missing',
    /is missing a `thought_signature`/,
  ],
  [
    'parallel calls with one id (Prism-Shadow/model-message-stream-protocol#223)',
    newest,
    {
      contents: [
        ...hello,
        model(call('f', '1'), call('g', '1', '')),
        user(result('f', '1'), result('g', '1')),
      ],
    },
    'call.duplicate_id',
    undefined,
  ],
  [
    'a lone surrogate, Vertex AI (vertesia/llumiverse#462)',
    vertex(newest),
    { contents: hello, tools: [{ functionDeclarations: [{ name: 'f', description: '\ud83d' }] }] },
    'text.lone_surrogate',
    'The input data is not valid json.',
  ],
  [
    'a wrong cachedContent name (51eeed951850eb35)',
    vertex(newest),
    { contents: hello, cachedContent: '1234567890' },
    'cache.name_invalid',
    'Invalid CachedContent name: 1234567890.',
  ],
  [
    'a built-in call without its signature (router-for-me/CLIProxyAPI#5652)',
    newest,
    {
      contents: [...hello, model({ toolCall: { id: '1' } }, call('f')), user(result('f'))],
      tools: [functions, { googleSearch: {} }],
      toolConfig: { includeServerSideToolInvocations: true },
    },
    'signature.missing_tool_call',
    'contents[1].parts[0]: Tool call part is missing thought_signature',
  ],
  [
    'store on Vertex AI (facts, 13.2)',
    vertex(newest),
    { contents: hello, store: false },
    'field.unknown',
    /Unknown name "store"/,
  ],
  [
    'a cache that is too small (67f83aff94d0ad08)',
    flash,
    { model: 'models/gemini-2.5-flash', ttl: '120s', systemInstruction: { parts: [text('a')] } },
    'cache.too_small',
    /^Cached content is too small\. total_token_count=\d+, min_total_token_count=\d+$/,
  ],
];

const passing = passes.map(([name, options, body]) => ({
  name: `passes: ${name}`,
  async run({ check: { loadChecker } }) {
    const checker = await loadChecker();
    const bytes = JSON.stringify(body);
    const errors = checker.lint(bytes, options).diagnostics.filter((d) => d.severity === 'error');
    deepEqual(errors, []);
    equal(new TextDecoder().decode(checker.repair(bytes, options).body), bytes);
  },
}));

const refused = refusals.map(([name, options, body, code, words]) => ({
  name: `refused: ${name}`,
  async run({ check: { loadChecker } }) {
    const { diagnostics } = (await loadChecker()).lint(body, options);
    const found = diagnostics.find((one) => one.code === code);
    equal(found?.severity, 'error', JSON.stringify(diagnostics));
    if (words instanceof RegExp) ok(words.test(found.upstream), found.upstream);
    else equal(found.upstream, words);
  },
}));

const others = [
  {
    name: 'takes the audio that a model for speech has spoken',
    async run({ load }) {
      const strata = await load();
      const thread = strata.thread({ model: 'gemini-2.5-flash-preview-tts', from: hello });
      thread.append(model(inline('audio/L16;codec=pcm;rate=24000')));
      equal(thread.report().ok, true);
    },
  },
  {
    name: 'takes an answer of Vertex AI that ends in an empty text, byte for byte',
    async run({ load }) {
      const strata = await load();
      const answer = JSON.stringify(model(text('a'), text('')));
      const thread = strata.thread({ ...vertex(newest), from: hello });
      thread.append(answer);
      equal(new TextDecoder().decode(thread.content(1)), answer);
      const { ok: isOk, diagnostics } = thread.assemble({
        now: '2026-11-22T00:00:00Z',
        trigger: 'b',
      });
      equal(isOk, false);
      deepEqual(
        diagnostics.map(({ code }) => code),
        ['text.empty'],
      );
    },
  },
  {
    name: 'repairs a lone surrogate on both services (vertesia/llumiverse#462)',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const body = { systemInstruction: { parts: [text('a\ud83d')] }, contents: hello };
      for (const options of [newest, vertex(newest)]) {
        const { ok: isOk, body: repaired } = checker.repair(body, options);
        equal(isOk, true);
        equal(
          JSON.parse(new TextDecoder().decode(repaired)).systemInstruction.parts[0].text,
          'a\ufffd',
        );
      }
    },
  },
  {
    name: "names Google's words for an input that is too long (google-gemini/gemini-cli#4231; 06fa41ebaa3fc204)",
    async run({ load }) {
      const strata = await load({ models: [{ id: 'gemini-tiny', contextTokens: 100 }] });
      const thread = strata.thread({ model: 'gemini-tiny' });
      const { diagnostics } = thread.assemble({
        now: '2026-11-22T00:00:00Z',
        trigger: 'a'.repeat(4000),
      });
      const found = diagnostics.find(({ code }) => code === 'context.too_large');
      const words =
        /^The input token count \(\d+\) exceeds the maximum number of tokens allowed \(100\)\.$/;
      ok(words.test(found.upstream), found.upstream);
    },
  },
  {
    name: 'warns of a lone empty chunk behind a streamed call, and joins it (facts, 13.6)',
    async run({ load, check: { loadChecker } }) {
      const strata = await load();
      const checker = await loadChecker();
      const body = { contents: [...hello, model(call('f')), model(text('')), user(result('f'))] };
      for (const options of [flash, newest]) {
        const report = checker.lint(body, options);
        equal(report.ok, true);
        equal(worst(report, 'call.split'), 'warning');
        const repaired = JSON.parse(new TextDecoder().decode(checker.repair(body, options).body));
        deepEqual(repaired.contents[1].parts, [call('f'), text('')]);
        equal(repaired.contents.length, 3);
      }
      const thread = strata.thread({ ...newest, policy: 'repair', sequencing: 'api' });
      for (const content of body.contents) thread.append(content);
      equal(thread.length, 3);
      equal(thread.report().ok, true);
    },
  },
  {
    name: 'invents no result where Gemini 2 reads the user text as one (04ad8212d8b2d1fe)',
    async run({ load }) {
      const strata = await load();
      const from = [...hello, model(call('f')), user(text('5'))];
      const thread = strata.thread({ ...flash, policy: 'repair', sequencing: 'api', from });
      equal(thread.length, 3);
      equal(thread.report().ok, true);
    },
  },
  {
    name: 'imports single objects as they are (0b862302791da2d5)',
    async run({ load, check: { loadChecker } }) {
      const strata = await load();
      const checker = await loadChecker();
      const content = { role: 'user', parts: { text: 'How are you?' } };
      for (const from of [{ contents: content }, { contents: [content] }, [content]]) {
        const thread = strata.thread({ ...newest, from });
        deepEqual(JSON.parse(new TextDecoder().decode(thread.content(0))), content);
        equal(thread.report().ok, true);
        ok(thread.tokens > 0);
      }
      const [finding] = checker.lint(
        { contents: { role: 'user', parts: { id: '1' } } },
        newest,
      ).diagnostics;
      equal(finding.path, '/contents/parts/id');
    },
  },
  {
    name: 'keeps a model Content that holds the results of Google itself in a thread (679f8035c519738a)',
    async run({ load }) {
      const strata = await load();
      const own = model(call('f'), result('f'), text('Sunny.'));
      const thread = strata.thread({ ...newest, policy: 'repair' });
      thread.append(hello[0]);
      thread.append(own);
      equal(thread.length, 2);
      deepEqual(JSON.parse(new TextDecoder().decode(thread.content(1))), own);
      thread.append(user(text('Thanks')));
      equal(thread.report().ok, true);
    },
  },
  {
    name: 'quotes no range for a thinkingBudget of 0',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const body = config({ thinkingConfig: { thinkingBudget: 0 } });
      const { diagnostics } = checker.lint(body, { model: 'gemini-3.1-pro-preview' });
      deepEqual(
        diagnostics.map(({ code, upstream }) => [code, upstream]),
        [['thinking.budget_range', undefined]],
      );
    },
  },
];

export default [...passing, ...refused, ...others];
