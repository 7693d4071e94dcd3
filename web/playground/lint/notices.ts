// Says what the page did with the pasted text: what it removed, left out or refused.
import { signal } from '@preact/signals';
import { amount } from '../../ui/format.js';
import { maxHighlighted } from '../../ui/editor/limits.js';
import { maxTextLength } from '../engine/limits.js';
import { sizeWords } from '../engine/words.js';

type Kind = 'secrets' | 'size' | 'long' | 'marks';

/** Lines above the text, one of each kind. They belong to one text. */
export class Notices {
  readonly #lines = signal<Partial<Record<Kind, string>>>({});

  /** All lines as one text. */
  get text(): string {
    return Object.values(this.#lines.value).join(' ');
  }

  /** Removes all lines, because the text is another one. */
  clear(): void {
    this.#lines.value = {};
  }

  /** Says that credentials were removed. */
  removed(secrets: number): void {
    const what = secrets === 1 ? '1 API key or token was' : `${secrets} API keys or tokens were`;
    this.#set('secrets', `${what} removed from what you pasted.`);
  }

  /** Says that a text is too long. */
  refused(length: number): void {
    const limit = `The page takes up to ${sizeWords(maxTextLength)}`;
    const way = 'For longer ones, run npx prompt-strata lint with the file';
    this.#set('size', `This text has ${sizeWords(length)} and was not inserted. ${limit}. ${way}.`);
  }

  /** Forgets a refused text, because another change was accepted. */
  accepted(): void {
    this.#set('size', '');
  }

  /** Says what of a text is not shown: the colors of a long one, the marks of some findings. */
  shown(length: number, marks: number, findings: number): void {
    const isLong = length > maxHighlighted;
    const long = `This text has ${sizeWords(length)}: it is shown without colors.`;
    const marked = `The first ${marks} of ${amount(findings, 'finding')} are underlined.`;
    this.#set('long', isLong ? long : '');
    this.#set('marks', marks < findings ? marked : '');
  }

  #set(kind: Kind, text: string): void {
    const { [kind]: before = '', ...others } = this.#lines.peek();
    if (before !== text) this.#lines.value = text === '' ? others : { ...others, [kind]: text };
  }
}
