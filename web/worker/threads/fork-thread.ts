// Copies turns of a thread to a new thread of the same caller.
import { HttpError } from '../../server/body.js';
import { withDisposable } from '../../sdk/internal/lifetime.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import type { Conversation, ToolCall } from '../../index.js';
import { storedConfiguration, takenNameAt } from '../define-deployment.js';
import { parseFork } from '../requests.js';
import { threadRequest, type ThreadCall } from '../thread-call.js';
import { objectName } from '../thread-id.js';
import { visibleLines, visibleRecord } from '../visible.js';
import { checkLength } from './change-thread.js';
import type { LiveThread } from './live-thread.js';
import type { Operation } from './operation.js';
import type { ThreadConversation } from './thread-conversation.js';

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
