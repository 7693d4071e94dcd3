// Passes an answer on as it arrives, and learns from the same bytes: signatures are remembered before the bytes that
// complete them leave.
import { GeminiError } from '../sdk/internal/errors.js';
import { dispose } from '../sdk/internal/lifetime.js';
import { readerOf } from '../sdk/client/http.js';
import { maxAnswerBytes } from '../sdk/client/response-body.js';
import type { UsageMetadata } from '../sdk/types/gemini/response.js';
import type { ApiError, ResponseAssembler, StreamEvent } from '../sdk/types/response.js';
import { KeyGuard } from './key-guard.js';

/** What an answer is watched with. */
interface AnswerWatch {
  /** Creates an assembler of answers. */
  response(): ResponseAssembler;
  /**
   * Whether a signature comes before the part that it belongs to, as on the Interactions API: then every whole part is
   * worth remembering, and no text that still grows. Default: false.
   */
  signsAhead?: boolean;
  /** Remembers the signatures of the Content so far. The bytes wait for it, so it must not fail. */
  remember(content: Uint8Array): Promise<void>;
  /** Texts that an error within the answer must not hold. */
  secrets: readonly string[];
  /** Called once, at the end of the answer or when it is cancelled. */
  ended(end: AnswerEnd): void;
}

/** How an answer ended. */
export interface AnswerEnd {
  usage: UsageMetadata;
  /** What broke it off: an error, also one that the answer itself holds, or what it was cancelled with. */
  reason?: unknown;
}

// The name `thoughtSignature` or `thought_signature`, however its first letters are written. Quotes in a text are
// escaped, so that no text of an answer looks like this and a colon.
const token = new TextEncoder().encode('ignature"');

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Returns whether bytes name a signature; also if what follows a name is not there yet. */
function hasToken(bytes: Uint8Array): boolean {
  const [first = 0] = token;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (!token.every((byte, index) => bytes[at + index] === byte)) continue;
    let next = at + token.length;
    while (isSpace(bytes[next])) next++;
    if (next === bytes.length || bytes[next] === 0x3a) return true;
  }
  return false;
}

// To remember is to copy the answer so far and look at it. After so many times the answer must have grown by a quarter
// before the next time, or end: thousands of signed events would cost the square of their number.
const eagerTimes = 32;
const growth = 1.25;

/** Watches the bytes of one answer. A core that fails ends the watching, not the answer. */
class Watcher {
  readonly #watch: AnswerWatch;
  readonly #assembler: ResponseAssembler | undefined;
  #size = 0;
  /** The end of the chunk before, in which the name of a field may begin. */
  #before: Uint8Array = new Uint8Array();
  /** Whether bytes since the last complete event name a signature. */
  #isPending = false;
  #hasFailed = false;
  /** How often signatures were remembered, and the size of the answer at the last time. */
  #times = 0;
  #rememberedSize = 0;
  usage: UsageMetadata = {};
  /** The error that the answer holds. */
  error: GeminiError | undefined;
  /** Whether the answer says that it is complete. */
  isComplete = false;

  constructor(watch: AnswerWatch) {
    this.#watch = watch;
    try {
      this.#assembler = watch.response();
    } catch {
      // The core has trapped in another request since the body was sent.
      this.#hasFailed = true;
    }
  }

