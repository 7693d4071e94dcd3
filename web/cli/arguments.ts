// Parses the command line: one table of options, and the errors for invalid arguments.
import { parseArgs } from 'node:util';
import type { Backend } from '../index.js';
import { isBaseUrl } from '../sdk/internal/options.js';
import { version } from '../sdk/internal/version.js';
import {
  commands,
  failOn,
  formats,
  policies,
  usageOf,
  wires,
  type Command,
  type EmulatorTask,
  type McpTask,
  type ProbeTask,
  type ServeTask,
  type Task,
} from './commands.js';

/** An invalid argument or unreadable input. The command exits with status 2. */
export class UsageError extends Error {}

const options = {
  model: { type: 'string', short: 'm' },
  backend: { type: 'string', short: 'b' },
  now: { type: 'string' },
  repair: { type: 'boolean' },
  'dummy-signatures': { type: 'boolean' },
  'breaks-within': { type: 'string' },
  'fail-on': { type: 'string' },
  format: { type: 'string', short: 'f' },
  output: { type: 'string', short: 'o' },
  'key-env': { type: 'string' },
  rule: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  emulator: { type: 'boolean' },
  'base-url': { type: 'string' },
  wire: { type: 'string' },
  port: { type: 'string', short: 'p' },
  host: { type: 'string' },
  delay: { type: 'string' },
  seed: { type: 'string' },
  'api-key': { type: 'string' },
  record: { type: 'string' },
  replay: { type: 'string' },
  requests: { type: 'string' },
  callers: { type: 'string' },
  'callers-env': { type: 'string' },
  anyone: { type: 'boolean' },
  'secret-env': { type: 'string' },
  'admin-key-env': { type: 'string' },
  memory: { type: 'string' },
  policy: { type: 'string' },
  'upstream-wire': { type: 'string' },
  placeholder: { type: 'boolean' },
  origins: { type: 'string' },
  'requests-per-minute': { type: 'string' },
  'tokens-per-minute': { type: 'string' },
  concurrency: { type: 'string' },
  quiet: { type: 'boolean', short: 'q' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const;

type CommandName = (typeof commands)[number];
type OptionName = keyof typeof options;

const always: OptionName[] = ['help', 'version'];
const shared: OptionName[] = ['backend', 'now', ...always];
const optionsOf: Record<CommandName, OptionName[]> = {
  lint: [
    ...shared,
    ...([
      'model',
      'output',
      'repair',
      'dummy-signatures',
      'breaks-within',
      'fail-on',
      'format',
    ] as const),
  ],
  probe: [...shared, 'model', 'output', 'key-env', 'rule', 'wire', 'yes', 'emulator', 'base-url'],
  emulator: [
    ...shared,
    ...(['port', 'host', 'delay', 'seed', 'api-key', 'requests', 'quiet'] as const),
    ...(['record', 'key-env', 'base-url', 'replay'] as const),
  ],
  serve: [
    ...always,
    ...(['port', 'host', 'key-env', 'callers', 'callers-env', 'anyone', 'secret-env'] as const),
    ...(['admin-key-env', 'memory', 'policy', 'upstream-wire', 'placeholder', 'origins'] as const),
    ...(['emulator', 'requests-per-minute', 'tokens-per-minute', 'concurrency', 'quiet'] as const),
  ],
  mcp: always,
};

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

// Returns the known word with the fewest changes, at most half of its letters.
function nearest(word: string, known: readonly string[]): string | undefined {
  const [found] = known
    .map((name) => ({ name, changes: distance(word, name) }))
    .sort((a, b) => a.changes - b.changes);
  return found && found.changes <= Math.min(3, word.length / 2) ? found.name : undefined;
}

const didYouMean = (word: string | undefined) =>
  word === undefined ? '' : ` Did you mean ${word}?`;

/** Returns ` Did you mean …?`, or an empty string if no known word is similar. */
const hint = (word: string, known: readonly string[]) => didYouMean(nearest(word, known));

/** Returns ` Did you mean …?` with an option of the command. A key is passed in the environment. */
function optionHint(flag: string, names: readonly OptionName[]): string {
  const flags = names.map((name) => `--${name}`);
  const isKey = /key$/i.test(flag) && !flags.includes('--api-key');
  const meant = isKey ? flags.find((known) => known === '--key-env') : nearest(flag, flags);
  return didYouMean(meant);
}

function parse(args: string[]): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    const [, flag = ''] = /'(-[^' ]*)/.exec(message) ?? [];
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';
    const command = commands.find((name) => args.includes(name));
    const names = command ? optionsOf[command] : always;
    throw new UsageError(
      unknown
        ? `Unknown option ${flag}.${optionHint(flag, names)}`
        : (message.split('\n')[0] ?? message),
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

type Values = ReturnType<typeof parseArgs>['values'];

/** Returns the text of an option; undefined if it is unset. */
function textOf(values: Values, name: keyof typeof options): string | undefined {
  const { [name]: value } = values;
  if (value === '') throw new UsageError(`--${name} must not be empty.`);
  return typeof value === 'string' ? value : undefined;
}

/** Returns the words of an option that commas separate. */
function listOf(values: Values, name: keyof typeof options): string[] {
  const words = (textOf(values, name) ?? '').split(',').map((word) => word.trim());
  return words.filter((word) => word !== '');
}

function backendOf(values: Values): Backend | undefined {
  const backend = textOf(values, 'backend');
  return backend === undefined
    ? undefined
    : oneOf(backend, ['gemini', 'vertex'] as const, '--backend');
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

// Date.parse takes other forms, too, and February 30.
function isTime(text: string): boolean {
  const [, year, month, day] = rfc3339.exec(text) ?? [];
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(day) <= days && !Number.isNaN(Date.parse(text));
}

function timeOf(values: Values): string {
  const now = textOf(values, 'now') ?? new Date().toISOString();
  if (isTime(now)) return now;
  throw new UsageError('--now must be a time in RFC 3339, such as 2026-11-22T10:00:00Z.');
}

function lintTask(values: Values, files: string[]): Task {
  const repair = values['repair'] === true;
  const dummySignatures = values['dummy-signatures'] === true;
  if (dummySignatures && !repair) throw new UsageError('--dummy-signatures requires --repair.');
  const breaksWithin = limitOf(values, 'breaks-within', 3650);
  if (breaksWithin !== undefined && repair)
    throw new UsageError('--breaks-within takes no --repair: a repair is for today.');
  return {
    command: 'lint',
    files: files.length === 0 ? ['-'] : files,
    repair,
    dummySignatures,
    ...(breaksWithin === undefined ? {} : { breaksWithin }),
    failOn: oneOf(textOf(values, 'fail-on') ?? 'error', failOn, '--fail-on'),
    format: oneOf(textOf(values, 'format') ?? 'text', formats, '--format'),
    model: textOf(values, 'model'),
    backend: backendOf(values),
    now: timeOf(values),
    output: textOf(values, 'output'),
  };
}

// A relative one has no page to be resolved against.
function baseUrlOf(values: Values): string | undefined {
  const url = textOf(values, 'base-url');
  if (url === undefined || (isBaseUrl(url) && URL.canParse(url))) return url;
  throw new UsageError(
    '--base-url must be a URL without credentials and query, such as https://example.com.',
  );
}

function probeTask(values: Values, [argument]: string[]): ProbeTask {
  if (argument !== undefined) throw new UsageError('probe takes options only. See --help.');
  const keyEnv = textOf(values, 'key-env');
  const baseUrl = baseUrlOf(values);
  const emulator = values['emulator'] === true;
  if (emulator && (keyEnv ?? baseUrl) !== undefined) {
    throw new UsageError('--emulator takes neither --key-env nor --base-url.');
  }
  if (!emulator && keyEnv === undefined) {
    throw new UsageError('probe needs --key-env NAME, the environment variable with the API key.');
  }
  const wire = oneOf(textOf(values, 'wire') ?? 'generateContent', wires, '--wire');
  if (wire === 'interactions') {
    if (backendOf(values) === 'vertex')
      throw new UsageError(
        '--wire interactions needs the backend gemini: Vertex AI takes no key there.',
      );
    if (values['rule'] !== undefined)
      throw new UsageError('--wire interactions asks questions of its own. Leave out --rule.');
  }
  return {
    command: 'probe',
    wire,
    keyEnv,
    baseUrl,
    emulator,
    models: listOf(values, 'model'),
    rules: listOf(values, 'rule'),
    backend: backendOf(values) ?? 'gemini',
    now: timeOf(values),
    yes: values['yes'] === true,
    output: textOf(values, 'output'),
  };
}

/** Returns an option that is an integer from 0 on. */
function numberOf(values: Values, name: OptionName, preset: number, max: number): number {
  const text = textOf(values, name) ?? String(preset);
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Infinity;
  if (number <= max) return number;
  throw new UsageError(`--${name} must be an integer from 0 to ${max}, not ${text}.`);
}

function limitOf(values: Values, name: OptionName, max = 999_999_999): number | undefined {
  return values[name] === undefined ? undefined : numberOf(values, name, 0, max);
}

// Refuses what would start a server that nobody can use, or that loses its memory.
function checkServe(task: ServeTask): ServeTask {
  const { keyEnv, callersFile, callersEnv, anyone, emulator, memoryFile, secretEnv } = task;
  const isListed = (callersFile ?? callersEnv) !== undefined;
  if (callersFile !== undefined && callersEnv !== undefined)
    throw new UsageError('Give --callers or --callers-env, not both.');
  if (anyone && isListed) throw new UsageError('Give --anyone or a list of callers, not both.');
  if (emulator && keyEnv !== undefined) throw new UsageError('--emulator takes no --key-env.');
  if (keyEnv !== undefined && !isListed && !anyone)
    throw new UsageError(
      '--key-env needs --callers FILE, or --anyone if everyone who reaches the address may spend the key.',
    );
  if (isListed && keyEnv === undefined && !emulator)
    throw new UsageError(
      'A list of callers needs --key-env NAME: their keys never travel to Google. Without a list, each caller ' +
        'spends the Gemini key that it sends.',
    );
  if (memoryFile !== undefined && secretEnv === undefined)
    throw new UsageError(
      '--memory needs --secret-env NAME: without it nobody could read the file.',
    );
  return task;
}

function upstreamWireOf(values: Values): Pick<ServeTask, 'upstreamWire'> {
  const wire = textOf(values, 'upstream-wire');
  return wire === undefined ? {} : { upstreamWire: oneOf(wire, wires, '--upstream-wire') };
}

function serveTask(values: Values, [argument]: string[]): ServeTask {
  if (argument !== undefined) throw new UsageError('serve takes options only. See --help.');
  return checkServe({
    command: 'serve',
    port: numberOf(values, 'port', 8080, 65535),
    host: textOf(values, 'host') ?? '127.0.0.1',
    keyEnv: textOf(values, 'key-env'),
    callersFile: textOf(values, 'callers'),
    callersEnv: textOf(values, 'callers-env'),
    anyone: values['anyone'] === true,
    secretEnv: textOf(values, 'secret-env'),
    adminKeyEnv: textOf(values, 'admin-key-env'),
    memoryFile: textOf(values, 'memory'),
    policy: oneOf(textOf(values, 'policy') ?? 'repair', policies, '--policy'),
    ...upstreamWireOf(values),
    placeholder: values['placeholder'] === true,
    origins: listOf(values, 'origins'),
    requestsPerMinute: limitOf(values, 'requests-per-minute'),
    tokensPerMinute: limitOf(values, 'tokens-per-minute'),
    concurrency: limitOf(values, 'concurrency'),
    emulator: values['emulator'] === true,
    quiet: values['quiet'] === true,
  });
}

const googleUrl = 'https://generativelanguage.googleapis.com';

// A recording is of the real API: what only the emulator invents has no meaning there.
function recordingOf(values: Values): Pick<EmulatorTask, 'record' | 'replayFolder'> {
  const [folder, replayFolder] = [textOf(values, 'record'), textOf(values, 'replay')];
  const [keyEnv, baseUrl] = [textOf(values, 'key-env'), baseUrlOf(values)];
  if (folder === undefined) {
    if ((keyEnv ?? baseUrl) !== undefined)
      throw new UsageError('--key-env and --base-url need --record DIR.');
    if (replayFolder !== undefined) checkOnlyReplays(values, '--replay');
    return replayFolder === undefined ? {} : { replayFolder };
  }
  if (replayFolder !== undefined) throw new UsageError('Give --record or --replay, not both.');
  if (keyEnv === undefined)
    throw new UsageError('--record needs --key-env NAME, the environment variable with the key.');
  checkOnlyReplays(values, '--record');
  return { record: { folder, keyEnv, baseUrl: baseUrl ?? googleUrl } };
}

function checkOnlyReplays(values: Values, flag: string): void {
  const names = ['backend', 'now', 'delay', 'seed', 'api-key', 'requests'] as const;
  const foreign = names.find((name) => values[name] !== undefined);
  if (foreign !== undefined) throw new UsageError(`${flag} takes no --${foreign}.`);
}

function emulatorTask(values: Values, [argument]: string[]): EmulatorTask {
  if (argument !== undefined) throw new UsageError('emulator takes options only. See --help.');
  return {
    command: 'emulator',
    port: numberOf(values, 'port', 8080, 65535),
    host: textOf(values, 'host') ?? '127.0.0.1',
    backend: backendOf(values),
    delayMs: numberOf(values, 'delay', 0, 60_000),
    seed: textOf(values, 'seed'),
    apiKey: textOf(values, 'api-key'),
    now: values['now'] === undefined ? undefined : timeOf(values),
    requestsFile: textOf(values, 'requests'),
    ...recordingOf(values),
    quiet: values['quiet'] === true,
  };
}

function mcpTask([argument]: string[]): McpTask {
  if (argument !== undefined) throw new UsageError('mcp takes no arguments. See --help.');
  return { command: 'mcp' };
}

// Rejects the options of other commands.
function checkOptions(values: Values, command: CommandName): void {
  const foreign = Object.keys(values).find(
    (name) => !optionsOf[command].some((own) => own === name),
  );
  if (foreign === undefined) return;
  const advice = optionHint(`--${foreign}`, optionsOf[command]);
  throw new UsageError(`${command} has no option --${foreign}.${advice}`);
}

/**
 * Parses the arguments after the program name.
 *
 * @throws UsageError
 */
export function readArguments(args: string[]): Command {
  const { values, positionals } = parse(args);
  if (values['version'] === true) return { command: 'print', text: `${version}\n` };
  const [word, ...rest] = positionals;
  if (values['help'] === true || word === undefined)
    return { command: 'print', text: usageOf(word) };
  const command = commands.find((name) => name === word);
  if (command === undefined) {
    throw new UsageError(`Unknown command ${word}.${hint(word, commands)}`);
  }
  checkOptions(values, command);
  if (command === 'emulator') return emulatorTask(values, rest);
  if (command === 'serve') return serveTask(values, rest);
  if (command === 'mcp') return mcpTask(rest);
  return command === 'lint' ? lintTask(values, rest) : probeTask(values, rest);
}
