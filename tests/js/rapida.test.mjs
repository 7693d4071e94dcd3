// Compares this package with Rapida's cases of tool blocks and of the response pipeline. Each deliberate difference
// names its reason.
import assert from 'node:assert/strict';
import test, { before, describe } from 'node:test';
import { Conversation, GeminiClient, load } from 'prompt-strata';
import { loadChecker } from 'prompt-strata/check';
import { calls, casesOf, decode, errorsOf, results, says, user } from './contents.mjs';

const model = 'gemini-3.8-flash';
const now = '2026-11-21T10:00:00Z';
let strata;
let checker;
before(async () => {
  strata = await load();
  checker = await loadChecker();
});

const open = () => strata.thread({ model, sequencing: 'api' });
const turnsOf = (thread) =>
  Array.from({ length: thread.length }, (_, i) => JSON.parse(decode(thread.content(i))));

describe('Rapida: tool_calls_resolved', () => {
  const { cases } = casesOf('rapida_tool_block').tool_calls_resolved;
  for (const { name, history, resolved } of cases) {
    test(name, () => {
      const body = { contents: history.map(contentOf) };
      if (history.at(0)?.role !== 'user') body.contents.unshift(user('Look it up.'));
      const open = errorsOf(checker.lint(body, { model })).filter((code) =>
        ['call.open', 'response.count'].includes(code),
      );
      assert.equal(open.length === 0, resolved);
    });
  }

  function contentOf({ role, content, tool_calls: toolCalls, tools }) {
    if (toolCalls) return calls(toolCalls.map(({ id }) => id));
    if (tools) return results(tools.map(({ id }) => id));
    return role === 'user' ? user(content) : says(content);
  }
});

describe('Rapida: the tool block of a history', () => {
  const { cases } = casesOf('rapida_tool_block').conversation_history;
  const caseOf = (name) => cases.find((each) => each.name === name);
  const idsOf = (name) => caseOf(name).ops[0][2];

  /** Returns a thread that ends with these functionCalls. */
  function block(ids) {
    const thread = open();
    thread.append(user('Look it up.'));
    thread.append(calls(ids));
    return thread;
  }
  const isOpen = (thread) =>
    errorsOf(thread.assemble({ now, trigger: 'Well?' })).includes('call.open');

  test('covers all cases', () => {
    assert.deepEqual(
      cases.map(({ name }) => name),
      [
        ...['blank_ids_commit', 'flush_unresolved', 'accept_wrong_context'],
        ...['accept_after_resolved', 'text_while_open', 'duplicate_call_id'],
        ...['supersede_without_block', 'supersede_by_user'],
      ],
    );
  });

  // Different from Rapida: Gemini's functionCalls need no ids, so a call without one also waits for its result.
  test('blank_ids_commit: treats a functionCall without an id as open', () => {
    assert.equal(caseOf('blank_ids_commit').expect.state, 'none');
    const thread = block(['']);
    assert.ok(isOpen(thread));
    thread.append(results(['']));
    assert.ok(thread.assemble({ now }).ok);
  });

  test('flush_unresolved: does not send unanswered functionCalls', () => {
    const request = block(idsOf('flush_unresolved')).assemble({ now });
    assert.deepEqual([request.ok, request.body.length], [false, 0]);
  });

  test('accept_wrong_context: rejects the result of another call', () => {
    const thread = block(idsOf('accept_wrong_context'));
    assert.throws(() => thread.append(results(['other'])), { code: 'response.id_mismatch' });
    assert.equal(thread.length, 2);
    assert.ok(isOpen(thread));
  });

  test('accept_after_resolved: rejects a second result', () => {
    const ids = idsOf('accept_after_resolved');
    const thread = block(ids);
    thread.append(results(ids));
    assert.throws(() => thread.append(results(ids)), { name: 'HistoryError' });
    assert.ok(thread.assemble({ now }).ok);
  });

  // Different from Rapida, which holds back the call and commits the text: the API rejects text between a
  // functionCall and its functionResponse.
  test('text_while_open: rejects text between a functionCall and its functionResponse', () => {
    const thread = block(idsOf('text_while_open'));
    const body = { contents: [...turnsOf(thread), says('Wait.')] };
    assert.notDeepEqual(errorsOf(checker.lint(body, { model })), []);
  });

  // Different from Rapida: the API refuses parallel calls with one id.
  test('duplicate_call_id: rejects parallel calls with one id', () => {
    const { ops } = caseOf('duplicate_call_id');
    assert.throws(() => block(ops[0][2]), { code: 'call.duplicate_id' });
  });

  test('supersede_without_block: rewinds an empty thread', () => {
    const thread = open();
    thread.rewind(0);
    assert.equal(thread.length, 0);
  });

  test('supersede_by_user: replaces the calls with a new user message', () => {
    const thread = block(idsOf('supersede_by_user'));
    thread.rewind(1);
    assert.deepEqual(turnsOf(thread), [user('Look it up.')]);
    assert.ok(thread.assemble({ now, trigger: 'Never mind.' }).ok);
  });

  // Different from Rapida, a Conversation keeps the calls and answers each with the reason why it did not run.
  test('supersede_by_user: answers the calls of an interrupted send', async () => {
    const { chat } = talk([[calls(['t1'])]], { tools: [{ name: 'lookup', run: () => 1 }] });
    for await (const { type } of chat.send('Look it up.')) if (type === 'toolCall') break;
    const [, , answered] = turnsOf(chat.thread);
    assert.equal(answered.parts[0].functionResponse.id, 't1');
    assert.ok(chat.thread.assemble({ now, trigger: 'Never mind.' }).ok);
  });
});

