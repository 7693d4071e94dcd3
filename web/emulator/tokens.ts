// Counts tokens with the estimate of the core, and builds usageMetadata.
import { textOf } from '../sdk/internal/json.js';
import type { Checker } from '../check/checker.js';
import type { JsonObject } from './types.js';
import { field, objectField } from './wire.js';

/** Estimates tokens for one model. */
export class Meter {
  readonly #checker: Checker;
  readonly #model: string;

  constructor(checker: Checker, model: string) {
    this.#checker = checker;
    this.#model = model;
  }

  /** Counts a text. */
  text(text: string): number {
    return text === ''
      ? 0
      : Math.max(1, this.#checker.estimateTokens(text, { model: this.#model }));
  }

  /** Counts the system instruction of a body. */
  system(body: JsonObject): number {
    const system = field(body, 'systemInstruction');
    if (typeof system === 'string') return this.text(system);
    return this.#content(objectField(body, 'systemInstruction'));
  }

  /** Counts the system instruction, tools and contents of a body, without those of its CachedContent. */
  input(body: JsonObject): number {
    const contents = field(body, 'contents');
    const tools = field(body, 'tools');
    return (
      this.system(body) +
      (tools === undefined ? 0 : this.text(JSON.stringify(tools))) +
      this.#content(typeof contents === 'object' && contents !== null ? contents : undefined)
    );
  }

  /** Counts the Parts of an answer. */
  output(parts: JsonObject[]): number {
    return parts.reduce((sum, { text, functionCall }) => {
      const serialized = functionCall === undefined ? text : JSON.stringify(functionCall);
      return sum + this.text(textOf(serialized));
    }, 0);
  }

  #content(content: object | undefined): number {
    const empty = content === undefined || (Array.isArray(content) && content.length === 0);
    return empty ? 0 : Math.max(1, this.#checker.estimateTokens(content, { model: this.#model }));
  }
}

/** The token counts of one response. */
export interface Counts {
  /** Includes the cached tokens. */
  prompt: number;
  cached: number;
  candidates: number;
  thoughts: number;
}

/** Returns `usageMetadata`. Fields that are zero are omitted, as in ProtoJSON. */
export function usageMetadata({ prompt, cached, candidates, thoughts }: Counts): JsonObject {
  return {
    promptTokenCount: prompt,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    ...(candidates > 0 && { candidatesTokenCount: candidates }),
    totalTokenCount: prompt + candidates + thoughts,
    promptTokensDetails: modality(prompt),
    ...(cached > 0 && { cacheTokensDetails: modality(cached) }),
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
  };
}

/** Returns the response of countTokens. */
export function tokenCount(total: number, cached: number): JsonObject {
  return {
    totalTokens: total,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    promptTokensDetails: modality(total),
    ...(cached > 0 && { cacheTokensDetails: modality(cached) }),
  };
}

function modality(tokenCount: number): JsonObject[] {
  return [{ modality: 'TEXT', tokenCount }];
}
