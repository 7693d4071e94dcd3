// Colors text on terminals; in files and pipes the text stays plain.
import process from 'node:process';

/** Colors a text. */
export type Paint = (text: string) => string;
/** The styles of a report. */
export type Colors = { [name in 'bold' | 'dim' | 'red' | 'yellow' | 'cyan' | 'green']: Paint };

const codes = { bold: 1, dim: 2, red: 31, yellow: 33, cyan: 36, green: 32 };

// https://no-color.org and https://force-color.org: any nonempty value counts, except FORCE_COLOR=0.
function isColored(isTerminal: boolean | undefined): boolean {
  const { NO_COLOR: never, FORCE_COLOR: always, TERM } = process.env;
  if (never) return false;
  return always ? always !== '0' : isTerminal === true && TERM !== 'dumb';
}

/** Returns the styles for an output. They return the text unchanged if the output has no colors. */
export function colorsFor(output: { readonly isTTY?: boolean }): Colors {
  const colored = isColored(output.isTTY);
  const paint =
    (code: number): Paint =>
    (text) =>
      colored ? `\x1b[${code}m${text}\x1b[0m` : text;
  return {
    bold: paint(codes.bold),
    dim: paint(codes.dim),
    red: paint(codes.red),
    yellow: paint(codes.yellow),
    cyan: paint(codes.cyan),
    green: paint(codes.green),
  };
}
