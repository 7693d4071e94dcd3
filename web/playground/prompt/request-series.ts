// Assembles the requests of a conversation, one for each message of the user.
import type {
  Assembled,
  AssembleInput,
  CompiledPrompt,
  Manifest,
  Strata,
  Thread,
} from '../../index.js';
import { dispose, withDisposable } from '../../sdk/base/dispose.js';
import { textOf } from '../dom.js';
import { chatPrompt } from '../chat/settings.js';
import type { RequestChoice } from './analysis-types.js';
import { requestFields } from './request-fields.js';
import { simulatedConversation } from './simulated-conversation.js';

interface ReadContent {
  role?: string;
  parts?: { functionResponse?: unknown }[];
}

// Whether a Content is a message of the user, not the results of tools.
function isMessage(content: Uint8Array): boolean {
  const { role, parts = [] }: ReadContent = JSON.parse(textOf(content));
  return role !== 'model' && !parts.some(({ functionResponse }) => functionResponse !== undefined);
}

const minute = 60_000;

/** What may differ between the requests of a series. */
export type InputChange = (input: AssembleInput) => AssembleInput;

/** The requests of one prompt and one conversation. Dispose it to free the memory of the core. */
export class RequestSeries implements Disposable {
  readonly #thread: Thread;
  readonly #compiled: (CompiledPrompt & Disposable) | undefined;
  readonly #input: Omit<AssembleInput, 'now'>;
  /** The positions of the user's messages. */
  readonly #messages: number[] = [];
  readonly #start: number;
  readonly #model: string;
  /** The smallest explicit cache; undefined if none is wanted or possible. */
  readonly #cacheMinimum: number | undefined;

  /** `now` is the time of the last message; each message before is one minute older. */
  constructor(strata: Strata, { prompt, settings, history }: RequestChoice, now: string) {
    const from = history === '' ? JSON.stringify(simulatedConversation()) : history;
    const { model, backend, caching } = settings;
    const { explicitCache, cacheMinimum } = strata.modelLimits(model, { backend, now });
    this.#model = model;
    this.#cacheMinimum = caching && explicitCache ? cacheMinimum : undefined;
    this.#thread = strata.thread({
      ...{ model, backend, from, now },
      policy: 'warn',
      sequencing: 'api',
    });
    for (let at = 0; at < this.#thread.length; at++)
      if (isMessage(this.#thread.content(at))) this.#messages.push(at);
    this.#start = Date.parse(now) - minute * (this.length - 1);
    const { prompt: sections, ...layers } = chatPrompt(prompt);
    this.#compiled = sections && strata.compile({ ...sections, now });
    this.#input = { ...layers, ...requestFields(settings) };
  }

  /** The number of requests. */
  get length(): number {
    return this.#messages.length;
  }

  /** The time of a message, RFC 3339. */
  timeOf(turn: number): string {
    return new Date(this.#start + minute * turn).toISOString().replace(/\.\d+Z$/, 'Z');
  }

  /** Assembles the request for a message, as `change` wants it. */
  request(turn: number, previous?: Manifest, change: InputChange = (input) => input): Assembled {
    const cache = this.#cacheBefore(turn, change);
    const more = { ...(previous ? { previous } : {}), ...(cache ? { cache } : {}) };
    return this.#at(turn, (thread, input) => thread.assemble(change({ ...input, ...more })));
  }

  // Returns the explicit cache that the request before would have created, if it had reached the minimum.
  #cacheBefore(turn: number, change: InputChange): AssembleInput['cache'] {
    const minimum = this.#cacheMinimum;
    if (minimum === undefined || turn === 0) return undefined;
    return this.#at(turn - 1, (thread, plain) => {
      const input = change({ ...plain, bufferTokens: 0 });
      if (thread.cachePreview(input).tokens < minimum) return undefined;
      const { turns, key } = thread.cacheBody(input);
      return { name: 'cachedContents/example', model: this.#model, turns, key };
    });
  }

  // Calls `use` with the thread before a message and with the input of its request.
  #at<Result>(turn: number, use: (thread: Thread, input: AssembleInput) => Result): Result {
    const at = this.#messages[turn] ?? 0;
    const input: AssembleInput = {
      ...this.#input,
      ...(this.#compiled ? { compiled: this.#compiled } : {}),
      now: this.timeOf(turn),
      trigger: this.#thread.content(at),
    };
    return withDisposable(this.#thread.fork(at), (thread) => use(thread, input));
  }

  [dispose](): void {
    this.#compiled?.[dispose]();
    this.#thread[dispose]();
  }
}
