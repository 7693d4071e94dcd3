// Writes tables and panels. Strings become text nodes, never HTML.
import { element } from '../playground/dom.js';

/** A cell: a text, or an element such as a link. */
export type Cell = string | HTMLElement;

/** A column. Numbers stand on the right. */
export interface Column {
  title: string;
  isNumber?: boolean;
}

const classOf = ({ isNumber }: Column) => (isNumber ? 'number' : '');

function head(columns: readonly Column[]): HTMLElement {
  const cells = columns.map((column) =>
    element('th', { scope: 'col', className: classOf(column) }, column.title),
  );
  return element('thead', {}, element('tr', {}, ...cells));
}

function row(columns: readonly Column[], cells: readonly Cell[]): HTMLElement {
  const written = cells.map((cell, index) => {
    const className = classOf(columns[index] ?? { title: '' });
    if (index === 0) return element('th', { scope: 'row', className }, cell);
    return element('td', { className }, cell);
  });
  return element('tr', {}, ...written);
}

/** Returns a table. A wide one scrolls by itself, also with the keyboard. */
export function table(
  label: string,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): HTMLElement {
  const body = element('tbody', {}, ...rows.map((cells) => row(columns, cells)));
  const written = element('table', { ariaLabel: label }, head(columns), body);
  return element(
    'div',
    { className: 'wide', tabIndex: 0, role: 'region', ariaLabel: label },
    written,
  );
}

/** Returns a section with a heading. `nothing` stands where there is no content. */
export function panel(title: string, ...content: (Node | string)[]): HTMLElement {
  const id = `panel-${title.toLowerCase().replace(/\W+/g, '-')}`;
  const heading = element('h2', { id }, title);
  const section = element('section', {}, heading, ...content);
  section.setAttribute('aria-labelledby', id);
  return section;
}

/** Returns a soft note. */
export const note = (...content: (Node | string)[]): HTMLElement =>
  element('p', { className: 'note' }, ...content);
