// Asks before more than one turn is deleted, and says why they go together.
import { amount, button, element } from '../../ui/dom.js';
import { excerptOf, textOfContent, type SavedTurn } from './saved-turns.js';
import type { Deletion } from './turn-edits.js';

function describe({ index, content }: SavedTurn): string {
  const { role, parts } = content;
  const text = excerptOf(textOfContent(content), 60);
  const calls = parts.flatMap(({ functionCall }) => functionCall?.name ?? []);
  const results = parts.flatMap(({ functionResponse }) => functionResponse?.name ?? []);
  const shown = [
    text,
    ...calls.map((name) => `call of ${name}`),
    ...results.map((name) => `result of ${name}`),
  ];
  const speaker = role === 'model' ? 'Model' : results.length > 0 ? 'Tools' : 'You';
  return `Turn ${index + 1}, ${speaker}: ${shown.filter(Boolean).join(', ')}`;
}

/** Shows the question in `place`. */
export function deletionQuestion(
  place: HTMLElement,
  index: number,
  { from, to, reason, turns }: Deletion & { turns: readonly SavedTurn[] },
  confirm: () => void,
): void {
  place.querySelector('.deletion')?.remove();
  const others = turns.filter((turn) => turn.index !== index);
  const why = `Without turn ${index + 1} alone, the history would be invalid: ${reason?.message ?? ''}`;
  const question = element('div', { className: 'deletion', role: 'group' });
  question.ariaLabel = `Delete turn ${index + 1} and what belongs to it`;
  const cancel = button('Cancel', () => {
    question.remove();
    place.querySelector<HTMLElement>('[data-action=delete]')?.focus();
  });
  const remove = button(`Delete ${amount(to - from, 'turn')}`, confirm);
  question.append(
    element('p', {}, why),
    element('p', {}, 'This goes with it:'),
    element('ul', {}, ...others.map((turn) => element('li', {}, describe(turn)))),
    element('div', { className: 'actions' }, remove, cancel),
  );
  place.append(question);
  remove.focus();
}
