// Shows a form in the place of a turn, with which its texts are changed.
import { button, element } from '../../ui/dom.js';

/** Returns why the texts cannot be saved; undefined once they are. */
export type SaveTexts = (texts: string[], runsAgain: boolean) => HTMLElement | undefined;

/** Shows the form in `place`. A message can be saved with a new answer. */
export function turnForm(
  place: HTMLElement,
  index: number,
  texts: readonly string[],
  isMessage: boolean,
  save: SaveTexts,
): void {
  const fields = texts.map((text, number) => {
    const rows = Math.min(16, text.split('\n').length + 1);
    const field = element('textarea', { value: text, rows });
    field.ariaLabel = `Text ${texts.length > 1 ? `${number + 1} ` : ''}of turn ${index + 1}`;
    return field;
  });
  const problem = element('div', { role: 'alert' });
  const hidden = [...place.children].filter(
    (child): child is HTMLElement => child instanceof HTMLElement,
  );
  const close = () => {
    form.remove();
    for (const child of hidden) child.hidden = false;
    place.querySelector<HTMLElement>('[data-action=edit]')?.focus();
  };
  const submit = (runsAgain: boolean) => {
    const values = fields.map(({ value }) => value);
    const reason = save(values, runsAgain);
    if (reason) problem.replaceChildren(reason);
  };
  const keep = button('Save', () => submit(false));
  const again = button('Save and run again', () => submit(true));
  const buttons = [keep, ...(isMessage ? [again] : []), button('Cancel', close)];
  const form = element('form', { className: 'turn-form' }, ...fields, problem);
  form.append(element('div', { className: 'actions' }, ...buttons));
  form.onsubmit = (event) => event.preventDefault();
  form.onkeydown = (event) => {
    if (event.key === 'Escape') close();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(isMessage);
    else if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
  };
  for (const child of hidden) child.hidden = true;
  place.append(form);
  fields[0]?.focus();
}
