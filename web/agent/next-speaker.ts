// Decides whether the user or the model speaks next, from the last turn or by asking the model, as Gemini CLI
// does in packages/core/src/utils/nextSpeakerChecker.ts.
import { withDisposable } from '../sdk/internal/lifetime.js';
import { textOf } from '../sdk/internal/json.js';
import { readText } from '../sdk/client/response-body.js';
import { observed } from '../sdk/client/sent-request.js';
import type { ContinueOptions } from '../sdk/chat/plugin-options.js';
import type { ConversationPlugin, LastAnswer, PluginContext } from '../sdk/chat/plugin.js';
import { StrataError } from '../sdk/internal/errors.js';
import type { Json } from '../sdk/types/json.js';
import type { CoreThread } from '../sdk/types/core-objects.js';
import type { Thread } from '../sdk/types/thread.js';
import { ownWire } from './own-wire.js';

/** Who speaks next, and why; null if unknown. */
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

/** Returns what the last turn alone decides; undefined if the model must be asked. */
function speakerFromLastTurn(thread: CoreThread): NextSpeaker | undefined {
  const { kind, hasResponses, blank } = thread.state();
  if (hasResponses) return { speaker: 'model', reasoning: 'Tool results wait for an answer.' };
  if (kind !== 'model') return null;
  return blank ? { speaker: 'model', reasoning: 'The last message is empty.' } : undefined;
}

/** Returns the speaker that the model's answer names. */
function speakerFromAnswer(answer: Json): NextSpeaker {
  const { next_speaker: speaker, reasoning } = Object(answer);
  if (speaker !== 'user' && speaker !== 'model') return null;
  return { speaker, reasoning: textOf(reasoning) };
}

// Returns who speaks after the thread's last turn. A failed request returns null; only an abort throws.
async function nextSpeaker(
  thread: CoreThread,
  context: PluginContext,
  model = context.model,
): Promise<NextSpeaker> {
  const known = speakerFromLastTurn(thread);
  if (known !== undefined) return known;
  const { client, strata, now, requestFields, signal, emit } = context;
  const own = ownWire(context, model);
  try {
    const { ok, body, manifest } = thread.assemble({
      ...{ now: now(), trigger: question, generationConfig, bufferTokens: -1 },
      ...{ static: { text: '' }, dynamic: { text: '' } },
      ...requestFields.values,
      ...own,
    });
    if (!ok) return null;
    const about = { type: 'request', purpose: 'nextSpeaker', model, body, manifest } as const;
    const request = own ? { ...about, wire: own.wire } : about;
    emit(request);
    const call = observed({ signal, emit }, request);
    const response = await (own
      ? client.interactions.stream(body, call)
      : client.generate(model, body, call));
    const bytes = new TextEncoder().encode(await readText(response));
    const redact = (text: string) => client.redact(text);
    const assembler = strata.response({ redact, ...(own && { wire: own.wire }) });
    const { text } = withDisposable(assembler, (answer) => {
      const usage = answer.push(bytes).findLast((event) => event.type === 'usage')?.usage;
      if (usage) emit({ type: 'usage', purpose: 'nextSpeaker', model, usage });
      return answer.finish();
    });
    return speakerFromAnswer(JSON.parse(text));
  } catch (error) {
    if (error instanceof StrataError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The plugin that lets the model go on while it speaks next. */
export class ContinuePlugin implements ConversationPlugin {
  readonly name = 'continue';
  readonly #options: ContinueOptions;
  /** Those of one send. */
  #answers = 0;

  constructor(options: ContinueOptions) {
    this.#options = options;
  }

  onStart(): void {
    this.#answers = 0;
  }

  async nextMessage(
    thread: Thread,
    { calls }: LastAnswer,
    context: PluginContext,
  ): Promise<string | undefined> {
    const { text = 'Please continue.', maxTurns = 100, model } = this.#options;
    if (calls.length > 0 || ++this.#answers >= maxTurns) return undefined;
    const next = await nextSpeaker(thread as CoreThread, context, model);
    if (next) context.emit({ type: 'nextSpeaker', ...next });
    return next?.speaker === 'model' ? text : undefined;
  }
}
