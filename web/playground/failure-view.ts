// Why this file exists: an error says what it is, what was said of it, and how to go on.
import { GeminiError, StrataError } from '../index.js';
import { button, element } from './dom.js';

const isStop = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

function codeOf(error: unknown): string {
  if (isStop(error)) return 'stopped';
  if (!(error instanceof StrataError)) return 'error';
  const status = error instanceof GeminiError && error.status > 0 ? `HTTP ${error.status} ` : '';
  return status + error.code;
}

function messageOf(error: unknown, entered: boolean): string {
  if (isStop(error))
    return entered
      ? 'You stopped the answer. Your turn is kept, the unfinished answer is not.'
      : 'You stopped before anything was sent. Your text is back in its field.';
  return error instanceof Error ? error.message : String(error);
}

function delayOf(error: unknown): string | undefined {
  if (!(error instanceof GeminiError) || error.retryAfterMs === undefined) return undefined;
  return `It asks to wait ${Math.ceil(error.retryAfterMs / 1000)} s before the next attempt.`;
}

/** A send that broke off. */
export interface Failure {
  error: unknown;
  /** Whether the user's turn had entered the conversation. */
  entered: boolean;
  /** Goes on; missing where there is nothing to go on with. */
  resume?: (() => void) | undefined;
}

/** An error in the conversation, with a button to go on where there is something to go on with. */
export function failureView({ error, entered, resume }: Failure): HTMLElement {
  const code = element('p', { className: 'code' }, element('b', {}, codeOf(error)));
  const view = element(
    'div',
    { className: 'failure' },
    code,
    element('p', {}, messageOf(error, entered)),
  );
  view.role = isStop(error) ? 'status' : 'alert';
  view.classList.toggle('stopped', isStop(error));
  const delay = delayOf(error);
  if (delay) view.append(element('p', {}, delay));
  if (resume) view.append(button('Try again', resume));
  return view;
}
