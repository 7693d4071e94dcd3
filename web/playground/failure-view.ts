// Shows an error: what it is, what was said about it, and how to continue.
import { GeminiError, StrataError, type Json } from '../index.js';
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
      : 'You stopped before anything was sent. Your text is back in the message box.';
  return error instanceof Error ? error.message : String(error);
}

function delayOf(error: unknown): string | undefined {
  if (!(error instanceof GeminiError) || error.retryAfterMs === undefined) return undefined;
  return `It asks to wait ${Math.ceil(error.retryAfterMs / 1000)} s before the next attempt.`;
}

const isKeyReason = (detail: Json) => Object(detail).reason === 'API_KEY_INVALID';

// Whether it is the key that was refused, before sending or by the API.
function isKeyError(error: unknown): boolean {
  if (!(error instanceof GeminiError))
    return error instanceof StrataError && error.code === 'key.invalid';
  return [401, 403].includes(error.status) || error.details.some(isKeyReason);
}

/** What can be done about a message that has no answer. */
export interface Actions {
  /** Asks for the answer again. */
  resume: () => void;
  /** Takes the message out of the conversation, to be written anew. */
  edit: () => void;
}

/** A send that broke off. */
export interface Failure {
  error: unknown;
  /** Whether the user's turn had entered the conversation. */
  entered: boolean;
  /** Missing where no message waits for an answer. */
  actions?: Actions | undefined;
}

function actionsView({ resume, edit }: Actions): HTMLElement {
  const buttons = [button('Try again', resume), button('Edit message', edit)];
  return element('div', { className: 'actions' }, ...buttons);
}

/** A message that has no answer yet, after a later one was taken back. */
export function unansweredView(actions: Actions): HTMLElement {
  const text = element('p', {}, 'This message has no answer yet.');
  return element('div', { className: 'failure stopped' }, text, actionsView(actions));
}

/** An error in the conversation, with buttons to continue where a message waits for an answer. */
export function failureView({ error, entered, actions }: Failure): HTMLElement {
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
  if (isKeyError(error)) {
    const next = entered ? 'try again' : 'send it';
    view.append(element('p', {}, `Your message is kept. Change the API key above, then ${next}.`));
  }
  if (actions) view.append(actionsView(actions));
  return view;
}
