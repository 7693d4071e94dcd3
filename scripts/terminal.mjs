// Why this file exists: plain text that reads well: colours on a terminal only, lines no longer than it.
const { stdout } = process;
const colours = stdout.isTTY && !process.env.NO_COLOR;

// `… | head` reads no further: nothing is left to do.
stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

/** Columns that are written to. */
export const width = Math.max(24, Math.min(stdout.columns ?? 88, 96));

const style = (code) => (text) => (colours ? `\x1b[${code}m${text}\x1b[0m` : String(text));
export const bold = style(1);
export const dim = style(2);
export const red = style(31);
export const green = style(32);
export const yellow = style(33);
export const cyan = style(36);

/** `text` on one line of at most `room` columns. */
export function shorten(text, room) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= room ? line : `${line.slice(0, room - 1)}…`;
}

/** A rule across the page with a name in it; the note stands under it where there is no room beside. */
export function heading(name, note = '') {
  const isBeside = width - name.length - note.length >= 7;
  const beside = note !== '' && isBeside ? ` ${note}` : '';
  const line = '─'.repeat(Math.max(2, width - name.length - beside.length - 4));
  console.log(`\n${dim('─')} ${bold(name)} ${dim(line + beside)}`);
  if (!isBeside) paragraph('  ', note, dim);
}

/** Writes text that comes in pieces, indented and wrapped between words. */
export class Paragraph {
  #indent;
  #paint;
  #column = 0;
  #word = '';
  #space = false;

  /** @param {string} first stands before the first line; the others are indented as far */
  constructor(first, paint = (text) => text) {
    this.#indent = ' '.repeat(first.length);
    this.#paint = paint;
    this.#column = first.length;
    stdout.write(bold(first));
  }

  write(text) {
    for (const piece of text.match(/\s|\S+/g) ?? []) {
      if (piece === '\n') this.#break();
      else if (/\s/.test(piece)) this.#flush();
      else this.#word += piece;
      if (/\s/.test(piece)) this.#space = this.#column > this.#indent.length;
    }
  }

  end() {
    this.#flush();
    stdout.write('\n');
  }

  #flush() {
    if (this.#word === '') return;
    const word = (this.#space ? ' ' : '') + this.#word;
    const fits = this.#column + word.length <= width || this.#column === this.#indent.length;
    if (!fits) this.#newLine();
    const written = fits ? word : this.#word;
    stdout.write(this.#paint(written));
    this.#column += written.length;
    this.#word = '';
    this.#space = false;
  }

  #break() {
    this.#flush();
    this.#newLine();
  }

  #newLine() {
    stdout.write(`\n${this.#indent}`);
    this.#column = this.#indent.length;
  }
}

/** A whole paragraph. */
export function paragraph(first, text, paint) {
  const written = new Paragraph(first, paint);
  written.write(text);
  written.end();
}
