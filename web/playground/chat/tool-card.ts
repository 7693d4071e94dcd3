// Shows a tool call: the arguments, the signature that must be sent back, and the result.
import type { Json } from '../../index.js';
import { button, element, inline } from '../../ui/dom.js';
import { signatureView } from '../../ui/signatures.js';

/** A signature, and the request that sends it back. */
export class SignatureLine {
  readonly root: HTMLElement;
  readonly #signature: string;
  #back = element('span', { className: 'back', textContent: 'stored unchanged' });

  constructor(signature: string) {
    this.#signature = signature;
    const length = `${signature.length} characters, `;
    const label = element('span', { className: 'label' }, 'signature');
    const text = element('span', {}, signatureView(signature), ' ', length, this.#back);
    this.root = element('p', { className: 'pair signed' }, label, text);
  }

  /** Shows the first request that contains the signature. `sent`: all signatures of the request. */
  sentBack(sent: ReadonlySet<string>, number: number, show: () => void): void {
    if (this.#back instanceof HTMLButtonElement || !sent.has(this.#signature)) return;
    const back = button(`sent back in request ${number}, byte for byte`, show);
    back.className = 'link';
    this.#back.replaceWith(back);
    this.#back = back;
  }
}

/** One tool call. */
export class ToolCard {
  readonly root: HTMLElement;
  #asked: HTMLElement | undefined;
  readonly #result = element('code', { className: 'waiting', textContent: 'running' });

  constructor(name: string, args: Json, signature: SignatureLine | undefined) {
    const call = element('code', {}, `${name}(${inline(args)})`);
    this.root = element('div', { className: 'tool' }, pair('call', call));
    if (signature) this.root.append(signature.root);
    this.root.append(pair('result', this.#result));
  }

  /** Shows the card with which the user answers the call. */
  ask(card: HTMLElement): void {
    this.#asked = card;
    this.#result.textContent = 'waits for your answer';
    this.root.append(card);
  }

  /** Shows the result that is sent to the model. */
  show(response: unknown): void {
    this.#asked?.remove();
    this.#result.textContent = inline(response);
    this.#result.classList.remove('waiting');
  }

  /** Says that a call of a saved answer has no result yet. */
  leaveOpen(): void {
    this.#result.textContent = 'no result yet';
  }

  /** Says that the call runs again. */
  run(): void {
    this.#result.textContent = 'running';
  }

  /** Marks a call that has no result as stopped. */
  stop(): void {
    if (this.#result.classList.contains('waiting')) this.show('stopped before it finished');
  }
}

function pair(label: string, value: HTMLElement): HTMLElement {
  return element('p', { className: 'pair' }, element('span', { className: 'label' }, label), value);
}
