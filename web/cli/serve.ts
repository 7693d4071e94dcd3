// Runs the gateway until the process is told to end.
import process from 'node:process';
import { createEmulator } from '../emulator/index.js';
import { serve, type RunningServer } from '../server/serve.js';
import { UsageError } from './arguments.js';
import type { ServeTask } from './commands.js';
import { untilInterrupted, variable, readSource, reasonOf } from './terminal.js';
import { withoutSecrets } from '../requests/remove-secrets.js';
import {
  createGateway,
  type FetchHandler,
  type GatewayOptions,
  type ListedCaller,
  type SignatureMemory,
} from '../gateway/index.js';
import { dashboardResponse } from '../dashboard/dashboard.js';
import { createFileMemory } from '../server/index.js';
import { decodeDocument } from '../sdk/internal/bytes.js';

// The class exists twice: in the command's own file and in the package.
const isStrataError = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'StrataError';

async function callersText({ callersFile, callersEnv }: ServeTask): Promise<string | undefined> {
  if (callersEnv !== undefined) return variable(callersEnv, '--callers-env');
  if (callersFile === undefined) return undefined;
  return decodeDocument((await readSource(callersFile)).bytes);
}

/** Returns who may call; undefined if each caller spends its own key. */
async function callersOf(task: ServeTask): Promise<'anyone' | ListedCaller[] | undefined> {
  if (task.anyone) return 'anyone';
  const text = await callersText(task);
  if (text === undefined) return undefined;
  try {
    const callers: ListedCaller[] = JSON.parse(text);
    if (Array.isArray(callers)) return callers;
  } catch {
    // The text is not quoted: it may hold a key by mistake.
  }
  throw new UsageError(
    'The list of callers must be JSON: [{"id": "...", "keyHash": "<SHA-256 of the key>"}].',
  );
}

/** Returns the memory in a file, which is read now: a request would only log that it can't be. */
async function fileMemory(path: string): Promise<SignatureMemory> {
  const memory = createFileMemory(path);
  try {
    await memory.get([]);
  } catch (error) {
    if (isStrataError(error))
      throw new UsageError(`--memory: ${path} is not a log of signatures. Choose a new file.`);
    throw new UsageError(`Cannot read ${path}: ${reasonOf(error)}.`);
  }
  return memory;
}

async function optionsOf(task: ServeTask): Promise<GatewayOptions> {
  const { keyEnv, secretEnv, adminKeyEnv, memoryFile, policy, placeholder, origins } = task;
  const { upstreamWire } = task;
  const { requestsPerMinute, tokensPerMinute, concurrency } = task;
  const callers = await callersOf(task);
  // The emulator takes any key; with listed callers the gateway has to have one.
  const emulatorKey = task.emulator && callers !== undefined ? 'emulator' : undefined;
  const apiKey = keyEnv === undefined ? emulatorKey : variable(keyEnv, '--key-env');
  return {
    ...(task.emulator && { upstream: createEmulator({ now: () => new Date().toISOString() }) }),
    ...(apiKey !== undefined && { apiKey }),
    ...(callers !== undefined && { callers }),
    ...(secretEnv !== undefined && { secret: variable(secretEnv, '--secret-env') }),
    ...(adminKeyEnv !== undefined && { adminKey: variable(adminKeyEnv, '--admin-key-env') }),
    ...(memoryFile !== undefined && { memory: await fileMemory(memoryFile) }),
    ...{ policy, placeholder, origins },
    ...(upstreamWire && { upstreamWire }),
    limits: { requestsPerMinute, tokensPerMinute, concurrency },
    ...(!task.quiet && {
      log: (line: string) => process.stdout.write(withoutSecrets(`${line}\n`)),
    }),
  };
}

function payerOf({ keyEnv, emulator, anyone, callersFile, callersEnv }: ServeTask): string {
  if (emulator) {
    const isListed = callersFile !== undefined || callersEnv !== undefined;
    const who = isListed ? 'Listed callers send their key of this gateway.' : 'Send any key.';
    return `The emulator answers, not Gemini. ${who}`;
  }
  if (keyEnv === undefined) return 'Each caller spends the Gemini key that it sends.';
  return anyone
    ? `Everyone who reaches this address spends the key of ${keyEnv}.`
    : `Listed callers spend the key of ${keyEnv}. They send their own key of this gateway.`;
}

const dashboardLine = ({ url }: RunningServer, { adminKeyEnv }: ServeTask): string =>
  adminKeyEnv === undefined ? '' : `Dashboard, with the key of ${adminKeyEnv}: ${url}/dashboard\n`;

function printStart(server: RunningServer, task: ServeTask): void {
  const { url } = server;
  process.stdout.write(`${url}\n`);
  if (task.quiet) return;
  process.stdout.write(
    `${payerOf(task)}
${dashboardLine(server, task)}Point a client at this address:

  Gemini CLI      GOOGLE_GEMINI_BASE_URL=${url}
  @google/genai   new GoogleGenAI({ apiKey, httpOptions: { baseUrl: '${url}' } })
  openai          new OpenAI({ apiKey, baseURL: '${url}/v1' })

docs/gateway.md lists more. Ctrl+C ends the gateway.
`,
  );
}

async function start(task: ServeTask): Promise<RunningServer> {
  try {
    const options = await optionsOf(task);
    const { handle } = createGateway(options);
    const handler: FetchHandler =
      options.adminKey === undefined
        ? handle
        : async (request) => dashboardResponse(request) ?? handle(request);
    return await serve(handler, { port: task.port, host: task.host });
  } catch (error) {
    throw isStrataError(error) ? new UsageError(error.message) : error;
  }
}

/**
 * Serves the gateway until the process is interrupted, and returns the exit status.
 *
 * @throws UsageError if the port is in use or not allowed, or a key or the list of callers is missing or invalid
 */
export async function serveGateway(task: ServeTask): Promise<number> {
  const server = await start(task);
  return untilInterrupted(server, () => printStart(server, task));
}
