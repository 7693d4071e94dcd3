// Tests what the checker knows of the Interactions API: which API a body is for, its findings, and the conversion of
// requests, histories and answers.
import { deepEqual, equal, ok, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = '2026-11-21T10:00:00Z';
const decode = (bytes) => new TextDecoder().decode(bytes);

const request = {
  contents: [
    { role: 'user', parts: [{ text: 'Weather in Oslo?' }] },
    {
      role: 'model',
      parts: [
        {
          functionCall: { id: 'c1', name: 'weather', args: { n: 1 } },
          thoughtSignature: 'U2lnbmVk',
        },
      ],
    },
    {
      role: 'user',
      parts: [{ functionResponse: { id: 'c1', name: 'weather', response: { sky: 'clear' } } }],
    },
  ],
  systemInstruction: { parts: [{ text: 'Be brief.' }] },
  tools: [{ functionDeclarations: [{ name: 'weather', description: 'The weather' }] }],
};

const codes = (diagnostics) => diagnostics.map(({ code, path }) => `${code} ${path}`);

export default [
  {
    name: 'says which API a body is for',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const wireOf = (body, options) => checker.lint(body, { model, now, ...options }).wire;
      equal(wireOf(request), 'generateContent');
      equal(wireOf({ model, input: 'Hi' }), 'interactions');
      equal(wireOf('not JSON'), 'generateContent');
      equal(wireOf({}, { wire: 'interactions' }), 'interactions');
      throws(() => wireOf({}, { wire: 'http' }), { code: 'field.invalid' });
    },
  },
  {
    name: 'finds faults of an Interactions body at their places',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const body = { model, input: 'Hi', systemInstruction: 'Be brief.' };
      const { ok: isRight, diagnostics } = checker.lint(body, { model, now });
      ok(!isRight);
      deepEqual(codes(diagnostics), ['interaction.field_unknown /systemInstruction']);
      ok(checker.lint({ model, input: 'Hi', system_instruction: 'Be brief.' }, { model, now }).ok);
    },
  },
  {
    name: 'shows the steps of a body as turns',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const steps = [
        { type: 'user_input', content: [{ type: 'text', text: 'Weather in Oslo?' }] },
        { type: 'thought', signature: 'U2lnbmVk' },
        { type: 'function_call', id: 'c1', name: 'weather', arguments: {} },
        { type: 'function_result', call_id: 'c1', name: 'weather', result: { sky: 'clear' } },
      ];
      const body = JSON.stringify({ model, input: steps });
      const { turns, firstRefused } = checker.timeline(body, { model, positions: 'utf16' });
      const texts = turns.map(({ range }) => JSON.parse(`[${body.slice(...range)}]`));
      deepEqual(texts, [steps.slice(0, 1), steps.slice(1, 3), steps.slice(3)]);
      deepEqual(
        turns.map(({ kind, form, signatures }) => [kind, form, signatures]),
        [
          ['user', 'steps', 0],
          ['model', 'steps', 1],
          ['tool', 'steps', 0],
        ],
      );
      equal(firstRefused, undefined);
      const unsigned = JSON.stringify({
        model,
        input: steps.filter(({ type }) => type !== 'thought'),
      });
      equal(checker.timeline(unsigned, { model }).firstRefused, 1);
      deepEqual(checker.timeline({ model, input: [{}] }, { model }).turns, []);
      equal(checker.timeline(body, { model, maxContents: 2 }).turns.length, 2);
    },
  },
  {
    name: 'converts a request to the other API and back, with its signature',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const there = checker.convert(request, { to: 'interactions', model, now });
      ok(there.ok);
      const interaction = JSON.parse(decode(there.body));
      equal(interaction.model, model);
      equal(interaction.system_instruction, 'Be brief.');
      const types = interaction.input.map(({ type }) => type);
      deepEqual(types, ['user_input', 'thought', 'function_call', 'function_result']);
      equal(interaction.input[1].signature, 'U2lnbmVk');
      ok(checker.lint(there.body, { model, now }).ok);
      const back = checker.convert(there.body, { to: 'generateContent', model, now });
      deepEqual(JSON.parse(decode(back.body)).contents, request.contents);
    },
  },
  {
    name: 'converts a history, and says what a conversion needs',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const steps = checker.convert(request.contents, { to: 'interactions', model });
      equal(JSON.parse(decode(steps.body)).length, 4);
      const same = checker.convert(steps.body, { to: 'interactions', model });
      deepEqual(same.body, steps.body);
      const unreadable = checker.convert('{', { to: 'interactions', model });
      deepEqual([unreadable.ok, unreadable.body.length], [false, 0]);
      throws(() => checker.convert(request, { model }), { code: 'field.invalid' });
      throws(() => checker.convert(request, { to: 'interactions', modl: model }), {
        code: 'field.unknown',
      });
    },
  },
];
