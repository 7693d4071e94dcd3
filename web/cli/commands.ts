// Declares the commands with their arguments, and writes the help text.
import type { Backend, Wire } from '../index.js';

export const wires = ['generateContent', 'interactions'] as const satisfies Wire[];

export const formats = ['text', 'json', 'sarif', 'github'] as const;
/** The format of a report. */
export type Format = (typeof formats)[number];

export const failOn = ['error', 'warning', 'never'] as const;

/** The arguments of `lint`. */
export interface Task {
  command: 'lint';
  /** The files to read; `-` is standard input. */
  files: string[];
  /** The model of requests that do not name one. */
  model?: string;
  backend?: Backend;
  /** The time whose rules apply, RFC 3339. */
  now: string;
  repair: boolean;
  dummySignatures: boolean;
  /** Reports only what changes within so many days. */
  breaksWithin?: number;
  /** The least severity that the exit status 1 says. */
  failOn: (typeof failOn)[number];
  format: Format;
  output?: string;
}

/** The arguments of `probe`. */
export interface ProbeTask {
  command: 'probe';
  /** The API that is probed. */
  wire: Wire;
  /** The environment variable that holds the API key. Unset with `emulator`. */
  keyEnv?: string;
  /** The models to probe. Empty: for each rule the model of its example. */
  models: string[];
  backend: Backend;
  /** The rules to probe. Empty: all that can be probed. */
  rules: string[];
  /** The time whose rules and prices apply, RFC 3339. */
  now: string;
  /** Sends the requests without asking. */
  yes: boolean;
  /** Probes the emulator instead of Google's API. */
  emulator: boolean;
  baseUrl?: string;
  output?: string;
}

/** The arguments of `emulator`. */
export interface EmulatorTask {
  command: 'emulator';
  port: number;
  host: string;
  /** The service whose rules apply. Unset: the one that the path of a request belongs to. */
  backend?: Backend;
  /** The delay before each read of an answer, in milliseconds. */
  delayMs: number;
  seed?: string;
  /** The key that is required. Unset: any, or none. */
  apiKey?: string;
  /** The time that applies, RFC 3339. Unset: the current one. */
  now?: string;
  /** Where each request is appended as a line of JSON. */
  requestsFile?: string;
  /** The folder in which answers of the real API are recorded, with the key and its address. */
  record?: { folder: string; keyEnv: string; baseUrl: string };
  /** The folder from which answers are replayed. */
  replayFolder?: string;
  quiet: boolean;
}

export const policies = ['repair', 'reject', 'observe'] as const;

/** The arguments of `serve`. */
export interface ServeTask {
  command: 'serve';
  port: number;
  host: string;
  /** The environment variable with the key for Gemini. Unset: each caller spends the key that it sends. */
  keyEnv?: string;
  /** The file that lists who may call. */
  callersFile?: string;
  /** The environment variable that lists who may call. */
  callersEnv?: string;
  /** Everyone who reaches the server may spend its key. */
  anyone: boolean;
  /** The environment variable with the deployment's secret. */
  secretEnv?: string;
  /** The environment variable with the key of /metrics. */
  adminKeyEnv?: string;
  /** Where signatures are remembered. Unset: in this process. */
  memoryFile?: string;
  policy: (typeof policies)[number];
  /** The API that answers all clients. Unset: the one that each client speaks. */
  upstreamWire?: (typeof wires)[number];
  placeholder: boolean;
  /** Origins whose pages may call. */
  origins: string[];
  requestsPerMinute?: number;
  tokensPerMinute?: number;
  concurrency?: number;
  /** The emulator answers instead of Google. */
  emulator: boolean;
  quiet: boolean;
}

/** The arguments of `mcp`, which takes none. */
export interface McpTask {
  command: 'mcp';
}

/** A text to print: the help or the version. */
export interface TextTask {
  command: 'print';
  text: string;
}

/** A parsed command line. */
export type Command = Task | ProbeTask | EmulatorTask | ServeTask | McpTask | TextTask;

const introduction = `Validates Gemini requests before they are sent, emulates the Gemini API, serves a gateway to it, and gives coding
agents what it knows.`;

/** How each command is called. */
const calls = {
  lint: 'lint [FILE...] --model MODEL [options]',
  probe: 'probe --key-env NAME [options]',
  emulator: 'emulator [options]',
  serve: 'serve [options]',
  mcp: 'mcp',
} as const;

const closing = `  -h, --help             print this help
  -V, --version          print the version

Exit status: 0 if no errors are found or the API agrees, 1 if errors are found or the API differs, 2 if
an argument is invalid, a file cannot be read, a port is in use, or the API gives no answer.
`;

