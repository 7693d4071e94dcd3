// Why this file exists: a model may stop in the middle of what it announced. Who has to speak next is clear
// from the last turn, or is asked.
import { readText } from '../client/body.js';
import { StrataError } from '../base/errors.js';
import type { Json } from '../types/json.js';
import type { Thread } from '../types/thread.js';
import { hasResults, isBlank, readContent, spokenText } from '../base/content.js';
import type { ContinueOptions } from './continue-options.js';
import type { SendContext } from './request.js';

/** Who has to speak next, and why; null where nobody can tell. */
export type NextSpeaker = { speaker: 'user' | 'model'; reasoning: string } | null;

const question =
  'Look only at your last message above and decide who has to speak next: "model", if you announced ' +
  'something that you have not done yet or broke off; "user", if you asked something or are done.';

const generationConfig = {
  responseMimeType: 'application/json',
  responseJsonSchema: {
    type: 'object',
    properties: {
      reasoning: { type: 'string' },
      next_speaker: { type: 'string', enum: ['user', 'model'] },
    },
    required: ['reasoning', 'next_speaker'],
  },
};

/** What the last turn alone says; undefined where the model has to be asked. */
function knownSpeaker(thread: Thread): NextSpeaker | undefined {
  if (thread.length === 0) return null;
  const last = thread.content(thread.length - 1);
  if (hasResults(last)) return { speaker: 'model', reasoning: 'Tool results wait for an answer.' };
  const content = readContent(last);
  if (content.role !== 'model') return null;
  if (isBlank(content)) return { speaker: 'model', reasoning: 'The last message is empty.' };
  return undefined;
}

/** What the model's answer to the question says. */
function speakerIn(answer: Json): NextSpeaker {
  const { next_speaker: speaker, reasoning } = Object(answer);
  if (speaker !== 'user' && speaker !== 'model') return null;
  return { speaker, reasoning: typeof reasoning === 'string' ? reasoning : '' };
}

/** Who speaks next after the thread's last turn. A question that fails is no answer: only aborts throw. */
export async function nextSpeaker(
  { live, client, strata, signal }: SendContext,
  options: ContinueOptions,
): Promise<NextSpeaker> {
  const known = knownSpeaker(live.thread);
  if (known !== undefined) return known;
  try {
    const { ok, body } = live.thread.assemble({
      ...{ now: live.now(), trigger: question, generationConfig, bufferTokens: -1 },
      ...{ static: { text: '' }, dynamic: { text: '' } },
    });
    if (!ok) return null;
    const response = await client.generate(options.model ?? live.model, body, { signal });
    const answer = strata.response({ redact: (text) => client.redact(text) });
    answer.push(new TextEncoder().encode(await readText(response)));
    return speakerIn(JSON.parse(spokenText(readContent(answer.finish().content))));
  } catch (error) {
    if (error instanceof StrataError || error instanceof SyntaxError) return null;
    throw error;
  }
}
