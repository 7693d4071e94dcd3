// Measures a turn as the conversation grows: appending a Content and assembling the request, compared with copying the
// bytes of the request and with serializing it from objects.
import { loadWithMemory } from '../js/portable/memory.mjs';
import { conversation, encode, fields, model, next } from './conversation.mjs';
import { interleave } from './measure.mjs';
import { movedBy } from './moved.mjs';
import { bytes, ms, times } from '../support/table.mjs';

const sizes = [
  { turns: 10, rounds: 200, repeat: 20 },
  { turns: 1000, rounds: 100 },
  { turns: 5000, rounds: 30 },
];
const mostTimes = 3;
const mostTimesStringify = 1.5;

const input = {
  ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, encode(value)])),
  now: '2026-11-21T10:00:00Z',
  static: { text: 'You are a weather desk. Answer in one sentence.' },
  dynamic: { text: '{"todos":[{"title":"Pack for \\"Bergen\\"","checked":false}]}' },
  bufferTokens: -1,
};

function openThread(strata, contents) {
  const thread = strata.thread({ model });
  for (const content of contents) thread.append(encode(content));
  return thread;
}

// Returns the request as the objects that a client without this package would serialize.
function requestObject(body) {
  return JSON.parse(new TextDecoder().decode(body));
}

function check(checker, body, turns) {
  const { ok, diagnostics } = checker.lint(body, { model });
  const { contents } = requestObject(body);
  if (!ok) throw new Error(`lint rejects the measured body: ${JSON.stringify(diagnostics[0])}`);
  if (contents.length !== turns + 2) throw new Error('the body does not contain the whole thread');
}

function measure({ strata, memory }, checker, { turns, rounds, repeat }) {
  const thread = openThread(strata, conversation(turns));
  const turn = encode(next(turns));
  const before = thread.assemble({ ...input, trigger: 'hello' });
  const send = () => {
    thread.append(turn);
    const { body } = thread.assemble({ ...input, previous: before.manifest });
    thread.rewind(turns);
    return body;
  };
  const body = send();
  check(checker, body, turns);
  const moved = movedBy(memory, send);
  const request = requestObject(body);
  const candidates = {
    copy: () => body.slice(),
    send,
    stringify: () => encode(request),
  };
  // Small copies cost no memory to speak of, and freeing it discards optimized code.
  const freeMemory = turns >= 1000;
  const medians = interleave(candidates, { rounds, repeat, freeMemory });
  return { turns, size: body.length, turnSize: turn.length, moved, ...medians };
}

const rowOf = ({ turns, size, moved, copy, send, stringify }) => [
  turns.toLocaleString('en-US'),
  bytes(size),
  ms(copy),
  ms(send),
  times(send / copy),
  ms(stringify),
  times(stringify / copy),
  bytes(moved.in),
  bytes(moved.out),
];

function verdict({ turns, copy, send, stringify }) {
  if (turns < 1000) {
    const ratio = send / stringify;
    const text = `${turns} turns: ${times(ratio)} the time of stringify + encode, at most ${mostTimesStringify}`;
    return { ok: ratio <= mostTimesStringify, text };
  }
  const ratio = send / copy;
  return {
    ok: ratio <= mostTimes,
    text: `${turns} turns: ${times(ratio)} the time of the copy, at most ${mostTimes}`,
  };
}

/** @param {object} pkg the package */
export async function run(pkg) {
  const instance = await loadWithMemory(pkg.load);
  const checker = await pkg.check.loadChecker();
  const results = sizes.map((size) => measure(instance, checker, size));
  return {
    title: 'Appending a turn and assembling the request',
    about:
      'Appends one Content of about 1.2 KB and assembles the request (four layers, tools, ' +
      '`previous`). This is compared with copying the same bytes (`body.slice()`), and with ' +
      '`JSON.stringify` and `TextEncoder.encode` of the same request as objects. The last two ' +
      'columns count the bytes that cross the JavaScript/WebAssembly boundary: the new turn and ' +
      'the options go in, the body and its manifest come out. From 1,000 turns on, memory is freed before ' +
      'each run, so that all candidates start alike.',
    head: [
      ...['turns', 'body', 'copy', 'append + assemble', 'ratio to copy'],
      ...['stringify + encode', 'ratio to copy', 'bytes in', 'bytes out'],
    ],
    rows: results.map(rowOf),
    verdicts: results.map(verdict),
  };
}
