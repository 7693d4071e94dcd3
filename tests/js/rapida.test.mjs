// Rapida's cases of tool blocks and of the response pipeline: those that hold are held, and where this
// library chooses otherwise the test shows what it does instead, and why.
import assert from 'node:assert/strict';
import test, { before, describe } from 'node:test';
import { Conversation, GeminiClient, load } from 'prompt-strata';
import { calls, casesOf, decode, errorsOf, results, says, user } from './contents.mjs';

const model = 'gemini-3.8-flash';
const now = '2026-11-21T10:00:00Z';
let strata;
before(async () => {
  strata = await load();
});

const open = () => strata.thread({ model, sequencing: 'api' });
const turnsOf = (thread) =>
  Array.from({ length: thread.length }, (_, i) => JSON.parse(decode(thread.content(i))));

describe('Rapida: are all tool calls resolved?', () => {
  const { cases } = casesOf('rapida_tool_block').tool_calls_resolved;
  for (const { name, history, resolved } of cases) {
    test(name, () => {
      const body = { contents: history.map(contentOf) };
      if (history.at(0)?.role !== 'user') body.contents.unshift(user('Look it up.'));
      const open = errorsOf(strata.lint(body, { model })).filter((code) =>
        ['call.open', 'response.count'].includes(code),
      );
      assert.equal(open.length === 0, resolved);
    });
  }

  function contentOf({ role, content, tool_calls: made, tools }) {
    if (made) return calls(made.map(({ id }) => id));
    if (tools) return results(tools.map(({ id }) => id));
    return role === 'user' ? user(content) : says(content);
  }
});

describe('Rapida: the tool block of a history', () => {
  const { cases } = casesOf('rapida_tool_block').conversation_history;
  const caseOf = (name) => cases.find((each) => each.name === name);
  const idsOf = (name) => caseOf(name).ops[0][2];

  /** A thread that ends in a block of these calls. */
  function block(ids) {
    const thread = open();
    thread.append(user('Look it up.'));
    thread.append(calls(ids));
    return thread;
  }
  const isOpen = (thread) =>
    errorsOf(thread.assemble({ now, trigger: 'Well?' })).includes('call.open');

  test('all cases are looked at', () => {
    assert.deepEqual(
      cases.map(({ name }) => name),
      [
        ...['blank_ids_commit', 'flush_unresolved', 'accept_wrong_context'],
        ...['accept_after_resolved', 'text_while_open', 'duplicate_call_id'],
        ...['supersede_without_block', 'supersede_by_user'],
      ],
    );
  });

  // Otherwise: Gemini's calls need no ids, so a call without one waits for its result all the same.
  test('blank_ids_commit: a call without an id is as open as any other', () => {
    assert.equal(caseOf('blank_ids_commit').expect.state, 'none');
    const thread = block(['']);
    assert.ok(isOpen(thread));
    thread.append(results(['']));
    assert.ok(thread.assemble({ now }).ok);
  });

  test('flush_unresolved: an open block is not sent', () => {
    const request = block(idsOf('flush_unresolved')).assemble({ now });
    assert.deepEqual([request.ok, request.body.length], [false, 0]);
  });

  test('accept_wrong_context: a result of another call changes nothing', () => {
    const thread = block(idsOf('accept_wrong_context'));
    assert.throws(() => thread.append(results(['other'])), { code: 'response.id_mismatch' });
    assert.equal(thread.length, 2);
    assert.ok(isOpen(thread));
  });

  test('accept_after_resolved: a second result is refused', () => {
    const ids = idsOf('accept_after_resolved');
    const thread = block(ids);
    thread.append(results(ids));
    assert.throws(() => thread.append(results(ids)), { name: 'HistoryError' });
    assert.ok(thread.assemble({ now }).ok);
  });

  // Otherwise: the text would stand between a call and its result, which the API refuses; Rapida keeps the
  // call aside and commits the text.
  test('text_while_open: no text comes between a call and its result', () => {
    const thread = block(idsOf('text_while_open'));
    const body = { contents: [...turnsOf(thread), says('Wait.')] };
    assert.notDeepEqual(errorsOf(strata.lint(body, { model })), []);
  });

  // Otherwise: an id names one call. Both calls need a result, and the second id tells nothing.
  test('duplicate_call_id: each call has a result of its own, in the order of the calls', () => {
    const { expect, ops } = caseOf('duplicate_call_id');
    const thread = block(ops[0][2]);
    assert.throws(() => thread.append(results(['t1'])), { code: 'response.count' });
    thread.append(results(expect.tool_result_order));
    assert.ok(thread.assemble({ now }).ok);
  });

  test('supersede_without_block: there is nothing to take back', () => {
    const thread = open();
    thread.rewind(0);
    assert.equal(thread.length, 0);
  });

  test('supersede_by_user: a new message of the user can take the place of the block', () => {
    const thread = block(idsOf('supersede_by_user'));
    thread.rewind(1);
    assert.deepEqual(turnsOf(thread), [user('Look it up.')]);
    assert.ok(thread.assemble({ now, trigger: 'Never mind.' }).ok);
  });

  // Otherwise than Rapida a Conversation keeps the block: each call is answered with why it did not run.
  test('supersede_by_user: a send that is left answers its calls', async () => {
    const { chat } = talk([[calls(['t1'])]], { tools: [{ name: 'lookup', run: () => 1 }] });
    for await (const { type } of chat.send('Look it up.')) if (type === 'toolCall') break;
    const [, , answered] = turnsOf(chat.thread);
    assert.equal(answered.parts[0].functionResponse.id, 't1');
    assert.ok(chat.thread.assemble({ now, trigger: 'Never mind.' }).ok);
  });
});

