// Asks the workers of the page: what each is asked and answers, the page's side that asks, and the worker's side.
import { messageOf } from '../../sdk/internal/messages.js';
import type { Analysis, AnalysisOptions } from './lint-result.js';
import type { PlacementComparison, PromptAnalysis, PromptQuestion } from './prompt-result.js';

/** What the page asks each worker, what it answers, and what may follow the answer. */
export interface Workers {
  lint: { question: { text: string; options: AnalysisOptions }; answer: Analysis; more: never };
  prompt: { question: PromptQuestion; answer: PromptAnalysis; more: PlacementComparison };
}
type Name = keyof Workers;
type Question<Of extends Name> = Workers[Of]['question'];
type Answer<Of extends Name> = Workers[Of]['answer'];
type More<Of extends Name> = Workers[Of]['more'];
type Call<Of extends Name> = { id: number; question: Question<Of> };

/** A message of a worker. After `isFatal`, the worker cannot be used any more. */
type Reply<Of extends Name> =
  | { id: number; answer: Answer<Of> }
  | { id: number; more: More<Of> }
  | { id: number; code: string; message: string; isFatal: boolean };

/** A question that waits for its answer. */
interface Asked<Of extends Name> {
  question: Question<Of>;
  resolve: (answer: Answer<Of> | undefined) => void;
  reject: (error: Error) => void;
}

/** What the client needs of a Worker. */
type PageWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

export interface ClientOptions<Of extends Name> {
  start: () => PageWorker;
  /** After this time, another worker takes the place of the one that has not answered. */
  limitMs: number;
  slow: string;
  /** Called with what follows the newest answer. */
  onMore?: (more: More<Of>) => void;
}

/** Asks a worker. One question runs at a time; of those that wait, only the newest is asked. */
export class WorkerClient<Of extends Name> {
  readonly #options: ClientOptions<Of>;
  #worker: PageWorker | undefined;
  #running: Asked<Of> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #next: Asked<Of> | undefined;
  #id = 0;

  constructor(options: ClientOptions<Of>) {
    this.#options = options;
  }

  /**
   * Returns the answer; undefined if a newer question took the place of this one.
   *
   * @throws Error whose `code` says how the worker failed, such as `instance.out_of_memory`
   */
  ask(question: Question<Of>): Promise<Answer<Of> | undefined> {
    return new Promise((resolve, reject) => {
      this.#next?.resolve(undefined);
      this.#next = { question, resolve, reject };
      this.#send();
    });
  }

  #send(): void {
    if (this.#running || !this.#next) return;
    const { limitMs, slow } = this.#options;
    this.#running = this.#next;
    this.#next = undefined;
    this.#timer = setTimeout(() => this.#fail('timeout', slow), limitMs);
    this.#worker ??= this.#start();
    this.#id += 1;
    const call: Call<Of> = { id: this.#id, question: this.#running.question };
    this.#worker.postMessage(call);
  }

  #start(): PageWorker {
    const worker = this.#options.start();
    worker.onmessage = ({ data }: MessageEvent<Reply<Of>>) => this.#receive(data);
    worker.onerror = ({ message }) => this.#fail('error', message || 'The worker did not start.');
    return worker;
  }

  #receive(reply: Reply<Of>): void {
    if (reply.id !== this.#id) return;
    if ('more' in reply) return this.#options.onMore?.(reply.more);
    if ('code' in reply) return this.#fail(reply.code, reply.message, reply.isFatal);
    // A newer question replaces what is known now.
    this.#take()?.resolve(this.#next ? undefined : reply.answer);
    this.#send();
  }

  #fail(code: string, message: string, isFatal = true): void {
    if (isFatal) {
      this.#worker?.terminate();
      this.#worker = undefined;
    }
    this.#take()?.reject(Object.assign(new Error(message), { name: 'WorkerFailure', code }));
    this.#send();
  }

  #take(): Asked<Of> | undefined {
    const running = this.#running;
    clearTimeout(this.#timer);
    this.#running = undefined;
    return running;
  }
}

/** What a worker knows of a question besides its text. */
export interface Answering<Of extends Name> {
  sendMore: (more: More<Of>) => void;
  /** Lets newer questions arrive; false if one did. */
  isNewest: () => Promise<boolean>;
}

/** Answers questions in a worker. `follow` is called after the answer was sent. */
export function answerQuestions<Of extends Name>(
  answer: (question: Question<Of>) => Promise<Answer<Of>>,
  follow?: (question: Question<Of>, answer: Answer<Of>, more: Answering<Of>) => Promise<void>,
): void {
  // The types of `lib.dom` take this for a window, whose postMessage has other arguments.
  const port = globalThis as unknown as { postMessage(reply: Reply<Of>): void };
  let newest = 0;
  const receive = async ({ id, question }: Call<Of>): Promise<void> => {
    newest = id;
    try {
      const answered = await answer(question);
      port.postMessage({ id, answer: answered });
      await follow?.(question, answered, {
        sendMore: (more) => port.postMessage({ id, more }),
        isNewest: async () => {
          await new Promise((resolve) => setTimeout(resolve));
          return id === newest;
        },
      });
    } catch (error) {
      const code = String(Object(error).code ?? 'error');
      // After a trap, or if the core did not load, only another worker can answer.
      const isFatal = /^(?:instance|wasm)\./.test(code);
      port.postMessage({ id, code, message: messageOf(error), isFatal });
    }
  };
  addEventListener('message', ({ data }: MessageEvent<Call<Of>>) => void receive(data));
}
