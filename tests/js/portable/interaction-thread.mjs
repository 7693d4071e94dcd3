// Tests threads on the Interactions API: turns that keep their steps, answers, and requests.
import { deepEqual, equal, ok, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = '2026-11-21T10:00:00Z';
const input = { now, wire: 'interactions', static: { text: 'Be brief.' }, bufferTokens: -1 };
const decode = (bytes) => new TextDecoder().decode(bytes);
const encode = (text) => new TextEncoder().encode(text);
const parsed = (bytes) => JSON.parse(decode(bytes));

const question =
  '{"type": "user_input", "content": [{"type": "text", "text": "Weather in Oslo?"}]}';
const search =
  '{"type":"google_search_call","id":"s","arguments":{"queries":["Oslo"]},"signature":"eA=="}';
const thought = '{"type":"thought","signature":"c2lnbmVk"}';
const call = '{"type":"function_call","id":"c1","name":"weather","arguments":{"n": 1.0}}';
const result =
  '{"type":"function_result","call_id":"c1","name":"weather","result":{"sky":"clear"}}';
const output = '{"type":"model_output","content":[{"type":"text","text":"Clear."}]}';
const list = (...steps) => `[${steps.join(',')}]`;
const answer = (steps, fields) =>
  encode(`{"id":"","model":"${model}","status":"completed","steps":${list(...steps)},
    "usage":{"total_input_tokens":5,"total_output_tokens":2},${fields}"object":"interaction"}`);

const inputOf = ({ body }) => {
  const text = decode(body);
  return text.slice(text.indexOf('"input":') + '"input":'.length, -1);
};
const codes = ({ diagnostics }) => diagnostics.map(({ code, path }) => `${code} ${path}`);

export default [
  {
    name: 'keeps the steps of a turn byte for byte, through a store and into the next request',
    async run({ load }) {
      const strata = await load();
      const thread = strata.thread({ model });
      thread.append(list(question, thought, call, result));
      const response = strata.response({ wire: 'interactions' });
      response.push(answer([search, thought, output], ''));
      const report = thread.appendAnswer(response, { model });
      deepEqual(codes(report), ['convert.lost /contents/3/steps/0']);
      const opened = strata.thread({ model, from: thread.save() });
      for (const each of [thread, opened, thread.fork()]) {
        equal(decode(each.content(1)), list(thought, call));
        equal(decode(each.content(3)), list(search, thought, output));
        equal(parsed(each.content(3, 'content')).parts[0].text, 'Clear.');
        const forms = each.timeline().turns.map(({ form }) => form);
        deepEqual(forms, ['steps', 'steps', 'steps', 'steps']);
        const next = each.assemble({ ...input, trigger: 'And now?' });
        ok(next.ok);
        ok(
          inputOf(next).startsWith(
            list(question, thought, call, result, search, thought, output).slice(0, -1),
          ),
        );
        equal(next.manifest.wire, 'interactions');
        deepEqual(codes(next), []);
      }
      throws(() => thread.content(0, 'contents'), { code: 'field.invalid' });
    },
  },
  {
    name: 'sends Contents of a thread with steps to generateContent, and says what they lack',
    async run({ load, check: { loadChecker } }) {
      const [strata, checker] = [await load(), await loadChecker()];
      const thread = strata.thread({ model, from: list(question, search, thought, output) });
      const { body, ...report } = thread.assemble({ ...input, wire: undefined, trigger: 'Go on' });
      deepEqual(codes(report), ['convert.lost /contents/1/steps/0']);
      const { contents } = parsed(body);
      deepEqual(contents[1].parts, [{ text: 'Clear.', thoughtSignature: 'c2lnbmVk' }]);
      ok(checker.lint(body, { model, now }).ok);
    },
  },
  {
    name: 'reads an answer of the Interactions API as a Content with a finishReason',
    async run({ load }) {
      const strata = await load();
      const read = (bytes) => {
        const response = strata.response({ wire: 'interactions' });
        const events = response.push(bytes);
        return { events, ...response.finish() };
      };
      const { events, content, finishReason, usage, response } = read(answer([thought, call], ''));
      deepEqual(parsed(content).parts, [
        {
          functionCall: { id: 'c1', name: 'weather', args: { n: 1 } },
          thoughtSignature: 'c2lnbmVk',
        },
      ]);
      equal(finishReason, 'STOP');
      deepEqual(usage, { promptTokenCount: 5, candidatesTokenCount: 2 });
      deepEqual([response.modelVersion, response.status], [model, 'completed']);
      deepEqual([response.usageMetadata, response.steps], [usage, undefined]);
      const types = events.map(({ type }) => type).sort();
      deepEqual(types, ['functionCall', 'metadata', 'usage']);
      const failed =
        '{"status":"failed","errors":[{"code":"api_error","message":"No luck."}],"steps":[]}';
      throws(() => read(encode(failed)), { code: 'api.api_error', message: 'No luck.' });
      throws(() => read(encode('{"error":{"code":"not_found","message":"Gone."}}')), {
        code: 'api.not_found',
      });
      const cut = 'data: {"event_type":"interaction.created","event_id":"e1","interaction":{}}\n\n';
      throws(() => read(encode(cut)), { code: 'answer.cut' });
      throws(() => strata.response({ wire: 'http' }), { code: 'field.invalid' });
    },
  },
  {
    name: 'keeps the whole answer of an API that ran calls of its own, without a repeated input',
    async run({ load }) {
      const strata = await load();
      const appended = (...steps) => {
        const thread = strata.thread({ model, from: list(question) });
        const response = strata.response({ wire: 'interactions' });
        response.push(answer(steps, ''));
        const report = thread.appendAnswer(response, { model });
        equal(thread.length, 2);
        equal(parsed(thread.content(1, 'content')).parts[0].text, 'Clear.');
        return [decode(thread.content(1)), ...codes(report)];
      };
      const own = [thought, call, result, thought, output];
      deepEqual(appended(...own), [list(...own), 'convert.lost /contents/1/steps']);
      deepEqual(appended(question, ...own), [list(thought, output)]);
      deepEqual(appended(result, thought, output), [list(thought, output)]);
      deepEqual(appended(thought, output, question, thought, output), [list(thought, output)]);
      deepEqual(appended(thought, output, result), [list(thought, output)]);
    },
  },
  {
    name: 'judges a list of steps as append would',
    async run({ load }) {
      const strata = await load();
      const thread = strata.thread({ model, from: list(question) });
      const steps = [thought, call, result].map((step) => JSON.parse(step));
      deepEqual(thread.check(steps), { ok: true, diagnostics: [] });
      deepEqual(codes(thread.check(list(search, thought, output))), [
        'convert.lost /contents/1/steps/0',
      ]);
      equal(thread.check(list(call)).ok, false);
      throws(() => thread.check(list(search, question)), { code: 'field.invalid' });
      equal(thread.length, 1);
    },
  },
  {
    name: 'appends all turns of a list of steps or none',
    async run({ load }) {
      const strata = await load();
      const thread = strata.thread({ model });
      throws(() => thread.append(list(question, search)), { code: 'field.invalid' });
      throws(() => thread.append(list(question, thought, call, question)), {
        name: 'HistoryError',
      });
      throws(() => thread.append(list(question, '{"text":"x"}')), { code: 'field.invalid' });
      throws(() => strata.thread({ model, from: list(question, search) }), {
        code: 'field.invalid',
      });
      throws(() => thread.append(question, { steps: [] }), { code: 'field.unknown' });
      equal(thread.length, 0);
      thread.append([JSON.parse(question)]);
      equal(decode(thread.content(0)), `[${JSON.stringify(JSON.parse(question))}]`);
    },
  },
  {
    name: 'continues a stored interaction with the turns that it does not have',
    async run({ load, check: { loadChecker } }) {
      const [strata, checker] = [await load(), await loadChecker()];
      const thread = strata.thread({ model, from: list(question, thought, call, result) });
      const previousInteraction = { id: 'v1_a', turns: 2 };
      const { body } = thread.assemble({ ...input, stream: true, previousInteraction });
      deepEqual(parsed(body), {
        ...{ model, store: true, stream: true, previous_interaction_id: 'v1_a' },
        system_instruction: 'Be brief.',
        input: [JSON.parse(result)],
      });
      ok(checker.lint(body, { model, now }).ok);
      const refused = (more, code = 'field.invalid') =>
        throws(() => thread.assemble({ ...input, ...more }), { code });
      refused({ previousInteraction: { id: 'v1_a', turns: 9 } });
      refused({ previousInteraction, store: false });
      refused({ wire: undefined, previousInteraction });
      refused({ wire: undefined, stream: true });
      refused({ wire: undefined, placeholder: true });
      refused({ extra: { input: [] } });
      throws(() => thread.cacheBody(input), { code: 'field.invalid' });
    },
  },
  {
    name: 'writes a conversation of Contents as steps, whose requests begin with the ones before',
    async run({ load, check: { loadChecker } }) {
      const [strata, checker] = [await load(), await loadChecker()];
      const thread = strata.thread({ model });
      const functionDeclarations = ['f', 'g'].map((name) => ({ name, description: name }));
      const tools = [{ functionDeclarations }];
      let before = '';
      for (let turn = 0; turn < 20; turn++) {
        thread.append({ role: 'user', parts: [{ text: `Question ${turn}` }] });
        thread.append({
          role: 'model',
          parts: [
            { functionCall: { name: 'f', args: {} }, thoughtSignature: 'c2lnbmVk' },
            { functionCall: { name: 'g', args: {} } },
          ],
        });
        const response = (name) => ({ functionResponse: { name, response: { turn } } });
        thread.append({ role: 'user', parts: [response('f'), response('g')] });
        const request = thread.assemble({ ...input, tools });
        ok(request.ok);
        const { ok: isRight, diagnostics } = checker.lint(request.body, { model, now });
        ok(isRight, JSON.stringify(diagnostics));
        const text = decode(request.body).slice(0, -2);
        ok(text.startsWith(before));
        before = text;
        thread.append({ role: 'model', parts: [{ text: `Answer ${turn}` }] });
      }
    },
  },
];
