// Parses the command line: one table of options, the help text, and the errors for invalid arguments.
import { parseArgs } from 'node:util';
import type { Backend } from '../index.js';

/** An invalid argument or unreadable input. The command exits with status 2. */
export class UsageError extends Error {}

const formats = ['text', 'json', 'sarif'] as const;
/** The format of a report. */
export type Format = (typeof formats)[number];

/** The arguments of `lint`. */
export interface Task {
  /** The files to read; `-` is standard input. */
  files: string[];
  /** The model of requests that do not name one. */
  model?: string;
  backend?: Backend;
  /** The time whose rules apply, RFC 3339. */
  now: string;
  repair: boolean;
  dummySignatures: boolean;
  format: Format;
  output?: string;
}

/** A parsed command line. */
export type Command = Task | 'help' | 'version';

const options = {
  model: { type: 'string', short: 'm' },
  backend: { type: 'string', short: 'b' },
  now: { type: 'string' },
  repair: { type: 'boolean' },
  'dummy-signatures': { type: 'boolean' },
  format: { type: 'string', short: 'f' },
  output: { type: 'string', short: 'o' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const;

export const usage = `Validates Gemini requests before they are sent.

  prompt-strata lint [FILE...] --model MODEL [options]

FILE is a request body, an array of Contents, JSON Lines of requests, or a HAR file. Without FILE, or
if FILE is "-", the command reads standard input.

  -m, --model MODEL      model of requests that do not name one
  -b, --backend BACKEND  gemini (default) or vertex
      --now TIME         time of the requests, RFC 3339: which models and rules hold (default: now)
      --repair           write the repaired request to standard output, the findings to standard error
      --dummy-signatures with --repair: replace missing signatures with Google's placeholder
  -f, --format FORMAT    text (default), json or sarif
  -o, --output FILE      write to FILE instead of standard output
  -h, --help             print this help
  -V, --version          print the version

Exit status: 0 if no errors are found, 1 if errors are found, 2 if an argument is invalid or a file
cannot be read.
`;

// Levenshtein distance.
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Returns ` Did you mean …?`, or an empty string if no known word is similar. */
function hint(word: string, known: readonly string[]): string {
  const [nearest] = known
    .map((name) => ({ name, changes: distance(word, name) }))
    .sort((a, b) => a.changes - b.changes);
  return nearest && nearest.changes <= 3 ? ` Did you mean ${nearest.name}?` : '';
}

function parse(args: string[]): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    const [, flag = ''] = /'(-[^' ]*)/.exec(message) ?? [];
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';
    const flags = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(
      unknown ? `Unknown option ${flag}.${hint(flag, flags)}` : (message.split('\n')[0] ?? message),
    );
  }
}

function oneOf<Name extends string>(value: string, names: readonly Name[], flag: string): Name {
  const known = names.find((name) => name === value);
  if (known !== undefined) return known;
  throw new UsageError(
    `${flag} must be one of ${names.join(', ')}, not ${value}.${hint(value, names)}`,
  );
}

/**
 * Parses the arguments after the program name.
 *
 * @throws UsageError
 */
export function readArguments(args: string[]): Command {
  const { values, positionals } = parse(args);
  if (values['version'] === true) return 'version';
  const [command, ...files] = positionals;
  if (values['help'] === true || command === undefined) return 'help';
  if (command !== 'lint') {
    throw new UsageError(`Unknown command ${command}.${hint(command, ['lint'])}`);
  }
  const text = (name: string) => {
    if (values[name] === '') throw new UsageError(`--${name} must not be empty.`);
    return typeof values[name] === 'string' ? values[name] : undefined;
  };
  const [model, backend, output] = ['model', 'backend', 'output'].map(text);
  const repair = values['repair'] === true;
  const dummySignatures = values['dummy-signatures'] === true;
  if (dummySignatures && !repair) throw new UsageError('--dummy-signatures requires --repair.');
  const now = text('now') ?? new Date().toISOString();
  return {
    now,
    files: files.length === 0 ? ['-'] : files,
    repair,
    dummySignatures,
    format: oneOf(text('format') ?? 'text', formats, '--format'),
    ...(model === undefined ? {} : { model }),
    ...(backend === undefined
      ? {}
      : { backend: oneOf(backend, ['gemini', 'vertex'] as const, '--backend') }),
    ...(output === undefined ? {} : { output }),
  };
}
