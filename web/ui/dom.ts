// Creates DOM elements. Strings become text nodes, never HTML, so that output of a model cannot inject markup.

/** Creates an element with properties and children. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const created = Object.assign(document.createElement(tag), properties);
  created.append(...children);
  return created;
}

/**
 * Returns the element of index.html with this ID.
 *
 * @throws TypeError if it is missing or not a `type`
 */
export function byId<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new TypeError(`index.html has no ${type.name} #${id}`);
}

/** Creates a collapsible section. */
export function folded(title: string, ...children: (Node | string)[]): HTMLDetailsElement {
  return element('details', {}, element('summary', {}, title), ...children);
}

/** Closes a dialog when the area around it is clicked. A click on its padding has the same target, but is inside. */
export function closeBeside(dialog: HTMLDialogElement, close: () => void): void {
  dialog.addEventListener('click', ({ target, clientX, clientY }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const isInside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
    if (target === dialog && !isInside) close();
  });
}

/** Creates a secondary button. */
export function button(label: string, action: () => void): HTMLButtonElement {
  return element('button', { type: 'button', textContent: label, onclick: action });
}

export { amount, count, inline } from './format.js';
