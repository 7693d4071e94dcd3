// Answers in the place of the Gemini API: what a test says for each request, and by default a text or calls.
import { chunk } from './worker-process.mjs';

/** Returns an answer of these Parts. */
export const answerOf = (parts) =>
  new Response(
    `data: ${JSON.stringify({
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 25 },
    })}\r\n\r\n`,
  );

/** Returns a Part with a call, signed if it is the first of its answer. */
export const callOf = (name, args = {}, isFirst = true) => ({
  functionCall: { name, args },
  ...(isFirst && { thoughtSignature: 'c2lnbmVk' }),
});

/** A gate that opens once, and tells when somebody waits at it. */
export function gate() {
  let open, reach;
  const opened = new Promise((resolve) => (open = resolve));
  const reached = new Promise((resolve) => (reach = resolve));
  return { open, reached, pass: (value) => (reach(), opened.then(() => value)) };
}

/**
 * Returns an API that answers `call <names>` with calls of these tools, anything else with `Answer to <text>`, and
 * results with `Done.`. `answers` replaces answers to some texts, `hold` is what the tool of the deployment returns.
 */
export function scriptedApi({ answers = {}, hold = () => 'held' } = {}) {
  const bodies = [];
  const api = async (request) => {
    if (new URL(request.url).hostname === 'tools.test') return new Response(await hold(request));
    const body = JSON.parse(await request.text());
    bodies.push(body);
    const last = body.contents.at(-1).parts.at(-1);
    if (last.functionResponse) return answers.results?.(body) ?? answerOf([{ text: 'Done.' }]);
    const answer = answers[last.text];
    if (answer) return answer(body);
    const [, names] = /^call (.*)$/.exec(last.text) ?? [];
    if (names === undefined) return answerOf([{ text: `Answer to ${last.text}` }]);
    return answerOf(names.split(' ').map((name, index) => callOf(name, { index }, index === 0)));
  };
  return { api, bodies };
}

/** Returns an answer that begins with a text and never ends. */
export const unfinished = (text) =>
  new Response(
    new ReadableStream({ start: (out) => out.enqueue(new TextEncoder().encode(chunk(text))) }),
  );
