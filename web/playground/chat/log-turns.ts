// Creates the elements of turns in the log of messages.
import type { Part, ToolCall } from '../../index.js';
import type { DiscardedAnswer } from '../state/playground-document.js';
import { element } from '../../ui/dom.js';
import { AnswerView } from './answer-view.js';
import { partView } from './part-view.js';
import { SignatureLine, ToolCard } from './tool-card.js';

/** Returns the element of a user's message; undefined for results of tools, which are shown with their calls. */
export function userTurn(parts: readonly Part[]): HTMLElement | undefined {
  const text = parts.map((part) => part.text ?? '').join('\n');
  const media = parts.map(partView).filter((view) => view !== undefined);
  if (text.trim() === '' && media.length === 0) return undefined;
  const turn = element('article', { className: 'turn user' }, element('h3', {}, 'You'));
  if (text.trim() !== '') turn.append(element('p', { className: 'text' }, text));
  turn.append(...media);
  return turn;
}

/** An answer of a saved thread, and what later turns refer to. */
export interface SavedAnswer {
  answer: AnswerView;
  cards: ToolCard[];
  signatures: SignatureLine[];
}

/** Returns the view of a model's Content. */
export function savedAnswer(parts: readonly Part[]): SavedAnswer {
  const answer = new AnswerView();
  const cards: ToolCard[] = [];
  const signatures: SignatureLine[] = [];
  for (const part of parts) {
    const { text = '', thought, functionCall, thoughtSignature } = part;
    const line = thoughtSignature === undefined ? undefined : new SignatureLine(thoughtSignature);
    if (line) signatures.push(line);
    if (thought) answer.addThought(text);
    else answer.addText(text);
    const view = partView(part);
    if (view) answer.add(view);
    if (functionCall) {
      const card = new ToolCard(
        functionCall.name ?? '',
        (functionCall.args ?? {}) as ToolCall['args'],
        line,
      );
      cards.push(card);
      answer.add(card.root);
    } else if (line) answer.add(line.root);
  }
  answer.complete();
  return { answer, cards, signatures };
}

/** Returns an answer that was discarded. */
export function discardedAnswer({ text, reason }: DiscardedAnswer): HTMLElement {
  const answer = new AnswerView();
  answer.addText(text);
  answer.discard(reason);
  return answer.root;
}
