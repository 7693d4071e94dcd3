// Lists the requests of the conversation with their raw answers: those that were sent here, and those that saved
// turns belong to, which are made again when they are looked at.
import { computed, signal, type Signal } from '@preact/signals';
import type { Fetch, Manifest, RequestEvent, Wire } from '../../index.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import { messageOf } from '../../sdk/internal/messages.js';
import { signaturesIn } from '../engine/signatures.js';
import type { SavedTurn } from './turns.js';

// Enough for any text answer; an image may be longer.
const maxLength = 1 << 20;

/** An answer as it came from the network. */
export class RawAnswer {
  /** `HTTP 200`; '' before the response begins. */
  readonly status = signal('');
  readonly text = signal('');
  /** Whether the rest was left out because the answer is too long. */
  isCut = false;

  add(piece: string): void {
    if (piece === '' || this.isCut) return;
    const text = this.text.peek();
    const kept = piece.slice(0, maxLength - text.length);
    this.isCut = kept.length < piece.length;
    this.text.value = text + kept;
  }
}

/** Returns a fetch function that records the answers to requests of a conversation in what `current` returns. */
export function recordingFetch(fetch: Fetch, current: () => RawAnswer | undefined): Fetch {
  return async (input, init) => {
    const record = current();
    const response = await fetch(input, init);
    const url = input instanceof Request ? input.url : String(input);
    if (!record || !/generateContent|\/interactions/i.test(url)) return response;
    record.status.value = `HTTP ${response.status}`;
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const copy = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        record.add(decoder.decode(chunk, { stream: true }));
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body?.pipeThrough(copy) ?? null, response);
  };
}

export interface ChatRequest {
  body: Uint8Array;
  json: string;
  /** Those that it sends back. */
  signatures: string[];
  manifest: Manifest;
  model: string;
  wire: Wire;
  /** Who answers, for use in a sentence. */
  service: string;
  /** The answer as it comes from the network; undefined for a request that was made again. */
  answer: RawAnswer | undefined;
  /** Whether it was made again: then whether it is what was sent, byte for byte. */
  again?: 'same' | 'other';
}

/** A request by its number. Its bytes are there once it was sent, or made again. */
export interface NumberedRequest {
  number: number;
  bytes: Signal<ChatRequest | undefined>;
  problem: Signal<string | undefined>;
  /** The API's count of the prompt's tokens. */
  counted: Signal<number | undefined>;
  load?: () => Promise<void>;
}

function chatRequest(event: RequestEvent, service: string): Omit<ChatRequest, 'answer'> {
  const { body, manifest, model, wire = 'generateContent' } = event;
  const json = decodeUtf8(body);
  return { body, json, signatures: signaturesIn(json), manifest, model, wire, service };
}

export class Requests {
  readonly all = signal<readonly NumberedRequest[]>([]);
  readonly selected = signal<NumberedRequest>();
  /**
   * The number of the first request that sends a signature back, without those of an earlier run: the emulator signs
   * the same answer alike.
   */
  readonly sentBackIn = computed(() => {
    const numbers = new Map<string, number>();
    let after: number | undefined;
    for (const { number, bytes } of this.all.value.toReversed()) {
      for (const text of bytes.value?.signatures ?? [])
        if (!numbers.has(text) || numbers.get(text) === after) numbers.set(text, number);
      after = number;
    }
    return numbers;
  });
  /** By the time of the answers' turns, which identifies them in every course. */
  readonly #byAnswer = new Map<string, NumberedRequest>();
  readonly #serviceName: () => string;

  constructor(serviceName: () => string) {
    this.#serviceName = serviceName;
  }

  clear(): void {
    this.#byAnswer.clear();
    this.all.value = [];
    this.selected.value = undefined;
  }

  send(event: RequestEvent): { request: NumberedRequest; bytes: ChatRequest } {
    const bytes = { ...chatRequest(event, this.#serviceName()), answer: new RawAnswer() };
    const request = this.#add(bytes);
    this.selected.value = request;
    return { request, bytes };
  }

  answered(request: NumberedRequest, at: string): void {
    this.#byAnswer.set(at, request);
  }

  of({ at = '' }: SavedTurn): NumberedRequest | undefined {
    return this.#byAnswer.get(at);
  }

  /**
   * Adds the requests that saved turns answer and that were not sent here. `make` makes one again, and gets the manifest
   * of the request before.
   */
  restore(
    turns: readonly SavedTurn[],
    make: (turn: SavedTurn, previous: Manifest | undefined) => Promise<RequestEvent | undefined>,
  ): void {
    let previous: Manifest | undefined;
    for (const turn of turns) {
      const { at, manifest, content } = turn;
      if (content.role !== 'model') continue;
      const before = previous;
      previous = manifest;
      if (at === undefined || this.#byAnswer.has(at)) continue;
      const request = this.#add();
      request.load = () => this.#load(request, () => make(turn, before), manifest);
      this.#byAnswer.set(at, request);
    }
    if (!this.selected.peek()) this.select(this.all.peek().at(-1));
  }

  select(request: NumberedRequest | undefined): void {
    this.selected.value = request;
    void request?.load?.();
  }

  #add(bytes?: ChatRequest): NumberedRequest {
    const number = this.all.peek().length + 1;
    const unknown = { problem: signal(undefined), counted: signal(undefined) };
    const request: NumberedRequest = { number, bytes: signal(bytes), ...unknown };
    this.all.value = [...this.all.peek(), request];
    return request;
  }

  // Makes a request again once. The prompt may be another one since, so its bytes are compared with what was sent.
  async #load(
    request: NumberedRequest,
    make: () => Promise<RequestEvent | undefined>,
    manifest: Manifest | undefined,
  ): Promise<void> {
    const { bytes, problem } = request;
    if (bytes.peek()) return;
    try {
      const event = await make();
      if (!event) throw new Error('The turns before this answer end without a message.');
      const isSame = event.manifest.fingerprints.full === manifest?.fingerprints.full;
      const again: ChatRequest['again'] = isSame ? 'same' : 'other';
      problem.value = undefined;
      bytes.value = { ...chatRequest(event, this.#serviceName()), answer: undefined, again };
    } catch (error) {
      problem.value = messageOf(error);
    }
  }
}
