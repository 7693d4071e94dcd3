// Shows Markdown while it arrives: only its last block is parsed and drawn again.
import { element } from '../../../ui/dom.js';
import { nodesOf } from './markdown-dom.js';
import { parseMarkdown, type Definitions, type Token } from './parser.js';
import { patchChildren } from './patch-nodes.js';

// The elements of one block change together.
const blockClass = 'open-block';

/** Returns the index of the first line of the last block; 0 if there is one block only. */
function lastBlockLine(tokens: readonly Token[]): number {
  return tokens.findLast(({ level, map }) => level === 0 && map)?.map?.[0] ?? 0;
}

function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  for (let index = 0; index < line; index++) offset = text.indexOf('\n', offset) + 1;
  return offset;
}

/** A text in Markdown. Call `append` with each piece. */
export class MarkdownView {
  readonly root = element('div', { className: 'text' });
  /** Everything that was appended. */
  source = '';
  /** Where the last block begins, which later pieces may change. */
  #openFrom = 0;
  #open = element('div', { className: blockClass });
  #isScheduled = false;
  // Definitions of links apply to later blocks.
  readonly #definitions: Definitions = {};

  constructor(source = '') {
    this.root.append(this.#open);
    if (source === '') return;
    this.source = source;
    this.end();
  }

  /** Adds a piece; it is drawn with the next frame. */
  append(piece: string): void {
    this.source += piece;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      if (this.#isScheduled) this.#draw();
    });
  }

  /** Draws what is not drawn yet. */
  end(): void {
    this.#draw();
  }

  #draw(): void {
    this.#isScheduled = false;
    const text = this.source.slice(this.#openFrom);
    const tokens = parseMarkdown(text, this.#definitions);
    const line = lastBlockLine(tokens);
    const first = tokens.findIndex(({ level, map }) => level === 0 && map?.[0] === line);
    // Blocks before the last one are complete.
    if (line > 0 && first > 0) {
      patchChildren(this.#open, nodesOf(tokens.slice(0, first)));
      this.#open.before(...this.#open.childNodes);
      this.#openFrom += offsetOfLine(text, line);
    }
    patchChildren(this.#open, nodesOf(first > 0 ? tokens.slice(first) : tokens));
  }
}
