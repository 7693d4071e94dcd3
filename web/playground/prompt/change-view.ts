// Says in words what changed since the request before.
import type { ManifestDiff } from '../../templates/index.js';
import { amount, count, element } from '../../ui/dom.js';
import type { RequestChange, ShownRequest } from '../engine/prompt-result.js';

const share = (part: number, whole: number) => (whole === 0 ? 0 : Math.floor((100 * part) / whole));

/** Returns a text whose parts between backticks are code. */
export function withCode(text: string): (Node | string)[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part));
}

function sectionsView({ sections, fields = [] }: ManifestDiff): HTMLElement {
  const list = element('ul', { className: 'changes' });
  for (const { id, change, before, after } of sections) {
    const tokens = [before, after].map((section) => section && amount(section.tokens, 'token'));
    const sizes = tokens.filter(Boolean).join(' before, now ');
    list.append(element('li', {}, element('code', {}, id), ` ${change}: about ${sizes}`));
  }
  for (const field of fields)
    list.append(element('li', {}, element('code', {}, field), ' changed, a field of the body'));
  return list;
}

// Says from how many tokens on the service caches a start by itself.
const minimumText = (minimum: number) =>
  minimum === 0
    ? 'No implicit cache is known for this model.'
    : `An implicit cache of this model can serve such a start from ${amount(minimum, 'token')} on.`;

function prefixText(
  { body, manifest }: ShownRequest,
  { firstByte, comparedWith }: RequestChange,
  minimum: number,
) {
  const { stablePrefixTokens: tokens, promptTokens } = manifest;
  return (
    `The first ${amount(firstByte, 'byte')} of ${count(body.length)} ` +
    `(${share(firstByte, body.length)} %) equal ${comparedWith}. ` +
    `Of the prompt, about ${amount(tokens, 'token')} of ${count(promptTokens)} ` +
    `(${share(tokens, promptTokens)} %) are the same start. ${minimumText(minimum)}`
  );
}

/** Shows what changed in `request`. `minimum`: the smallest start that the service caches by itself. */
export function changeView(
  request: ShownRequest,
  change: RequestChange | undefined,
  minimum: number,
): HTMLElement {
  if (!change) {
    const text = 'There is nothing to compare: this is the first request, or both are equal.';
    return element('p', { className: 'empty' }, text);
  }
  const reason = element('p', { className: 'reason' });
  reason.append(element('b', {}, 'First change: '), ...withCode(change.reason));
  const prefix = element('p', {}, prefixText(request, change, minimum));
  return element('div', { className: 'change' }, reason, prefix, sectionsView(change.diff));
}
