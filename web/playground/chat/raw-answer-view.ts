// Shows an answer as it came from the network.
import { amount, button, element } from '../../ui/dom.js';
import type { RawAnswer } from './recording-fetch.js';

// What is drawn at once. Longer texts are slow to lay out.
const maxShown = 16_000;

/** Returns the section with the raw answer, which grows while the answer streams. */
export function rawAnswerView(answer: RawAnswer): HTMLElement {
  const status = element('small');
  const heading = element('h3', {}, 'The raw answer', status);
  const text = element('pre', { tabIndex: 0, ariaLabel: 'The answer as it came from the network' });
  const note = element('p', { className: 'note' });
  const all = button('Show all of it', () => draw(Infinity));
  let limit = maxShown;
  let isDrawn = false;
  const draw = (shown = limit) => {
    limit = shown;
    isDrawn = true;
    text.textContent = answer.text.slice(0, limit);
    status.textContent = answer.status;
    all.hidden = answer.text.length <= limit;
    const end = answer.isCut ? ' The rest was too long to be kept.' : '';
    note.textContent =
      answer.text === '' ? 'Nothing has come yet.' : amount(answer.text.length, 'character') + end;
  };
  answer.onPiece = () => {
    if (isDrawn) requestAnimationFrame(() => draw());
    isDrawn = false;
  };
  draw();
  const section = element('section', { className: 'raw-answer', ariaLabel: 'The raw answer' });
  section.append(heading, note, text, all);
  return section;
}
