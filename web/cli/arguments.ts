// Why this file exists: what the command can be told, in one table, and what is said to whoever tells it
// something else.
import { parseArgs } from 'node:util';
import type { Backend } from '../index.js';

/** What was asked for wrongly, or can't be read: exit status 2. */
export class UsageError extends Error {}

const formats = ['text', 'json', 'sarif'] as const;
export type Format = (typeof formats)[number];

/** One `lint`. */
export interface Task {
  files: string[];
  /** For requests that don't say it themselves. */
  model?: string;
  backend?: Backend;
  repair: boolean;
  dummySignatures: boolean;
  format: Format;
  output?: string;
}

export type Command = Task | 'help' | 'version';

const options = {
  model: { type: 'string', short: 'm' },
  backend: { type: 'string', short: 'b' },
  repair: { type: 'boolean' },
  'dummy-signatures': { type: 'boolean' },
  format: { type: 'string', short: 'f' },
  output: { type: 'string', short: 'o' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const;

export const usage = `Checks Gemini requests before they are sent.

  prompt-strata lint [FILE...] --model MODEL [options]

FILE is a request body, an array of Contents, JSON Lines of requests, or a HAR file; "-" or none is
standard input.

  -m, --model MODEL      the model the request is for, unless the file says it
  -b, --backend BACKEND  gemini (default) or vertex
      --repair           writes the repaired request to standard output, the findings to standard error
      --dummy-signatures with --repair: Google's placeholder where a signature is missing
  -f, --format FORMAT    text (default), json or sarif
  -o, --output FILE      writes there instead of to standard output
  -h, --help             this text
  -V, --version          the version

Exit status: 0 without errors, 1 with findings that are errors, 2 for what can't be read or understood.
`;

// How many letters must change to make one word of the other.
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

/** ` Did you mean …?`, or nothing where no known word is near. */
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
 * Reads the command line behind the program's name.
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
    if (values[name] === '') throw new UsageError(`--${name} is empty.`);
    return typeof values[name] === 'string' ? values[name] : undefined;
  };
  const [model, backend, output] = ['model', 'backend', 'output'].map(text);
  const repair = values['repair'] === true;
  const dummySignatures = values['dummy-signatures'] === true;
  if (dummySignatures && !repair) throw new UsageError('--dummy-signatures needs --repair.');
  return {
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
