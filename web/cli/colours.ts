// Why this file exists: colours help on a terminal and are noise in a file.
import process from 'node:process';

export type Paint = (text: string) => string;
export type Colours = { [name in 'bold' | 'dim' | 'red' | 'yellow' | 'cyan' | 'green']: Paint };

const codes = { bold: 1, dim: 2, red: 31, yellow: 33, cyan: 36, green: 32 };

// no-color.org and force-color.org: set and not empty counts, whatever it says; "0" forces nothing.
function isColoured(isTerminal: boolean | undefined): boolean {
  const { NO_COLOR: never, FORCE_COLOR: always, TERM } = process.env;
  if (never) return false;
  return always ? always !== '0' : isTerminal === true && TERM !== 'dumb';
}

/** The colours of an output; none of them does anything where it is no terminal. */
export function coloursFor(output: { readonly isTTY?: boolean }): Colours {
  const coloured = isColoured(output.isTTY);
  const paint =
    (code: number): Paint =>
    (text) =>
      coloured ? `\x1b[${code}m${text}\x1b[0m` : text;
  return {
    bold: paint(codes.bold),
    dim: paint(codes.dim),
    red: paint(codes.red),
    yellow: paint(codes.yellow),
    cyan: paint(codes.cyan),
    green: paint(codes.green),
  };
}
