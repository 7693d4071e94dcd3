// Runs one client in a process of its own, as its parent asks: node process.mjs <client>
import { lastBody, upstream } from './upstream.mjs';
import { history } from './history.mjs';
import { answerText, reads } from '../streamed-answer.mjs';

// After the fetch of upstream.mjs, which some clients read when they are imported.
const { open } = await import(`./clients/${process.argv[2]}.mjs`);

/** The conversation, how it is asked, and the answer that it must give. */
let trial;
let asked = 0;

async function sample() {
  const { conversation, use } = trial;
  await conversation.reset?.();
  const question = `Question ${asked++}: will it rain in Bergen?`;
  const start = performance.now();
  const answer = await conversation[use](question);
  const whole = performance.now() - start;
  return { answer, whole, request: upstream.calledAt - start };
}

// Other processes have used the caches of the processor, and an engine gives memory back while it waits: the first runs,
// for this long, are not measured.
const settleMs = 100;

/** Runs without measuring: first until the engine has optimized what it will, later until a pause is made up for. */
async function warmUp({ leastMs, leastRuns }) {
  const end = performance.now() + leastMs;
  for (let run = 0; run < leastRuns || performance.now() < end; run++) await sample();
}

/** What the last request holds, so that the parent can see that all clients do the same work. */
async function describeRequest() {
  const bytes = await lastBody();
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const { contents } = JSON.parse(text);
  const count = (name) => text.split(`"${name}"`).length - 1;
  const signatures = count('thoughtSignature');
  return { bytes: bytes.length, contents: contents.length, signatures };
}

const commands = {
  async openTurns({ turns, use, warm }) {
    upstream.reads = undefined;
    trial = { conversation: await open(history(turns)), use };
    await warmUp(warm);
    const { answer } = await sample();
    return { answer, request: await describeRequest() };
  },
  async openStream({ chunks, chunksPerRead, use, warm }) {
    upstream.reads = reads(chunks, chunksPerRead);
    trial = { conversation: await open([]), use };
    await warmUp(warm);
    const { answer } = await sample();
    return { isComplete: answer === answerText(chunks) };
  },
  async measure({ count }) {
    await warmUp({ leastMs: settleMs, leastRuns: 1 });
    const samples = [];
    for (let run = 0; run < count; run++) {
      const { whole, request } = await sample();
      samples.push({ whole, request });
    }
    return samples;
  },
};

process.on('message', async ({ command, ...options }) => {
  try {
    process.send({ result: await commands[command](options) });
  } catch (error) {
    process.send({ error: String(error?.stack ?? error) });
  }
});
process.send({ result: 'ready' });
