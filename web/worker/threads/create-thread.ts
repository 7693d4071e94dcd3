// Creates a thread, empty or from a history.
import { requestedConfiguration } from '../define-deployment.js';
import { parseCreate } from '../requests.js';
import type { ThreadCall } from '../thread-call.js';
import type { LiveThread } from './live-thread.js';
import { declarationsName } from './thread-conversation.js';

/**
 * Creates the thread of an object.
 *
 * @throws HttpError for an invalid body, HistoryError for an invalid history; the object then holds a part of it
 */
export async function createThread(
  { record, texts, conversation, deployment }: LiveThread,
  { id, caller, configuration }: ThreadCall,
  body: string,
): Promise<void> {
  const { tools = [], from } = parseCreate(body);
  const { name } = requestedConfiguration(deployment, configuration);
  record.create({ id, caller, configuration: name }, Date.now());
  if (tools.length > 0) texts.put(declarationsName, JSON.stringify(tools));
  if (from !== undefined) await conversation.import(from);
}
