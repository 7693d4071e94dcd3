// Holds the fields of a conversation's requests that are no part of the prompt, and stops sending `store` to an
// endpoint that does not know it.
import { sendAgain } from '../client/send-again.js';
import { messageOf } from '../internal/messages.js';
import type { AssembleInput } from '../types/assemble.js';
import type { Backend } from '../types/model.js';
import type { ConversationEvent } from '../types/conversation-event.js';

/** Fields of a request body that are no part of the prompt. */
export type RequestFieldValues = Pick<AssembleInput, 'store' | 'serviceTier' | 'labels' | 'extra'>;

/**
 * The options that decide about these fields.
 *
 * @internal
 */
export interface RequestFieldOptions extends Omit<RequestFieldValues, 'store'> {
  /** Undefined: the default for the endpoint. null: the field is not sent. */
  store?: boolean | null | undefined;
  backend?: Backend | undefined;
  /** The client's base URL, if it has one. */
  baseUrl?: string | undefined;
}

const googleHost = 'generativelanguage.googleapis.com';

/** Returns whether a base URL leads to Google's Gemini API. Vertex AI has no `store`. */
function isGeminiApi({ baseUrl, backend }: RequestFieldOptions): boolean {
  if (backend === 'vertex' || baseUrl === undefined) return false;
  try {
    return new URL(baseUrl).hostname === googleHost;
  } catch {
    return false;
  }
}

/** The fields that a conversation adds to each of its requests. */
export class RequestFields {
  #values: RequestFieldValues;

  /** @internal */
  constructor(options: RequestFieldOptions) {
    const { serviceTier, labels, extra } = options;
    const store =
      options.store ?? (options.store === undefined && isGeminiApi(options) ? false : undefined);
    const given = Object.entries({ store, serviceTier, labels, extra });
    this.#values = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  }

  /** The fields of the next request. */
  get values(): RequestFieldValues {
    return this.#values;
  }

  /**
   * Stops sending `store` if `error` says that the endpoint does not know it, and returns the event about it.
   * Returns undefined for any other error.
   */
  refuse(error: unknown): ConversationEvent | undefined {
    const { store, ...others } = this.#values;
    if (store === undefined || sendAgain.withoutStore(error, 1) === undefined) return undefined;
    this.#values = others;
    return { type: 'fieldRefused', field: 'store', message: messageOf(error) };
  }

  /**
   * Runs `send` with the fields, and once more if the endpoint does not know `store`.
   *
   * @throws what `send` throws
   */
  async run<Result>(
    send: (fields: RequestFieldValues) => Promise<Result>,
    emit: (event: ConversationEvent) => void,
  ): Promise<Result> {
    try {
      return await send(this.#values);
    } catch (error) {
      const refused = this.refuse(error);
      if (!refused) throw error;
      emit(refused);
      return send(this.#values);
    }
  }
}
