// Connects to a thread that a Worker keeps.
import { decodeUtf8 } from '../sdk/internal/bytes.js';
import { jsonPart } from '../sdk/internal/json-input.js';
import { checkOptions } from '../sdk/internal/options.js';
import { CallerTools } from './caller-tools.js';
import { newKey } from './idempotency-key.js';
import { connectOptions, type ConnectOptions } from './options.js';
import { RemoteThread } from './remote-thread.js';
import { stateIn } from './state-in.js';
import { ThreadRequests, WorkerRequests } from './thread-requests.js';

/**
 * Creates a thread in a Worker of this package (docs/worker.md), or opens the one with this `id`.
 *
 * @throws RemoteError if the Worker refuses it, `thread.unknown` for an id that this caller has no thread with;
 *   StrataError `field.unknown`, `field.invalid`, `key.invalid` or `json.invalid` for invalid options
 *
 * @example
 * const thread = await connectThread({ url: 'https://threads.example.workers.dev', key });
 * for await (const event of thread.send('Hello')) if (event.type === 'text') print(event.text);
 */
export async function connectThread(options: ConnectOptions): Promise<RemoteThread> {
  checkOptions(options, connectOptions);
  const worker = new WorkerRequests(options);
  const tools = new CallerTools(options);
  const { id, signal } = options;
  if (id === undefined) {
    const created = await create(worker, tools, options);
    return new RemoteThread(options, worker, tools, created);
  }
  await new ThreadRequests(worker, id).state({ signal });
  return new RemoteThread(options, worker, tools, id);
}

async function create(
  worker: WorkerRequests,
  tools: CallerTools,
  { configuration, from, signal }: ConnectOptions,
): Promise<string> {
  const body = { configuration, tools: await tools.declarations(signal), from: historyOf(from) };
  const headers = { 'idempotency-key': newKey() };
  const request = { method: 'POST', path: '/threads', headers, body, signal } as const;
  return stateIn(await worker.json(request)).id;
}

// Text and bytes are sent as a text, which may be a saved thread; any other history is JSON.
function historyOf(from: ConnectOptions['from']): unknown {
  const part = jsonPart(from, '/from');
  if (part instanceof Uint8Array) return decodeUtf8(part);
  return typeof from === 'string' || part === undefined ? part : JSON.parse(part);
}
