// Checks the options of the emulator, and what `respond` returns.
import { messageOf, nearestName } from '../sdk/internal/messages.js';
import { StrataError } from '../sdk/internal/errors.js';
import * as must from '../sdk/internal/options.js';
import type {
  EmulatedRequest,
  EmulatorOptions,
  Fault,
  FaultGroup,
  FaultKind,
  ScriptedAnswer,
} from './types.js';

const kinds = {
  http429: 1,
  http500: 1,
  http503: 1,
  network: 1,
  'cut-stream': 1,
  'mid-stream-error': 1,
  empty: 1,
  blocked: 1,
  'malformed-call': 1,
  'max-tokens': 1,
  finish: 1,
  unsigned: 1,
  'cut-upload': 1,
  'processing-failed': 1,
} satisfies Record<FaultKind, 1>;

// Names the kind that a misspelled one most likely means.
const isKind: must.Check = (value, path) => {
  const names = Object.keys(kinds);
  if (names.some((name) => name === value)) return;
  const meant = nearestName(String(value), names);
  const advice = meant === undefined ? '' : `. Did you mean ${meant}?`;
  throw must.invalidOption(path, names.map((name) => `'${name}'`).join(' or ') + advice);
};

const groups = { generate: 1, countTokens: 1, caches: 1, files: 1 } satisfies Record<FaultGroup, 1>;

const faultOptions: must.Shape<Fault> = {
  kind: isKind,
  at: must.optional(must.count),
  on: must.optional(must.oneOf(...Object.keys(groups))),
  retryDelay: must.optional(must.string),
  quotaId: must.optional(must.string),
  blockReason: must.optional(must.string),
  finishReason: must.optional(must.string),
  form: must.optional(must.oneOf('bare', 'data', 'line')),
};

const emulatorOptions: must.Shape<EmulatorOptions> = {
  checker: must.optional(must.object),
  backend: must.optional(must.backend),
  now: must.optional(must.func),
  seed: (value, path) => typeof value === 'string' || must.optional(must.number)(value, path),
  apiKey: must.booleanOr(must.optional(must.string)),
  checkSignatures: must.optional(must.boolean),
  unknownFields: must.optional(must.oneOf('reject', 'accept')),
  freeTier: must.optional(must.boolean),
  chunkBytes: must.optional(must.count),
  delayMs: must.optional(must.nonNegative),
  faults: must.optional(
    must.arrayOf((value, path) => must.checkOptions(value, faultOptions, path)),
  ),
  record: must.functionOr(must.optional(must.boolean)),
  respond: must.optional(must.func),
};

/** @throws StrataError `field.unknown` or `field.invalid` for an invalid option */
export function checkEmulatorOptions(options: EmulatorOptions): void {
  must.checkOptions(options, emulatorOptions);
}

/**
 * Returns a fault; a kind alone is one.
 *
 * @throws StrataError `field.unknown` or `field.invalid`
 */
export function checkFault(fault: FaultKind | Fault): Fault {
  const whole = typeof fault === 'string' ? { kind: fault } : fault;
  must.checkOptions(whole, faultOptions, '/fault');
  return whole;
}

const isAnswer = (value: object): boolean =>
  'parts' in value ? Array.isArray(value.parts) : 'chunks' in value || 'error' in value;

/**
 * Returns the scripted answer to a request, if there is one.
 *
 * @throws StrataError `field.invalid` if `respond` throws or returns anything else. It is not a failure of the network.
 */
export async function scriptedAnswer(
  { respond }: EmulatorOptions,
  request: EmulatedRequest,
): Promise<ScriptedAnswer | undefined> {
  let answer: unknown;
  try {
    answer = await respond?.(request);
  } catch (error) {
    if (error instanceof StrataError) throw error;
    throw new StrataError('field.invalid', `/respond threw: ${messageOf(error)}`, [], error);
  }
  if (answer !== undefined && !isAnswer(Object(answer)))
    throw must.invalidOption(
      '/respond',
      'a function that returns { parts: […] }, { chunks } or { error }',
    );
  return answer as ScriptedAnswer | undefined;
}
