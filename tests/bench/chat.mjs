// Measures a Conversation: a turn until its request reaches fetch, compared with assembling the request alone, and a
// long stream, compared with reading the same bytes with response().
import { conversation, encode, model } from './conversation.mjs';
import { median } from './measure.mjs';
import { chunkCount, reads } from './streamed-answer.mjs';
import { ms, times } from '../support/table.mjs';

const warmUps = 60;
const rounds = 101;
const lengths = [10, 1000];
const mostTimes = 1.7;

const short = { role: 'model', parts: [{ text: 'Light rain, 18 degrees.' }] };
const usageMetadata = { promptTokenCount: 812, candidatesTokenCount: 7, totalTokenCount: 819 };
const answer = { candidates: [{ content: short, finishReason: 'STOP', index: 0 }], usageMetadata };
const pieces = [encode(answer)];

/** Returns a client whose fetch answers with these reads, and calls `onFetch` first. */
function clientFor(pkg, answers, onFetch = () => {}) {
  const fetch = async () => {
    onFetch();
    let next = 0;
    const pull = (out) => (next < answers.length ? out.enqueue(answers[next++]) : out.close());
    return new Response(new ReadableStream({ pull }));
  };
  return new pkg.GeminiClient({ apiKey: 'key', fetch });
}

async function readAll(events) {
  for await (const event of events) void event;
}

/** Returns the median milliseconds from `send` to fetch, and those of append and assemble alone. */
async function measureTurn(pkg, strata, turns) {
  let reached = 0;
  const client = clientFor(pkg, pieces, () => (reached = performance.now()));
  const chat = new pkg.Conversation(strata, client, { model });
  const { thread } = chat;
  for (const content of conversation(turns)) thread.append(encode(content));
  const sends = [];
  const alone = [];
  let previous;
  for (let round = -warmUps; round < rounds; round++) {
    const question = `Question ${round}: will it rain in Bergen?`;
    const start = performance.now();
    await readAll(chat.send(question));
    const sent = reached - start;
    await chat.rewind(turns);
    const from = performance.now();
    thread.append({ role: 'user', parts: [{ text: question }] });
    const now = new Date().toISOString();
    previous = thread.assemble({ now, cachedHistory: 'contents', previous }).manifest;
    const assembled = performance.now() - from;
    await chat.rewind(turns);
    if (round >= 0) [sends, alone].forEach((list, i) => list.push([sent, assembled][i]));
  }
  return { sent: median(sends), alone: median(alone) };
}

function readAlone(strata, stream) {
  using(strata.response(), (response) => {
    for (const piece of stream) response.push(piece);
    response.finish();
  });
}

function using(handle, use) {
  use(handle);
  handle[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
}

async function measureStream(pkg, strata, options) {
  const stream = reads();
  const chat = new pkg.Conversation(strata, clientFor(pkg, stream), { model, ...options });
  const sends = [];
  const alone = [];
  for (let round = -5; round < 40; round++) {
    const start = performance.now();
    readAlone(strata, stream);
    const between = performance.now();
    await readAll(chat.send('Go'));
    if (round >= 0) alone.push(between - start);
    if (round >= 0) sends.push(performance.now() - between);
    await chat.rewind(0);
  }
  return { sent: median(sends), alone: median(alone) };
}

/** @param {object} pkg the package */
export async function run(pkg) {
  const strata = await pkg.load();
  const results = [];
  for (const turns of lengths) {
    const measured = await measureTurn(pkg, strata, turns);
    results.push([`turn after ${turns.toLocaleString('en-US')} turns`, measured]);
  }
  const chunks = chunkCount.toLocaleString('en-US');
  const stream = await measureStream(pkg, strata, { loopDetection: false });
  results.push([`stream of ${chunks} chunks`, stream]);
  results.push([`the same with loop detection`, await measureStream(pkg, strata, {})]);
  const ratio = stream.sent / stream.alone;
  return {
    title: 'A Conversation',
    about:
      'A turn is measured from `send` until the request reaches `fetch`, after 60 turns, and compared with ' +
      '`append` and `assemble` alone. A stream is read to its end, and compared with `response()` alone. Run it ' +
      'alone for the time in a fresh process.',
    head: ['what', 'Conversation', 'core alone', 'ratio'],
    rows: results.map(([what, { sent, alone }]) => [
      what,
      ms(sent),
      ms(alone),
      times(sent / alone),
    ]),
    verdicts: [
      {
        ok: ratio <= mostTimes,
        text: `a stream: ${times(ratio)} the time of response() alone, at most ${mostTimes}`,
      },
    ],
  };
}