  /** Takes the next bytes. They may leave when it resolves. */
  async take(bytes: Uint8Array): Promise<void> {
    this.#size += bytes.length;
    if (this.#size > maxAnswerBytes)
      throw new RangeError(`The answer is longer than ${maxAnswerBytes} bytes`);
    if (this.#hasFailed) return;
    this.#isPending ||= this.#watch.signsAhead === true || this.#names(bytes);
    if (!this.#read((assembler) => assembler.push(bytes)) || !this.#isPending) return;
    if (this.#times >= eagerTimes && this.#size < growth * this.#rememberedSize) return;
    await this.#remember();
    // The next event may have begun in the same bytes.
    this.#isPending = !endsEvent(bytes) && hasToken(bytes);
  }

  /** Ends the answer: what has not been remembered is. */
  async end(): Promise<void> {
    if (!this.#hasFailed) this.#read((assembler) => assembler.end());
    if (this.#isPending && !this.#hasFailed) await this.#remember();
    // The status of an interaction does not say that its steps are complete.
    const isCertain = this.isComplete && !this.#watch.signsAhead;
    if (!isCertain && !this.error && !this.#hasFailed) this.#finish();
  }

  release(): void {
    if (!this.#hasFailed) this.#assembler?.[dispose]();
    this.#hasFailed = true;
  }

  #names(bytes: Uint8Array): boolean {
    const seam = new Uint8Array(this.#before.length + Math.min(bytes.length, token.length));
    seam.set(this.#before);
    seam.set(bytes.subarray(0, token.length), this.#before.length);
    this.#before = (bytes.length < token.length ? seam : bytes).slice(1 - token.length);
    return hasToken(seam) || hasToken(bytes);
  }

  /** Returns whether an event is complete that may be worth remembering. */
  #read(next: (assembler: ResponseAssembler) => StreamEvent[]): boolean {
    try {
      const events = this.#assembler ? next(this.#assembler) : [];
      for (const event of events) this.#note(event);
      return this.#watch.signsAhead ? events.some(isWhole) : events.length > 0;
    } catch {
      this.#hasFailed = true;
      return false;
    }
  }

  #note(event: StreamEvent): void {
    if (event.type === 'usage') this.usage = event.usage;
    if (event.type === 'error') this.error = errorOf(event.error);
    if (event.type !== 'metadata') return;
    const { finishReason, promptFeedback } = event.metadata;
    const { status } = Object(event.metadata) as { status?: unknown };
    const isDone = status !== undefined && status !== 'in_progress';
    this.isComplete ||= isDone || Boolean(finishReason ?? promptFeedback?.blockReason);
  }

  // The end may complete the last event. What is not complete then is broken.
  #finish(): void {
    try {
      const { usage } = this.#assembler?.finish() ?? {};
      if (usage) this.usage = usage;
    } catch (error) {
      if (error instanceof GeminiError) this.error = error;
      else this.#hasFailed = true;
    }
  }

  async #remember(): Promise<void> {
    this.#times++;
    this.#rememberedSize = this.#size;
    const content = this.#contentSoFar();
    if (content) await this.#watch.remember(content);
  }

  #contentSoFar(): Uint8Array | undefined {
    try {
      return this.#assembler?.content();
    } catch {
      this.#hasFailed = true;
      return undefined;
    }
  }
}

const isWhole = ({ type }: StreamEvent): boolean => type !== 'text' && type !== 'thought';

const errorOf = ({ code, status, message }: ApiError): GeminiError =>
  new GeminiError(`api.${status || code}`, message, { status: code });

// A blank line ends an event; other forms of answers say nothing so cheaply.
function endsEvent(bytes: Uint8Array): boolean {
  const end = bytes.subarray(-4);
  const [a, b, c, d] = [end.at(-4), end.at(-3), end.at(-2), end.at(-1)];
  return d === 10 && (c === 10 || (c === 13 && b === 10 && a === 13));
}

/**
 * Returns the body of a response, which is passed on chunk by chunk and read no faster than it is read itself.
 * Cancelling it cancels the response.
 */
export function watchAnswer(response: Response, watch: AnswerWatch): ReadableStream<Uint8Array> {
  const reader = readerOf(response);
  const watcher = new Watcher(watch);
  let isOpen = true;
  const finish = (reason?: unknown) => {
    if (!isOpen) return;
    isOpen = false;
    watcher.release();
    const { usage } = watcher;
    watch.ended(reason === undefined ? { usage } : { usage, reason });
  };
  const guard = new KeyGuard(watch.secrets);
  const see = async (bytes: Uint8Array) => {
    await watcher.take(bytes);
    return watcher.error !== undefined;
  };
  const pull = async (out: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      const bytes = await guard.read(reader, see);
      if (bytes) return out.enqueue(bytes);
      await watcher.end();
      const { error } = watcher;
      const rest = guard.end(error !== undefined);
      finish(error);
      if (rest.length > 0) out.enqueue(rest);
      out.close();
    } catch (error) {
      void reader?.cancel(error).catch(() => {});
      finish(error);
      out.error(error);
    }
  };
  const cancel = async (reason: unknown) => {
    // Clients may leave once they have the whole answer.
    finish(watcher.isComplete ? undefined : (reason ?? 'cancelled'));
    await reader?.cancel(reason);
  };
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}
