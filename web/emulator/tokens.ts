// Why this file exists: all counts the emulator tells come from the core's own estimate.
import type { Strata } from '../sdk/types/strata.js';
import type { JsonObject } from './types.js';
import { field, objectField } from './wire.js';

/** Counts for one model. */
export class Meter {
  readonly #strata: Strata;
  readonly #model: string;

  constructor(strata: Strata, model: string) {
    this.#strata = strata;
    this.#model = model;
  }

  text(text: string): number {
    return text === '' ? 0 : this.#strata.estimateTokens(text, { model: this.#model });
  }

  system(body: JsonObject): number {
    const system = field(body, 'systemInstruction');
    if (typeof system === 'string') return this.text(system);
    return this.#content(objectField(body, 'systemInstruction'));
  }

  /** System instruction, tools and contents of a body; not what its CachedContent holds. */
  input(body: JsonObject): number {
    const contents = field(body, 'contents');
    const tools = field(body, 'tools');
    return (
      this.system(body) +
      (tools === undefined ? 0 : this.text(JSON.stringify(tools))) +
      this.#content(typeof contents === 'object' && contents !== null ? contents : undefined)
    );
  }

  /** The parts of an answer. */
  output(parts: JsonObject[]): number {
    return parts.reduce((sum, { text, functionCall }) => {
      const written = functionCall === undefined ? text : JSON.stringify(functionCall);
      return sum + this.text(typeof written === 'string' ? written : '');
    }, 0);
  }

  #content(content: object | undefined): number {
    const empty = content === undefined || (Array.isArray(content) && content.length === 0);
    return empty ? 0 : this.#strata.estimateTokens(content, { model: this.#model });
  }
}

export interface Counts {
  /** Cached tokens included. */
  prompt: number;
  cached: number;
  candidates: number;
  thoughts: number;
}

/** `usageMetadata`: fields that are zero are left out, as proto JSON does it. */
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

/** The answer of countTokens. */
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
