// Describes the Contents of a history in words, which also are the alternative to its drawing.
import { amount } from '../../ui/dom.js';
import type { Timeline, TimelineContent } from '../engine/lint-result.js';
import { verdictWords } from '../engine/words.js';

/** Who wrote a Content. */
export const kindWords: Record<TimelineContent['kind'], string> = {
  user: 'user',
  model: 'model',
  tool: 'tool results',
};

const listOf = (names: readonly string[], most = 4) =>
  names.length > most
    ? `${names.slice(0, most).join(', ')} and ${names.length - most} more`
    : names.join(', ');

/** Returns short words about a Content: its calls, responses and signatures. */
export function factsOf({ calls, responses, signatures, thoughts }: TimelineContent): string[] {
  const unanswered = calls.filter(({ response }) => !response).length;
  const unmatched = responses.filter(({ call }) => !call).length;
  return [
    calls.length > 0 ? amount(calls.length, 'call') : '',
    unanswered > 0 ? `${unanswered} without response` : '',
    responses.length > 0 ? amount(responses.length, 'response') : '',
    unmatched > 0 ? `${unmatched} without call` : '',
    signatures > 0 ? amount(signatures, 'signature') : '',
    thoughts > 0 ? amount(thoughts, 'thought') : '',
  ].filter(Boolean);
}

/** Returns the names of what a Content without text holds. */
export const namesOf = ({ calls, responses }: TimelineContent): string =>
  listOf([...calls, ...responses].map(({ name }) => name)) || 'no text';

/** Returns what stands in a Content, with the Contents that its calls and responses belong to. */
export function detailsOf(content: TimelineContent): string {
  const { index, kind, turn, step, calls, responses } = content;
  const called = calls.map(({ name, response }) =>
    response ? `${name}, answered by Content ${response.index}` : `${name}, not answered`,
  );
  const answered = responses.map(({ name, call }) =>
    call ? `${name}, called by Content ${call.index}` : `${name}, never called`,
  );
  return [
    `Content ${index}: ${kindWords[kind]}, turn ${turn + 1}, step ${step + 1}${content.isCurrentTurn ? ', current turn' : ''}.`,
    called.length > 0 ? `Calls ${listOf(called)}.` : '',
    answered.length > 0 ? `Responses: ${listOf(answered)}.` : '',
    content.signatures > 0 ? `Carries ${amount(content.signatures, 'thought signature')}.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Returns whether the history that ends with a Content is refused, and why. */
export function verdictOf(content: TimelineContent, { firstRefused }: Timeline): string {
  const { index, verdict, refusedBy } = content;
  if (verdict !== 'refused') return verdictWords[verdict];
  const isFirst = index === firstRefused ? ' The history is refused from here on.' : '';
  const codes = refusedBy.length > 0 ? ` Rules: ${listOf(refusedBy)}.` : '';
  return `${verdictWords.refused}${isFirst}${codes}`;
}

/** Returns the summary of a history. */
export function historySummary({ turns, firstRefused, omitted = 0 }: Timeline): string {
  const cutPoints = turns.filter(({ canCutBefore }) => canCutBefore).map(({ index }) => index);
  const count = new Set(turns.map(({ turn }) => turn)).size;
  return [
    `${amount(turns.length, 'Content')} in ${amount(count, 'turn')}.`,
    firstRefused === undefined
      ? 'No part of the history is refused.'
      : `Refused from Content ${firstRefused} on.`,
    cutPoints.length > 0
      ? `It may be cut before ${cutPoints.length === 1 ? 'Content' : 'Contents'} ${listOf(cutPoints.map(String), 8)}.`
      : '',
    omitted > 0 ? `${amount(omitted, 'further Content')} not shown.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}
