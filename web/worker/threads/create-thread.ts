// Creates threads: new ones, and forks of others.
import { GatewayError } from '../../gateway/gateway-error.js';
import { parseCreate, parseFork, type CallerTool } from '../requests.js';
import { sharedCore, declarationsName, type ThreadConversation } from './thread-conversation.js';
import { HttpError } from '../../server/body.js';
import { requestedConfiguration, storedConfiguration, takenNameAt } from '../define-deployment.js';
import { threadRequest, objectName, type ThreadCall } from '../thread-call.js';
import type { LiveThread } from './live-thread.js';
import { withDisposable } from '../../sdk/internal/lifetime.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import type { Conversation, ToolCall } from '../../index.js';
import { visibleLines, visibleRecord } from '../thread-event.js';
import { checkLength, type Operation } from './operation.js';

const placeInBody = '/tools/0/functionDeclarations';

/** @throws HttpError with the status 422 and diagnostics if Gemini would refuse a declaration */
async function checkDeclarations(tools: readonly CallerTool[], model: string): Promise<void> {
  if (tools.length === 0) return;
  const now = new Date().toISOString();
  const thread = (await sharedCore()).thread({ model, now });
  const request = {
    now,
    trigger: 'Hello',
    tools: JSON.stringify([{ functionDeclarations: tools }]),
  };
  const found = withDisposable(thread, () => thread.assemble(request));
  const diagnostics = found.diagnostics
    .filter(({ severity, path }) => severity === 'error' && path.startsWith(placeInBody))
    .map((each) => ({ ...each, path: `/tools${each.path.slice(placeInBody.length)}` }));
  const [first] = diagnostics;
  if (!first) return;
  throw new GatewayError(422, first.code, `${first.path}: ${first.message}`, { diagnostics });
}

/**
 * Creates the thread of an object.
 *
 * @throws HttpError for an invalid body or tool, HistoryError for an invalid history; the object then holds a part of it
 */
export async function createThread(
  { record, texts, conversation, deployment }: LiveThread,
  { id, caller, configuration, bodyHash }: ThreadCall,
  body: string,
): Promise<void> {
  const { tools = [], from } = parseCreate(body);
  const { name } = requestedConfiguration(deployment, configuration);
  record.create({ id, caller, configuration: name }, Date.now());
  await checkDeclarations(tools, conversation.model);
  if (tools.length > 0) texts.put(declarationsName, JSON.stringify(tools));
  if (from !== undefined) await conversation.import(from);
  if (bodyHash !== undefined) record.complete(bodyHash);
}

/**
 * Returns whether the thread was created, by this request or an earlier one with its key.
 *
 * @throws HttpError with the status 422 if the earlier one had another body
 */
export function isCreated({ record }: LiveThread, { bodyHash }: ThreadCall): boolean {
  if (!record.exists) return false;
  const { bodyHash: first } = record;
  if (bodyHash === first) return true;
  // The process that created it has ended before all of it was stored.
  if (first === undefined) return false;
  const message = 'Idempotency-Key belongs to a thread of another body. Use a new key for it.';
  throw new HttpError(422, 'idempotency.mismatch', message);
}

/** What is copied, as the saved form has it, with all that callers may not see. */
interface Copied {
  saved: string;
  /** Which calls of the last turn have started or have results, so that they do not run again. */
  records: string[];
  openCalls: readonly ToolCall[];
}

async function copied(
  stored: ThreadConversation,
  conversation: Conversation,
  turns = conversation.thread.length,
): Promise<Copied> {
  const { thread } = conversation;
  checkLength(turns, thread.length);
  const saved = withDisposable(thread.fork(turns), (copy) => decodeUtf8(copy.save()));
  const records = turns === thread.length ? await stored.stepRecords(conversation) : [];
  return { saved, records, openCalls: thread.tail.openCalls };
}

function checkTools({ deployment, conversation }: LiveThread, configuration: string): void {
  const other = storedConfiguration(deployment, configuration);
  const { declarations } = conversation;
  if (!other.callerTools && declarations.length > 0) {
    const message = '/configuration must be one that takes tools of callers: this thread has some.';
    throw new HttpError(400, 'tools.not_allowed', message);
  }
  const taken = declarations[takenNameAt(declarations, other)];
  if (!taken) return;
  const message = `/configuration must be one without a tool ${taken.name}: this thread has declared one.`;
  throw new HttpError(400, 'tools.name_taken', message);
}

/** Creates the other thread. */
function create(
  { env }: LiveThread,
  { request, call: { caller } }: Operation,
  made: Pick<ThreadCall, 'id' | 'configuration' | 'bodyHash'>,
  body: object,
): Promise<Response> {
  const { THREADS: threads } = env;
  if (!threads) throw new HttpError(501, 'threads.unavailable', 'ThreadObject is not bound here.');
  const stub = threads.get(threads.idFromName(objectName(caller, made.id)));
  return stub.fetch(threadRequest(request, 'create', { ...made, caller }, JSON.stringify(body)));
}

// Another configuration may hide less, so that it gets what the caller may see.
function visibleIn(
  { record, conversation }: LiveThread,
  configuration: string,
  { saved, records, openCalls }: Copied,
): string {
  if (configuration === record.identity.configuration) return saved + records.join('\n');
  const { visibility } = conversation;
  const visible = records.map((line) => visibleRecord(line, openCalls, visibility));
  return visibleLines(saved, visibility) + visible.join('\n');
}

/** Creates a thread with the first turns of this one, or all of them. */
export async function fork(operation: Operation): Promise<Response> {
  const { live, call, body } = operation;
  const { turns, configuration = live.record.identity.configuration } = parseFork(body);
  checkTools(live, configuration);
  const { newId: id = '', bodyHash } = call;
  const copy = await live.conversation.use(({ conversation }) =>
    copied(live.conversation, conversation, turns),
  );
  const from = visibleIn(live, configuration, copy);
  const { declarations: tools } = live.conversation;
  const made = { id, configuration, ...(bodyHash !== undefined && { bodyHash }) };
  return create(live, operation, made, { tools, ...(from !== '' && { from }) });
}
