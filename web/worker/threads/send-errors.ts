// Defines the errors that end sends from outside.
import { StrataError, type ToolCall } from '../../index.js';
import { HttpError } from '../../server/body.js';
import type { EndCode } from './send-table.js';

/** The error of a send that its caller aborted. */
const sendAborted = () => new HttpError(409, 'send.aborted', 'The send was aborted.');

const deadlineExceeded = (ms: number) =>
  new HttpError(504, 'send.deadline', `The send ran longer than ${ms} ms (SEND_DEADLINE_MS).`);

/** The error of sends and streams of a thread that is being deleted. */
export const threadDeleted = () => new HttpError(409, 'thread.deleted', 'The thread was deleted.');

/** The error of a send in which tools of the deployment paused their calls. Nobody can post their results. */
export const pausedByDeployment = (calls: readonly ToolCall[]): StrataError => {
  const names = [...new Set(calls.map(({ name }) => name))].join(', ');
  const message = `Only calls of the caller can be answered later, but the deployment's ${names} paused its call.`;
  return new StrataError('conversation.waiting', message);
};

/** Returns the error of a send that ends before its last answer. */
export const endError = (code: EndCode, deadlineMs: number): HttpError =>
  code === 'aborted' ? sendAborted() : deadlineExceeded(deadlineMs);

/** What the model reads in the place of the results of calls that were open then. */
export const closedCallText: { readonly [code in EndCode]: string } = {
  aborted: 'Not answered: the request was aborted.',
  deadline: 'Not answered: the request took too long.',
};