const sections = {
  lint: `lint: FILE is a request body, an array of Contents or steps, JSON Lines of requests, a HAR file, cURL commands, or
a script that sends requests: fetch, PowerShell, Python, or a call of Google's SDK.
Without FILE, or if FILE is "-", the command reads standard input.

  -m, --model MODEL      model of requests that do not name one
  -b, --backend BACKEND  gemini (default) or vertex
      --now TIME         time of the requests, RFC 3339: which models and rules hold (default: now)
      --repair           write the repaired request to standard output, the findings to standard error
      --dummy-signatures with --repair: replace missing signatures with Google's placeholder
      --breaks-within N  only what changes within N days: models that end, rules and routes that begin
      --fail-on SEVERITY status 1 from error (default) or warning on, or never
  -f, --format FORMAT    text (default), json, sarif, or github: annotations of GitHub Actions
  -o, --output FILE      write to FILE instead of standard output`,
  probe: `probe: compares the rules with Google's API. It sends small requests that should be refused, and the
nearest ones that should be accepted. It says how many, and asks first.

      --key-env NAME     environment variable that holds the API key
  -m, --model MODELS     models, separated by commas. Default: for each rule the model of its example
  -b, --backend BACKEND  gemini (default) or vertex
      --rule CODES       rules, separated by commas. Default: all that can be probed
      --wire WIRE        generateContent (default), or interactions: asks what that API does with signed
                         histories, which needs two answers of each model
      --now TIME         time whose rules and prices apply, RFC 3339 (default: now)
  -y, --yes              send without asking
  -o, --output FILE      write what was seen as JSON
      --base-url URL     call another host
      --emulator         probe the emulator; needs no key`,
  emulator: `emulator: answers like the Gemini API on this computer, without a network and without a key, until Ctrl+C.
It prints its address and a line for each request.

  -p, --port PORT        port (default: 8080); 0 for any free one
      --host HOST        address (default: 127.0.0.1, which only this computer reaches)
  -b, --backend BACKEND  gemini or vertex: whose rules apply (default: the one that the path belongs to)
      --delay MS         wait before each read of an answer; about 20 makes streaming visible
      --seed TEXT        selects texts, IDs and signatures
      --api-key KEY      require this key (default: any key, or none)
      --now TIME         time that applies, RFC 3339 (default: the current one)
      --requests FILE    append each request to FILE as a line of JSON, without keys
      --record DIR       ask the real API instead, and record its answers in DIR; needs --key-env
      --key-env NAME     environment variable that holds the key for that
      --base-url URL     the address for that (default: Google's)
      --replay DIR       answer from the recordings in DIR only, without a network
  -q, --quiet            print the address only`,
  serve: `serve: a gateway between clients and Gemini, until Ctrl+C. It repairs requests that Google would refuse and
restores thought signatures that clients drop. Without --key-env, each caller spends the key that it sends.
It prints its address and a line of JSON for each request, without texts and keys.

  -p, --port PORT        port (default: 8080); 0 for any free one
      --host HOST        address (default: 127.0.0.1, which only this computer reaches)
      --key-env NAME     environment variable that holds the Gemini API key; needs --callers or --anyone
      --callers FILE     JSON of who may call: [{"id": "...", "keyHash": "<SHA-256 of the key>"}]
      --callers-env NAME environment variable that holds this JSON
      --anyone           everyone who reaches the address may spend the key; remembers no signatures
      --secret-env NAME  environment variable that holds the secret of the signature memory
      --memory FILE      keep signatures in FILE, encrypted; needs --secret-env (default: in this process)
      --policy POLICY    repair (default), reject or observe
      --upstream-wire API  serve all clients through generateContent or interactions (default: what each speaks)
      --placeholder      send Google's placeholder where a required signature is not known
      --origins LIST     origins whose pages may call, separated by commas (default: none)
      --admin-key-env NAME  environment variable that holds the key of /metrics and /dashboard (default: neither)
      --requests-per-minute N, --tokens-per-minute N, --concurrency N  limits of each caller
      --emulator         the emulator answers instead of Google; costs nothing
  -q, --quiet            print the address only`,
  mcp: `mcp: an MCP server over standard input and output, which a coding agent starts. Its tools are lint, repair,
convert, explain_rule and models. It reads no files, sends nothing and needs no key.`,
} as const;

/** The commands. */
export const commands = Object.keys(calls) as (keyof typeof calls)[];

/** Returns the help about a command, or about all. */
export function usageOf(command: string | undefined): string {
  const known = commands.filter((name) => name === command);
  const shown = known.length > 0 ? known : commands;
  const called = shown.map((name) => `  prompt-strata ${calls[name]}`).join('\n');
  const head = known.length > 0 ? [called] : [introduction, called];
  return [...head, ...shown.map((name) => sections[name]), closing].join('\n\n');
}
