// Adds up the token counts of several requests.
import type { ModalityTokenCount, UsageMetadata } from '../types/gemini/response.js';

type Counts = Record<string, unknown>;

function modalitySum(lists: readonly (readonly ModalityTokenCount[])[]): ModalityTokenCount[] {
  const sums = new Map<string | undefined, number>();
  for (const { modality, tokenCount = 0 } of lists.flat())
    sums.set(modality, (sums.get(modality) ?? 0) + tokenCount);
  return [...sums].map(([modality, tokenCount]) => ({
    ...(modality !== undefined && { modality }),
    tokenCount,
  }));
}

function sumOfField(values: readonly unknown[]): unknown {
  if (values.every((value) => typeof value === 'number'))
    return values.reduce((sum, value) => sum + value, 0);
  if (values.every(Array.isArray)) return modalitySum(values);
  // What is no count, such as the tier, holds for the sum only if it holds for each request.
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}

/** Returns the sum of token counts, with the other fields that are the same in all. */
export function sumOf(usages: readonly UsageMetadata[]): UsageMetadata {
  const [first = {}, ...others] = usages;
  if (others.length === 0) return first;
  const names = new Set(usages.flatMap((usage) => Object.keys(usage)));
  const sum: Counts = {};
  for (const name of names) {
    const values = usages
      .map((usage) => (usage as Counts)[name])
      .filter((value) => value !== undefined);
    const total = sumOfField(values);
    if (total !== undefined) sum[name] = total;
  }
  return sum;
}
