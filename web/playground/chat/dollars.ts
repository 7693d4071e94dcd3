// Writes costs in dollars.
import { count } from '../../ui/dom.js';

/** Formats a cost: two digits of what is small, whole dollars of what is not. */
export function dollarsOf(cost: number): string {
  if (cost < 0.01) return `$${cost.toFixed(6)}`;
  return `$${cost < 10 ? cost.toPrecision(2) : count(Math.round(cost))}`;
}
