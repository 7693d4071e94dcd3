// Shows the error of a failed send, and how to continue.
import { GeminiError, StrataError, type Json } from '../../index.js';
import { button, element } from '../../ui/dom.js';

const isStop = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

function codeOf(error: unknown): string {
  if (isStop(error)) return 'stopped';
  if (!(error instanceof StrataError)) return 'error';
  const status = error instanceof GeminiError && error.status > 0 ? `HTTP ${error.status} ` : '';
  return status + error.code;
}

function messageOf(error: unknown, isAdded: boolean): string {
  if (isStop(error))
    return isAdded
      ? 'You stopped the answer. Your message is kept, the unfinished answer is discarded.'
      : 'You stopped before anything was sent. Your text is back in the message box.';
  return error instanceof Error ? error.message : String(error);
}

function delayOf(error: unknown): string | undefined {
  if (!(error instanceof GeminiError) || error.retryAfterMs === undefined) return undefined;
  return `The API asks you to wait ${Math.ceil(error.retryAfterMs / 1000)} s before you retry.`;
}

const isKeyReason = (detail: Json) => Object(detail).reason === 'API_KEY_INVALID';

// Whether the key was rejected, either before sending or by the API.
function isKeyError(error: unknown): boolean {
  if (!(error instanceof GeminiError))
    return error instanceof StrataError && error.code === 'key.invalid';
  return [401, 403].includes(error.status) || error.details.some(isKeyReason);
}

/** The actions for a message that has no answer. */
export interface Actions {
  /** Requests the answer again. */
  resume: () => void;
  /** Removes the message from the conversation and returns it to the message box. */
  edit: () => void;
}

/** A failed send. */
export interface Failure {
  error: unknown;
  /** Whether the user's message was added to the conversation. */
  isAdded: boolean;
  /** Undefined if no message waits for an answer. */
  actions?: Actions | undefined;
}

function actionsView({ resume, edit }: Actions): HTMLElement {
  const buttons = [button('Try again', resume), button('Edit message', edit)];
  return element('div', { className: 'actions' }, ...buttons);
}

/** Shows that a message has no answer yet, after a later message was removed. */
export function unansweredView(actions: Actions): HTMLElement {
  const text = element('p', {}, 'This message has no answer yet.');
  return element('div', { className: 'failure stopped' }, text, actionsView(actions));
}

/** Shows an error, with buttons to continue if a message waits for an answer. */
export function failureView({ error, isAdded, actions }: Failure): HTMLElement {
  const code = element('p', { className: 'code' }, element('b', {}, codeOf(error)));
  const view = element(
    'div',
    { className: 'failure' },
    code,
    element('p', {}, messageOf(error, isAdded)),
  );
  view.role = isStop(error) ? 'status' : 'alert';
  view.classList.toggle('stopped', isStop(error));
  const delay = delayOf(error);
  if (delay) view.append(element('p', {}, delay));
  if (isKeyError(error)) {
    const next = isAdded ? 'try again' : 'send it';
    view.append(element('p', {}, `Your message is kept. Change the API key above, then ${next}.`));
  }
  if (actions) view.append(actionsView(actions));
  return view;
}
