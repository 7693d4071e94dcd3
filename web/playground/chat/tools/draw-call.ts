// Draws the card of a call that waits for its result: the declaration, the script, and a field for an answer by hand.
import type { Json } from '../../../index.js';
import type { DrawCall, OpenCall } from '../draw-call.js';
import type { ToolDraft } from '../../state/playground-document.js';
import { element, folded } from '../../../ui/dom.js';
import { AnswerField } from './answer-field.js';
import { ScriptRunner } from './script-runner.js';
import './tools.css';

function declarationView({ description, parameters }: ToolDraft): HTMLElement {
  const about = element('p', {}, description === '' ? 'Without a description.' : description);
  const shown = parameters.trim() === '' ? 'It takes no arguments.' : parameters;
  return folded('The declaration', about, element('pre', {}, shown));
}

interface Settler<Result> {
  promise: Promise<Result>;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

function settler<Result>(): Settler<Result> {
  let [resolve, reject]: [Settler<Result>['resolve'], Settler<Result>['reject']] = [
    () => {},
    () => {},
  ];
  const promise = new Promise<Result>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}

type Answer = (result: Json) => void;
type Refuse = (error: unknown) => void;

function elementOf(open: OpenCall, onResult: Answer, onFailure: Refuse): HTMLElement {
  const { name } = open.call;
  const onError = (message: string) =>
    onFailure(new Error(message.trim() === '' ? `${name} failed.` : message));
  const card = element('div', { className: 'call-card', role: 'group' });
  card.ariaLabel = `Answer ${name}`;
  card.append(declarationView(open.tool));
  const hasScript = open.tool.script.trim() !== '';
  if (hasScript) card.append(new ScriptRunner(open, onResult, onError).root);
  const byHand = folded('Answer by hand', new AnswerField(name, onResult, onError).root);
  byHand.open = open.tool.answer === 'hand' || !hasScript;
  card.append(byHand);
  return card;
}

/** Draws the card of a call. Nothing runs before the user asks for it. */
export const drawCall: DrawCall = (open) => {
  const { signal } = open;
  const { promise: result, resolve, reject } = settler<Json>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  // The chat awaits it; a rejection before that must not be reported as unhandled.
  result.catch(() => {});
  return { element: elementOf(open, resolve, reject), result };
};
