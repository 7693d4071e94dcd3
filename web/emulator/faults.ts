// Injects the faults that the options ask for.
import { textOf } from '../sdk/internal/json.js';
import type { Answer } from './answer.js';
import { Failure, internal, overloaded, quotaExceeded } from './errors.js';
import type { Framing } from './network.js';
import type { Fault, FaultGroup } from './types.js';

const quotaPerMinute = 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier';

const noRequests = (): Record<FaultGroup, number> => ({
  generate: 0,
  countTokens: 0,
  caches: 0,
  files: 0,
});

/** Counts the requests of each group and returns the fault planned for each. */
export class FaultPlan {
  readonly #counts = noRequests();
  readonly #faults = new Map<string, Fault>();

  constructor(faults: Fault[] = []) {
    const previous = noRequests();
    for (const fault of faults) {
      const group = fault.on ?? 'generate';
      previous[group] = fault.at ?? previous[group] + 1;
      this.#faults.set(`${group} ${previous[group]}`, fault);
    }
  }

  /** Counts one request. `index` is its number within the group, from 1. */
  next(group: FaultGroup): { index: number; fault: Fault | undefined } {
    const index = ++this.#counts[group];
    return { index, fault: this.#faults.get(`${group} ${index}`) };
  }
}

/** Throws the fault if it replaces the whole response. */
export function throwFault(fault: Fault | undefined): void {
  switch (fault?.kind) {
    case 'network':
      throw new TypeError('fetch failed');
    case 'http429':
      throw quotaExceeded(fault.retryDelay ?? '1s', fault.quotaId ?? quotaPerMinute);
    case 'http500':
      throw internal();
    case 'http503':
      throw overloaded();
  }
}

/** Applies a fault that changes the answer. */
export function applyAnswerFault(answer: Answer, fault: Fault | undefined): Answer {
  const { thought } = answer;
  switch (fault?.kind) {
    case 'empty':
      return { thought, parts: [], finishReason: 'STOP' };
    case 'blocked':
      return { ...answer, blockReason: fault.blockReason ?? 'PROHIBITED_CONTENT' };
    case 'malformed-call':
      return malformedCall(answer);
    case 'max-tokens':
      return truncateAnswer(answer, 0.5, 'MAX_TOKENS');
    case 'finish':
      return truncateAnswer(answer, 0.5, fault.finishReason ?? 'SAFETY');
    case 'unsigned':
      return {
        thought,
        parts: answer.parts.map(withoutSignature),
        finishReason: answer.finishReason,
      };
    default:
      return answer;
  }
}

function malformedCall({ thought, parts }: Answer): Answer {
  const call = parts.map((part) => part['functionCall']).find((entry) => entry !== undefined);
  const written = JSON.stringify(call ?? { name: 'unknown' });
  const finishMessage = `Malformed function call: ${written.slice(0, -1)}`;
  return { thought, parts: [], finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage };
}

function withoutSignature(part: Answer['parts'][number]): Answer['parts'][number] {
  const { thoughtSignature: _, ...others } = part;
  return others;
}

/** Returns the first `share` of the text without any functionCalls. */
export function truncateAnswer(
  { thought, parts }: Answer,
  share: number,
  finishReason: string,
): Answer {
  const characters = [...parts.map(({ text }) => textOf(text)).join('')];
  const text = characters.slice(0, Math.floor(characters.length * share)).join('');
  return { thought, parts: text === '' ? [] : [{ text }], finishReason };
}

/** Applies a fault that changes the bytes in transit. */
export function applyStreamFault(
  framed: string[],
  fault: Fault | undefined,
  framing?: Framing,
): string[] {
  if (fault?.kind === 'cut-stream') {
    const last = framed.at(-1) ?? '';
    return [...framed.slice(0, -1), last.slice(0, Math.floor(last.length / 2))];
  }
  if (fault?.kind !== 'mid-stream-error') return framed;
  if (framing === undefined) throw overloaded();
  return [...framed.slice(0, 1), errorFrame(overloaded(), fault.form ?? 'bare', framing)];
}

function errorFrame(failure: Failure, form: 'bare' | 'data' | 'line', framing: Framing): string {
  const error = JSON.stringify(failure);
  if (framing === 'array') return `,\r\n${error}]`;
  if (form === 'line') return `error: ${error}\r\n\r\n`;
  return form === 'data' ? `data: ${error}\r\n\r\n` : error;
}
