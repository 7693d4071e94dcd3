// Why this file exists: a tool call is three things that belong together: what the model asked for, what
// the tool answered, and the signature that has to go back with it.
import type { Json } from '../index.js';
import { button, element, inline } from './dom.js';
import { signatureView } from './signatures.js';

/** A signature on its way: where it came from, and in which request it stands again. */
export class SignatureLine {
  readonly root: HTMLElement;
  readonly #signature: string;
  #back = element('span', { className: 'back', textContent: 'kept as it came' });

  constructor(signature: string) {
    this.#signature = signature;
    const length = `${signature.length} characters, `;
    const label = element('span', { className: 'label' }, 'signature');
    const text = element('span', {}, signatureView(signature), ' ', length, this.#back);
    this.root = element('p', { className: 'pair signed' }, label, text);
  }

  /** Notes the first request that holds the signature again. */
  sentBack(json: string, number: number, show: () => void): void {
    if (this.#back instanceof HTMLButtonElement) return;
    if (!json.includes(`"${this.#signature}"`)) return;
    const back = button(`back in request ${number}, byte for byte`, show);
    back.className = 'link';
    this.#back.replaceWith(back);
    this.#back = back;
  }
}

/** One call. */
export class ToolCard {
  readonly root: HTMLElement;
  readonly #result = element('code', { className: 'waiting', textContent: 'running' });

  constructor(name: string, args: Json, signature: SignatureLine | undefined) {
    const call = element('code', {}, `${name}(${inline(args)})`);
    this.root = element('div', { className: 'tool' }, pair('call', call));
    if (signature) this.root.append(signature.root);
    this.root.append(pair('result', this.#result));
  }

  /** What the model is told. */
  show(response: unknown): void {
    this.#result.textContent = inline(response);
    this.#result.classList.remove('waiting');
  }

  /** Ends the waiting where no result came any more. */
  stop(): void {
    if (this.#result.classList.contains('waiting')) this.show('stopped before it finished');
  }
}

function pair(label: string, value: HTMLElement): HTMLElement {
  return element('p', { className: 'pair' }, element('span', { className: 'label' }, label), value);
}
