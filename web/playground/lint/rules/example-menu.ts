// Shows the examples by problem.
import { element } from '../../../ui/dom.js';
import { Modal } from '../../../ui/modal.js';
import { problems, type Example, type Problem } from './problems.js';

function link(modal: Modal, { title, rule, name }: Example): HTMLElement {
  const href = rule === undefined ? `#example/${name}` : `#rule/${rule}`;
  const open = element('a', { href }, title);
  open.onclick = () => {
    modal.close();
    // The same address again is another start of the example.
    if (location.hash === href) dispatchEvent(new HashChangeEvent('hashchange'));
  };
  return element('li', {}, open);
}

function section(modal: Modal, { title, examples }: Problem): HTMLElement {
  const items = examples.map((example) => link(modal, example));
  const list = element('ul', { className: 'rule-list' }, ...items);
  return element('section', {}, element('h3', {}, title), list);
}

/** Returns the menu. Each example opens as a session of its own. */
export function exampleMenu(): Modal {
  const note = 'Each example opens in a session of its own. Yours stay as they are.';
  const modal: Modal = new Modal('Examples', () => [
    element('p', { className: 'note' }, note),
    ...problems.map((problem) => section(modal, problem)),
  ]);
  return modal;
}
