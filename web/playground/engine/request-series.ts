// Assembles the requests of a conversation, one for each message of the user.
import type { Assembled, AssembleInput, Content, Manifest, Thread } from '../../index.js';
import { dispose, withDisposable } from '../../sdk/internal/lifetime.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import type { Engines, PromptChoice } from './prompt-result.js';
import { PromptValues } from './prompt-values.js';
import type { Variables } from './prompt-sources.js';
import { requestFields } from './prompt-fields.js';

interface ReadContent {
  role?: string;
  parts?: { text?: string; functionResponse?: unknown }[];
}

/** A message of the user. */
interface Message {
  /** Its position in the history. */
  at: number;
  text: string;
}

// Returns the messages of the user, without the results of tools.
function messagesOf(thread: Thread): Message[] {
  return Array.from({ length: thread.length }, (_, at) => at).flatMap((at) => {
    const { role, parts = [] }: ReadContent = JSON.parse(decodeUtf8(thread.content(at, 'content')));
    if (role === 'model' || parts.some((part) => part.functionResponse !== undefined)) return [];
    return [{ at, text: parts.map(({ text = '' }) => text).join('') }];
  });
}

// What the simulated conversation is about.
const topics =
  'the opening hours,the way to the entrance,the tickets for groups,the guided tours,the cloakroom,the restaurant,photographs,the lift,the archive,the evening lectures,the shop'.split(
    ',',
  );

const question = (topic: string) => `What should visitors know about ${topic}? Please be specific.`;

const answer = (topic: string) =>
  `Here is what the handbook says about ${topic}. It is the same on every day of the week, and ` +
  'there is no difference between members and other visitors. Please tell the staff at the desk ' +
  'if you need help, and plan ten minutes for it. If something has changed since the handbook ' +
  'was printed, the board at the entrance shows it. For larger groups, write to us a week ahead, ' +
  'so that we can prepare what you need and tell you whom to ask for when you arrive.';

const text = (role: 'user' | 'model', value: string): Content => ({
  role,
  parts: [{ text: value }],
});

// Returns the Contents of ten turns, a question and an answer each, and the newest question: so that a prompt can be
// judged before anybody has chatted with it.
function simulatedConversation(): Content[] {
  const contents = topics.flatMap((topic) => [
    text('user', question(topic)),
    text('model', answer(topic)),
  ]);
  return contents.slice(0, -1);
}

const minute = 60_000;

/** The requests of one prompt and one conversation. Dispose it to free the memory of the core. */
export class RequestSeries implements Disposable {
  readonly #thread: Thread;
  readonly #values: PromptValues;
  readonly #fields: ReturnType<typeof requestFields>;
  readonly #messages: Message[];
  readonly #start: number;
  readonly #model: string;
  /** The smallest explicit cache; undefined if none is wanted or possible. */
  readonly #cacheMinimum: number | undefined;

  /** `now` is the time of the last message; each message before is one minute older. */
  constructor(engines: Engines, { prompt, settings, history }: PromptChoice, now: string) {
    const from = history === '' ? JSON.stringify(simulatedConversation()) : history;
    const { model, backend, caching } = settings;
    const { explicitCache, cacheMinimum } = engines.strata.modelLimits(model, { backend, now });
    this.#model = model;
    this.#cacheMinimum = caching && explicitCache ? cacheMinimum : undefined;
    const rules = { policy: 'warn', sequencing: 'api' } as const;
    this.#thread = engines.strata.thread({ model, backend, from, now, ...rules });
    this.#messages = messagesOf(this.#thread);
    this.#start = Date.parse(now) - minute * (this.length - 1);
    this.#values = new PromptValues(engines, prompt);
    this.#fields = requestFields(settings);
  }

  /** The number of requests. */
  get length(): number {
    return this.#messages.length;
  }

  /** The time of a message, RFC 3339. */
  timeOf(turn: number): string {
    return new Date(this.#start + minute * turn).toISOString().replace(/\.\d+Z$/, 'Z');
  }

  /** Returns what the dynamic template knows at a message. */
  valuesAt(turn: number): Variables {
    const now = this.timeOf(turn);
    return { current_datetime: now, ...this.#values.at(now, this.#messages[turn]?.text ?? '') };
  }

  /** Assembles the request for a message. */
  request(turn: number, previous?: Manifest, override: Variables = {}): Assembled {
    const cache = this.#cacheBefore(turn, override);
    const more = { ...(previous ? { previous } : {}), ...(cache ? { cache } : {}) };
    return this.#at(turn, override, (thread, input) => thread.assemble({ ...input, ...more }));
  }

  // Returns the explicit cache that the request before would have created, if it had reached the minimum.
  #cacheBefore(turn: number, override: Variables): AssembleInput['cache'] {
    const minimum = this.#cacheMinimum;
    if (minimum === undefined || turn === 0) return undefined;
    return this.#at(turn - 1, override, (thread, plain) => {
      const input = { ...plain, bufferTokens: 0 };
      if (thread.cachePreview(input).tokens < minimum) return undefined;
      const { turns, key } = thread.cacheBody(input);
      return { name: 'cachedContents/example', model: this.#model, turns, key };
    });
  }

  // Calls `use` with the thread before a message and with the input of its request.
  #at<Result>(
    turn: number,
    override: Variables,
    use: (thread: Thread, input: AssembleInput) => Result,
  ): Result {
    const { at, text } = this.#messages[turn] ?? { at: 0, text: '' };
    const [now, trigger] = [this.timeOf(turn), this.#thread.content(at, 'content')];
    return this.#values.with({ now, text, override }, (layers) => {
      const input: AssembleInput = { ...layers, ...this.#fields, now, trigger };
      return withDisposable(this.#thread.fork(at), (thread) => use(thread, input));
    });
  }

  [dispose](): void {
    this.#thread[dispose]();
  }
}
