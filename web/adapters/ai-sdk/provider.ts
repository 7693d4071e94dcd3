// Creates the provider of `prompt-strata/ai-sdk`.
import type { LanguageModelV4 } from '@ai-sdk/provider';
import * as must from '../../sdk/internal/options.js';
import { sharedInstance } from '../../sdk/internal/shared-instance.js';
import {
  GeminiClient,
  load,
  type GeminiClientOptions,
  type Strata,
  type Wire,
} from '../../index.js';
import { GeminiLanguageModel } from './language-model.js';

/** Options of `createPromptStrata`: those of a client, or a client of your own. */
export interface PromptStrataOptions extends GeminiClientOptions {
  /** A client of your own. Then the headers of single calls are not sent. */
  client?: GeminiClient | undefined;
  /** The API that answers. Default: `generateContent`. */
  wire?: Wire | undefined;
}

/** A provider of the AI SDK. */
export interface PromptStrataProvider {
  /**
   * Returns a model.
   *
   * @throws StrataError `field.invalid` for a name that is not a string
   */
  (modelId: string): LanguageModelV4;
  readonly specificationVersion: 'v4';
  /**
   * Returns a model.
   *
   * @throws StrataError `field.invalid` for a name that is not a string
   */
  languageModel(modelId: string): LanguageModelV4;
  /**
   * There is none.
   *
   * @throws StrataError `field.invalid`
   */
  embeddingModel(modelId: string): never;
  /**
   * There is none. Gemini's models that write images are language models.
   *
   * @throws StrataError `field.invalid`
   */
  imageModel(modelId: string): never;
}

// Pure: a page that imports the transport alone needs neither the provider nor WebAssembly.
const sharedCore = /* @__PURE__ */ sharedInstance<Strata>(load, (core) => core.modelLimits(''));

type Headers = Readonly<Record<string, string | undefined>>;

// The AI SDK names itself in each call: that alone needs no client of its own.
const ownHeaders = (headers: Headers = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name.toLowerCase() === 'user-agent' ? [] : [[name, value]],
    ),
  );

/** Returns the key that @ai-sdk/google reads, or Google's own clients. */
function keyOfEnvironment(): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const { GOOGLE_GENERATIVE_AI_API_KEY, GEMINI_API_KEY } = process?.env ?? {};
  return GOOGLE_GENERATIVE_AI_API_KEY ?? GEMINI_API_KEY;
}

/** Creates the clients of a provider. */
class Clients {
  readonly #options: GeminiClientOptions;
  #client: GeminiClient | undefined;
  readonly #isGiven: boolean;

  constructor(options: GeminiClientOptions, client: GeminiClient | undefined) {
    this.#options = options;
    this.#client = client;
    this.#isGiven = client !== undefined;
  }

  get(headers: Headers | undefined): GeminiClient {
    const shared = (this.#client ??= new GeminiClient(this.#withKey()));
    const own = ownHeaders(headers);
    if (this.#isGiven || Object.keys(own).length === 0) return shared;
    const options = this.#withKey();
    const { headers: all } = options;
    const merged =
      typeof all === 'function' ? async () => ({ ...(await all()), ...own }) : { ...all, ...own };
    return new GeminiClient({ ...options, headers: merged });
  }

  // The key is read when it is needed: programs set it after their imports.
  #withKey(): GeminiClientOptions {
    const { apiKey, vertexai, baseUrl, fetch } = this.#options;
    if (apiKey !== undefined || vertexai !== undefined || baseUrl !== undefined)
      return this.#options;
    const found = keyOfEnvironment();
    if (found !== undefined) return { ...this.#options, apiKey: found };
    if (fetch) return this.#options;
    throw must.optionError(
      'key.missing',
      '/apiKey',
      'There is no API key. Pass `apiKey` (https://aistudio.google.com/apikey), or set GOOGLE_GENERATIVE_AI_API_KEY.',
    );
  }
}

function none(kind: string): never {
  throw must.invalidOption('/modelId', `a language model: this provider has no ${kind} models`);
}

/**
 * Creates a provider for the AI SDK 7, in the place of `createGoogle` of `@ai-sdk/google`. Every turn of the model goes
 * back to the API as the bytes that it sent; a request that the API would refuse is an error before it is sent.
 * Without `apiKey`, the key is read from the variable `GOOGLE_GENERATIVE_AI_API_KEY` or `GEMINI_API_KEY`.
 *
 * @throws StrataError `field.unknown`, `field.invalid` or `key.invalid`; a model throws `key.missing` when it is called
 *   without a key
 *
 * @example
 * const gemini = createPromptStrata({ apiKey });
 * const { text } = await generateText({ model: gemini('gemini-3.8-flash'), prompt: 'Hello' });
 */
export function createPromptStrata(options: PromptStrataOptions = {}): PromptStrataProvider {
  must.object(options, '');
  const { client, wire = 'generateContent', ...others } = options;
  must.wire(wire, '/wire');
  if (client && Object.keys(others).length > 0)
    throw must.invalidOption('/client', 'given without options of another client');
  // Wrong options are an error here, not at the first call.
  if (!client) new GeminiClient(others);
  const clients = new Clients(others, client);
  const context = {
    core: sharedCore,
    client: (headers: Headers | undefined) => clients.get(headers),
    wire,
  };
  const languageModel = (modelId: string): LanguageModelV4 => {
    must.nonEmptyString(modelId, '/modelId');
    return new GeminiLanguageModel(modelId, context);
  };
  const members = {
    specificationVersion: 'v4' as const,
    languageModel,
    embeddingModel: () => none('embedding'),
    imageModel: () => none('image'),
  };
  return Object.assign((modelId: string) => languageModel(modelId), members);
}

/**
 * The provider without options, in the place of `google` of `@ai-sdk/google`.
 *
 * @example
 * import { promptStrata as google } from 'prompt-strata/ai-sdk';
 */
export const promptStrata: PromptStrataProvider = /* @__PURE__ */ createPromptStrata();