// The response pipeline

const chunkOf = (content, finishReason) => ({
  candidates: [{ ...(content && { content }), ...(finishReason && { finishReason }) }],
});

const lineOf = (chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`;

/** Returns a stream of chunks; with `complete`, the last chunk has a finishReason. */
function streamOf(contents, complete = true) {
  const chunks = contents.map((content) => chunkOf(content));
  if (complete) chunks.push(chunkOf(undefined, 'STOP'));
  return new Response(chunks.map(lineOf).join(''));
}

/** Returns a conversation with scripted answers: lists of Contents, or functions that return a Response. */
function talk(answers, options = {}) {
  let sent = 0;
  const fetch = async (_, init) => {
    const answer = answers[sent++];
    return typeof answer === 'function' ? answer(init) : streamOf(answer);
  };
  const client = new GeminiClient({ fetch, retry: false });
  const defaults = { model, now: () => now, answerRetry: false };
  const chat = new Conversation(strata, client, { ...defaults, ...options });
  return { chat, sent: () => sent };
}

async function collect(events) {
  const all = [];
  let error;
  try {
    for await (const each of events) all.push(each);
  } catch (caught) {
    error = caught;
  }
  const texts = all.filter(({ type }) => type === 'text').map(({ text }) => text);
  return { texts, types: all.map(({ type }) => type), error };
}

/** Sends 'hi' and counts the model turns that were added. */
async function answered(answers, options) {
  const { chat, sent } = talk(answers, options);
  const result = await collect(chat.send('hi'));
  const added = turnsOf(chat.thread).filter(({ role }) => role === 'model').length;
  return { ...result, added, chat, sent: sent() };
}

describe('Rapida: the response pipeline', () => {
  const { cases, stream_error_reason: reasons } = casesOf('rapida_response_pipeline');
  const caseOf = (name) => cases.find((each) => each.name === name);

  test('covers all cases', () => {
    assert.deepEqual(
      cases.map(({ name }) => name),
      [
        ...['error_response', 'no_output', 'stale_response', 'final_text', 'delta', 'empty_delta'],
        ...['send_error', 'static_packet', 'invalid_history_next_revision'],
      ],
    );
  });

  test('error_response: throws the error and adds no turn', async () => {
    const { error: message, history_added: added } = caseOf('error_response');
    const reject = () =>
      Response.json(
        { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message } },
        { status: 429 },
      );
    const result = await answered([reject]);
    assert.equal(result.error.name, 'GeminiError');
    assert.match(result.error.message, new RegExp(message));
    assert.deepEqual([result.texts, result.added], [[], added]);
  });

  // Different from Rapida, which ignores an empty answer: here it is an event and an error, or a retry.
  test('no_output: reports an empty answer and keeps the question', async () => {
    const result = await answered([[]]);
    assert.deepEqual([result.texts, result.added], [[], 0]);
    assert.equal(result.error.code, 'answer.empty');
    assert.deepEqual(turnsOf(result.chat.thread), [user('hi')]);
  });

  test('stale_response: does not read late chunks of an interrupted request', async () => {
    const { expected_packets: expected } = caseOf('stale_response');
    let interrupted;
    const late = () => {
      const start = (out) => {
        interrupted = out;
        out.enqueue(lineOf(chunkOf(says('begun'))));
      };
      return new Response(new ReadableStream({ start }).pipeThrough(new TextEncoderStream()));
    };
    const { chat } = talk([late, [says('new')]]);
    for await (const { type } of chat.send('old')) if (type === 'text') break;
    assert.throws(() => interrupted.enqueue(lineOf(chunkOf(says('late'), 'STOP'))));
    const result = await collect(chat.send('again'));
    assert.deepEqual(result.texts, [...expected, 'new']);
    const texts = turnsOf(chat.thread).map(({ parts }) => parts[0].text);
    assert.deepEqual(texts, ['old', 'again', 'new']);
  });

  test('final_text: joins all texts into one turn', async () => {
    const { contents, history_added: added } = caseOf('final_text');
    const result = await answered([contents.map(says)]);
    assert.deepEqual([result.texts, result.added], [contents, added]);
    assert.deepEqual(turnsOf(result.chat.thread)[1], says('Hello world'));
    assert.equal(result.types.at(-1), 'done');
  });

  test('delta: emits a partial answer but does not store it', async () => {
    const { contents, history_added: added } = caseOf('delta');
    const result = await answered([() => streamOf(contents.map(says), false)]);
    assert.deepEqual([result.texts, result.added], [contents, added]);
    assert.ok(result.error);
  });

  test('empty_delta: emits no text for a chunk without text', async () => {
    assert.deepEqual(caseOf('empty_delta').expected_packets, []);
    const result = await answered([[{ role: 'model', parts: [] }, says('Hello')]]);
    assert.deepEqual(result.texts, ['Hello']);
  });

  test('send_error: keeps the history when the request fails', async () => {
    const { history_added: added } = caseOf('send_error');
    const result = await answered([() => Promise.reject(new TypeError('broken pipe'))]);
    assert.equal(result.added, added);
    assert.equal(result.error.name, 'GeminiError');
  });

  test('static_packet: stores a text of the application as a model turn', async () => {
    const { text } = caseOf('static_packet');
    const { chat, sent } = talk([]);
    chat.thread.append(user('hi'));
    chat.thread.append(says(text));
    assert.deepEqual([chat.thread.length, sent()], [2, 0]);
  });

  // Different from Rapida's next revision, but as its document says: an invalid history is not sent.
  test('invalid_history_next_revision: does not send an invalid history', async () => {
    assert.match(caseOf('invalid_history_next_revision').expected, /sent anyway/);
    const thread = strata.thread({ model, policy: 'warn' });
    thread.append(user('Look it up.'));
    thread.append(calls(['tc1']));
    thread.append(user('Well?'));
    const stages = [];
    const onStage = ({ stage }) => stages.push(stage);
    const result = await answered([], { thread, onStage });
    assert.equal(result.error.name, 'HistoryError');
    assert.equal(result.sent, 0);
    assert.equal(stages.at(-1), 'validate_history');
  });

  test('stream_error_reason: reports each end of a stream with its own error', async () => {
    const broken = (error) => () =>
      new Response(new ReadableStream({ start: (out) => out.error(error) }));
    const unavailable = () =>
      Response.json(
        { error: { code: 503, status: 'UNAVAILABLE', message: 'no' } },
        { status: 503 },
      );
    const aborter = new AbortController();
    const canceled = () => new Promise(() => aborter.abort(new Error('connection canceled')));
    const { chat } = talk([canceled]);
    const found = {
      eof: (await answered([() => streamOf([], false)])).error,
      'grpc canceled': (await collect(chat.send('hi', { signal: aborter.signal }))).error,
      'grpc unavailable': (await answered([unavailable])).error,
      'other: broken pipe': (await answered([broken(new TypeError('broken pipe'))])).error,
    };
    assert.deepEqual(
      Object.keys(found),
      reasons.map(([reason]) => reason),
    );
    assert.equal(found.eof.code, 'answer.cut');
    assert.equal(found['grpc canceled'].message, 'connection canceled');
    assert.equal(found['grpc unavailable'].rpcStatus, 'UNAVAILABLE');
    assert.match(found['other: broken pipe'].message, /broken pipe/);
  });
});
