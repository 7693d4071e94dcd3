// Appends very many turns, in threads and conversations that are disposed or left to the garbage collector.

const model = 'gemini-3.8-flash';
const now = () => '2026-11-21T10:00:00Z';
const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
const encoder = new TextEncoder();

const turn = (role, n) =>
  encoder.encode(JSON.stringify({ role, parts: [{ text: `Turn ${n}. ${'word '.repeat(100)}` }] }));

// FinalizationRegistry calls back between two tasks.
const nextTask = () => new Promise((resolve) => setImmediate(resolve));

/** Appends turns to a new thread. */
function fillThread(strata, turns) {
  const thread = strata.thread({ model });
  for (let i = 0; i < turns; i++) thread.append(turn(i % 2 === 0 ? 'user' : 'model', i));
  return thread;
}

const line = (parts) => {
  const candidates = [{ content: { role: 'model', parts }, finishReason: 'STOP' }];
  const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 };
  return `data: ${JSON.stringify({ candidates, usageMetadata })}\r\n\r\n`;
};
const asks = line([
  { functionCall: { name: 'look', args: {} }, thoughtSignature: 'c2lnbmVk' },
  { functionCall: { name: 'look', args: {} } },
]);
const says = line([{ text: 'It is fine. '.repeat(20) }]);

/** Answers every third question with calls, breaks every tenth answer off, and refuses every twelfth request. */
function fakeApi() {
  let requests = 0;
  return async () => {
    const number = ++requests;
    if (number % 12 === 11) return new Response('{}', { status: 503 });
    if (number % 10 === 9) return new Response(says.slice(0, 80));
    return new Response(number % 3 === 0 ? asks : says);
  };
}

/** Has a conversation of at least so many turns; some sends fail, and some readers leave. */
async function converse({ Conversation, GeminiClient }, strata, turns) {
  const client = new GeminiClient({ fetch: fakeApi(), retry: false });
  const tools = [{ name: 'look', run: () => ({ seen: 'a fox '.repeat(20) }) }];
  const options = { model, now, tools, answerRetry: false, loopDetection: false };
  const chat = new Conversation(strata, client, options);
  for (let i = 0; chat.thread.length < turns; i++) await sendOnce(chat, i);
  return chat;
}

async function sendOnce(chat, number) {
  const leavesAt = number % 7 === 6 ? 'text' : '';
  try {
    for await (const { type } of chat.send(`Question ${number}`)) if (type === leavesAt) return;
  } catch (error) {
    if (error.name !== 'GeminiError') throw error;
  }
}

/** Each workload appends one group of turns and returns their number. */
export const workloads = {
  'threads, disposed': (pkg, strata) => {
    const thread = fillThread(strata, 100);
    const { length } = thread;
    thread[dispose]();
    return length;
  },
  'threads, not disposed': (pkg, strata) => fillThread(strata, 100).length,
  'conversations, disposed': async (pkg, strata) => {
    const chat = await converse(pkg, strata, 50);
    const { length } = chat.thread;
    chat[dispose]();
    return length;
  },
  'conversations, not disposed': async (pkg, strata) =>
    (await converse(pkg, strata, 50)).thread.length,
};

/**
 * Runs a workload until it has appended so many turns. Calls `afterTenth` after each tenth.
 * @param {(strata: object) => number | Promise<number>} appendGroup
 */
export async function runWorkload(appendGroup, turns, { afterTenth }) {
  let appended = 0;
  for (let tenth = 1; tenth <= 10; tenth++) {
    while (appended < (turns * tenth) / 10) {
      appended += await appendGroup();
      await nextTask();
    }
    await afterTenth(tenth);
  }
  return appended;
}
