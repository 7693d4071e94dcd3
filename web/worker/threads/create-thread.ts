// Creates a thread, empty or from a history, and recognizes a request that has created it.
import { HttpError } from '../../server/body.js';
import { requestedConfiguration } from '../define-deployment.js';
import { parseCreate } from '../requests.js';
import type { ThreadCall } from '../thread-call.js';
import { checkDeclarations } from './check-declarations.js';
import type { LiveThread } from './live-thread.js';
import { declarationsName } from './thread-conversation.js';

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
