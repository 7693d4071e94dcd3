// Why this file exists: elements are made in one expression each. Text goes in as text, never as HTML, so
// nothing that a model writes can become part of the page.

/** Makes an element with properties and children. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** The element of index.html with this id, which must be a `type`. */
export function byId<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new TypeError(`index.html has no ${type.name} #${id}`);
}

/** A part that opens and closes. */
export function folded(title: string, ...children: (Node | string)[]): HTMLDetailsElement {
  return element('details', {}, element('summary', {}, title), ...children);
}

/** A button that is not the main one. */
export function button(label: string, action: () => void): HTMLButtonElement {
  return element('button', { type: 'button', textContent: label, onclick: action });
}

export const count = (number: number) => number.toLocaleString('en-US');

/** A number with its unit: `1 byte`, `1,024 bytes`. */
export const amount = (number: number, unit: string) =>
  `${count(number)} ${unit}${number === 1 ? '' : 's'}`;

/** Bytes that are text. */
export const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** JSON on one line, a little wider than the shortest form. */
export const inline = (value: unknown) => JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
