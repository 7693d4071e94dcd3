// Conversations with long histories for the tests of compression, masking and the context guard. The emulator answers,
// and each test scripts the summary.
import { deepEqual, ok } from './assert.mjs';

export const model = 'gemini-3.8-flash';
export const text = (utf8) => new TextDecoder().decode(utf8);
const now = () => '2026-11-21T10:00:00Z';
export const snapshot = '<state_snapshot><overall_goal>Go on.</overall_goal></state_snapshot>';
export const signature = 'c2lnbmVkIGJ5IHRoZSBtb2RlbA==';

export const says = (reply) => ({ parts: [{ text: reply }] });
const asksForSummary = (body) => body.includes('You keep the memory');

/** Returns a conversation, and the bodies it sent for answers, summaries, token counts, and caches. */
export async function talk(
  strata,
  { summary = () => says(snapshot), respond, thread, ...options } = {},
) {
  const core = await strata.load();
  const checker = await strata.check.loadChecker();
  const sent = { answers: [], summaries: [], counts: [], caches: [] };
  const answer = strata.createEmulator({
    checker,
    respond: (request) =>
      asksForSummary(JSON.stringify(request.body)) ? summary(sent) : respond?.(request),
  });
  const fetch = async (url, init) => {
    const body = text(init.body);
    const kinds = { countTokens: 'counts', cachedContents: 'caches' };
    const kind = kinds[/countTokens|cachedContents/.exec(url)?.[0]];
    sent[kind ?? (asksForSummary(body) ? 'summaries' : 'answers')].push(body);
    return answer(url, init);
  };
  const client = new strata.GeminiClient({ fetch, retry: false });
  // The emulator repeats the question, which here is the same letter many times.
  const defaults = { model, now, loopDetection: false };
  const settings = { ...defaults, ...options, ...(thread && { thread: thread(core) }) };
  const chat = options.store
    ? await strata.Conversation.open(core, client, settings)
    : new strata.Conversation(core, client, settings);
  return { core, checker, chat, sent };
}

export async function collect(events) {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

export const turnsOf = (thread) =>
  Array.from({ length: thread.length }, (_, i) => text(thread.content(i)));
export const user = (message) => ({ role: 'user', parts: [{ text: message }] });
export const answered = (reply) => ({ role: 'model', parts: [{ text: reply }] });
export const ofType = (events, wanted) => events.filter(({ type }) => type === wanted);

/** Builds a thread of questions and answers of about `tokens` tokens each. */
export const longThread =
  (exchanges, tokens = 100) =>
  (core) => {
    const thread = core.thread({ model, sequencing: 'api' });
    for (let i = 0; i < exchanges; i++) {
      thread.append(user(`Question ${i} ${'x'.repeat(4 * tokens)}`));
      thread.append(answered(`Answer ${i} ${'y'.repeat(4 * tokens)}`));
    }
    return thread;
  };

export function accepted(checker, bodies) {
  ok(bodies.length > 0, 'nothing was sent');
  for (const body of bodies) {
    const found = checker.lint(body, { model }).diagnostics;
    const errors = found.filter(({ severity }) => severity === 'error');
    deepEqual(errors, [], body.slice(0, 300));
  }
}