// ---- the response pipeline ----

const chunkOf = (content, finishReason) => ({
  candidates: [{ ...(content && { content }), ...(finishReason && { finishReason }) }],
});

const lineOf = (chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`;

/** Chunks as a stream: the last one ends the answer, unless it is to break off. */
function streamOf(contents, whole = true) {
  const chunks = contents.map((content) => chunkOf(content));
  if (whole) chunks.push(chunkOf(undefined, 'STOP'));
  return new Response(chunks.map(lineOf).join(''));
}

/** A conversation with scripted answers: lists of Contents, or functions that answer. */
function talk(answers, options = {}) {
  let sent = 0;
  const fetch = async (_, init) => {
    const answer = answers[sent++];
    return typeof answer === 'function' ? answer(init) : streamOf(answer);
  };
  const client = new GeminiClient({ fetch, retry: false });
  const fixed = { model, now: () => now, answerRetry: false };
  const chat = new Conversation(strata, client, { ...fixed, ...options });
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

/** Sends 'hi' and counts the model's turns that came of it. */
async function answered(answers, options) {
  const { chat, sent } = talk(answers, options);
  const told = await collect(chat.send('hi'));
  const added = turnsOf(chat.thread).filter(({ role }) => role === 'model').length;
  return { ...told, added, chat, sent: sent() };
}

describe('Rapida: the response pipeline', () => {
  const { cases, stream_error_reason: reasons } = casesOf('rapida_response_pipeline');
  const caseOf = (name) => cases.find((each) => each.name === name);

  test('all cases are looked at', () => {
    assert.deepEqual(
      cases.map(({ name }) => name),
      [
        ...['error_response', 'no_output', 'stale_response', 'final_text', 'delta', 'empty_delta'],
        ...['send_error', 'static_packet', 'invalid_history_next_revision'],
      ],
    );
  });

  test('error_response: the error is told, nothing is added', async () => {
    const { error: message, history_added: added } = caseOf('error_response');
    const refuse = () =>
      Response.json(
        { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message } },
        { status: 429 },
      );
    const told = await answered([refuse]);
    assert.equal(told.error.name, 'GeminiError');
    assert.match(told.error.message, new RegExp(message));
    assert.deepEqual([told.texts, told.added], [[], added]);
  });

  // Otherwise: Rapida says nothing; here an empty answer is an event and an error, or a retry by policy.
  test('no_output: an empty answer is told, and takes nothing away', async () => {
    const told = await answered([[]]);
    assert.deepEqual([told.texts, told.added], [[], 0]);
    assert.equal(told.error.code, 'answer.empty');
    assert.deepEqual(turnsOf(told.chat.thread), [user('hi')]);
  });

  test('stale_response: what arrives for a request that was left is not read', async () => {
    const { expected_packets: expected } = caseOf('stale_response');
    let left;
    const late = () => {
      const begun = (out) => {
        left = out;
        out.enqueue(lineOf(chunkOf(says('begun'))));
      };
      return new Response(
        new ReadableStream({ start: begun }).pipeThrough(new TextEncoderStream()),
      );
    };
    const { chat } = talk([late, [says('new')]]);
    for await (const { type } of chat.send('old')) if (type === 'text') break;
    assert.throws(() => left.enqueue(lineOf(chunkOf(says('late'), 'STOP'))));
    const told = await collect(chat.send('again'));
    assert.deepEqual(told.texts, [...expected, 'new']);
    const words = turnsOf(chat.thread).map(({ parts }) => parts[0].text);
    assert.deepEqual(words, ['old', 'again', 'new']);
  });

  test('final_text: all texts are one turn', async () => {
    const { contents, history_added: added } = caseOf('final_text');
    const told = await answered([contents.map(says)]);
    assert.deepEqual([told.texts, told.added], [contents, added]);
    assert.deepEqual(turnsOf(told.chat.thread)[1], says('Hello world'));
    assert.equal(told.types.at(-1), 'done');
  });

  test('delta: a part of an answer is told and not kept', async () => {
    const { contents, history_added: added } = caseOf('delta');
    const told = await answered([() => streamOf(contents.map(says), false)]);
    assert.deepEqual([told.texts, told.added], [contents, added]);
    assert.ok(told.error);
  });

  test('empty_delta: a chunk without text tells nothing', async () => {
    assert.deepEqual(caseOf('empty_delta').expected_packets, []);
    const told = await answered([[{ role: 'model', parts: [] }, says('Hello')]]);
    assert.deepEqual(told.texts, ['Hello']);
  });

  test('send_error: a request that does not get through leaves the history as it is', async () => {
    const { history_added: added } = caseOf('send_error');
    const told = await answered([() => Promise.reject(new TypeError('broken pipe'))]);
    assert.equal(told.added, added);
    assert.equal(told.error.name, 'GeminiError');
  });

  test('static_packet: a text of the application is a turn of the model', async () => {
    const { text } = caseOf('static_packet');
    const { chat, sent } = talk([]);
    chat.thread.append(user('hi'));
    chat.thread.append(says(text));
    assert.deepEqual([chat.thread.length, sent()], [2, 0]);
  });

  // Otherwise than Rapida's next revision, and as its document says: what the API would refuse is not sent.
  test('invalid_history_next_revision: a history that is invalid is not sent', async () => {
    assert.match(caseOf('invalid_history_next_revision').expected, /sent anyway/);
    const thread = strata.thread({ model, policy: 'warn' });
    thread.append(user('Look it up.'));
    thread.append(calls(['tc1']));
    thread.append(user('Well?'));
    const stages = [];
    const onStage = ({ stage }) => stages.push(stage);
    const told = await answered([], { thread, onStage });
    assert.equal(told.error.name, 'HistoryError');
    assert.equal(told.sent, 0);
    assert.equal(stages.at(-1), 'validate_history');
  });

  test('stream_error_reason: each end of a stream has its own words', async () => {
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
