// Prints text to the terminal: colored where supported, and wrapped to the width.
const { stdout } = process;
const hasColors = stdout.isTTY && !process.env.NO_COLOR;

// EPIPE: the reader closed the pipe, as in `… | head`.
stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

/** The number of columns to use. */
export const width = Math.max(24, Math.min(stdout.columns ?? 88, 96));

const style = (code) => (text) => (hasColors ? `\x1b[${code}m${text}\x1b[0m` : String(text));
export const bold = style(1);
export const dim = style(2);
export const red = style(31);
export const green = style(32);
export const yellow = style(33);
export const cyan = style(36);

/** Returns `text` on one line, truncated to `columns`. */
export function shorten(text, columns) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;
}

/** Prints a horizontal rule with a name and a note. If the note does not fit, it is printed below. */
export function heading(name, note = '') {
  const noteFits = width - name.length - note.length >= 7;
  const suffix = note !== '' && noteFits ? ` ${note}` : '';
  const line = '─'.repeat(Math.max(2, width - name.length - suffix.length - 4));
  console.log(`\n${dim('─')} ${bold(name)} ${dim(line + suffix)}`);
  if (!noteFits) paragraph('  ', note, dim);
}

/** Writes streamed text, indented and wrapped between words. */
export class Paragraph {
  #indent;
  #paint;
  #column = 0;
  #word = '';
  #space = false;

  /** @param {string} first printed before the first line; other lines are indented by its length */
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

/** Prints a complete paragraph. */
export function paragraph(first, text, paint) {
  const written = new Paragraph(first, paint);
  written.write(text);
  written.end();
}
