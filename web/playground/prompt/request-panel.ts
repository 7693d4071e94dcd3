// Shows the request that the prompt makes: which message it answers, its layers, its body, and what changed.
import type { Diagnostic } from '../../index.js';
import { findingsView } from '../engine/diagnostics-view.js';
import { spansOf } from '../engine/layers.js';
import { button, element } from '../../ui/dom.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import type { PromptAnalysis } from '../engine/prompt-result.js';
import { BodyView } from './body-view.js';
import { changeView } from './change-view.js';
import { LayerStack, type Pointed } from './layer-stack.js';

/** What the user chooses about the request. */
export interface RequestPanelOptions {
  /** Another message, from 0. */
  onTurn: (turn: number) => void;
  /** The history of the chat, or the simulated one. */
  onSource: (source: 'simulated' | 'chat') => void;
  /** Keep the request to compare with, or forget the kept one. */
  onKeep: (isKept: boolean) => void;
}

// Problems of templates are shown at their places, and a broken prefix is explained in words.
const isShownHere = ({ code }: Diagnostic) =>
  !code.startsWith('template.') && code !== 'cache.prefix_broken';

/** The request. */
export class RequestPanel {
  readonly element: HTMLElement;
  readonly #turn = element('input', { type: 'range', min: '1', max: '11', id: 'prompt-turn' });
  readonly #turnText = element('output');
  readonly #source = element('select', { id: 'prompt-source' });
  readonly #keep: HTMLButtonElement;
  readonly #state = element('p', { role: 'status', className: 'request-state' });
  readonly #shown = element('div', { className: 'request-shown', hidden: true });
  readonly #cache = element('p', { className: 'note' });
  readonly #change = element('div', {});
  readonly #findings = element('div', {});
  readonly #stack = new LayerStack((pointed, reveal) => this.#point(pointed, reveal));
  readonly #body = new BodyView((pointed) => this.#point(pointed));
  #isKept = false;

  constructor({ onTurn, onSource, onKeep }: RequestPanelOptions) {
    this.#turn.oninput = () => onTurn(Number(this.#turn.value) - 1);
    this.#source.append(
      new Option('a simulated conversation', 'simulated'),
      new Option('your chat', 'chat'),
    );
    this.#source.onchange = () => onSource(this.#source.value === 'chat' ? 'chat' : 'simulated');
    this.#keep = button('Keep this request to compare', () => onKeep(!this.#isKept));
    const heading = element('h2', {}, 'The request');
    const choices = element('div', { className: 'request-choices' });
    choices.append(
      element('label', { htmlFor: 'prompt-source' }, 'History: '),
      this.#source,
      element('label', { htmlFor: 'prompt-turn' }, 'Newest message: '),
      ...[this.#turn, this.#turnText, this.#keep],
    );
    this.#shown.append(
      element('h3', {}, 'Layers, as high as their tokens'),
      ...[this.#stack.element, this.#cache],
      element('h3', {}, 'Compared with the request before'),
      ...[this.#change, this.#findings],
      element('h3', {}, 'The body, exactly as it is sent'),
      this.#body.element,
    );
    this.element = element('section', { className: 'panel' }, heading, choices, this.#state);
    this.element.append(this.#shown);
    this.element.ariaLabel = 'The request';
  }

  /** Shows what the user chose. `canUseChat`: whether the chat has turns. */
  showChoices(source: 'simulated' | 'chat', canUseChat: boolean, isKept: boolean): void {
    this.#source.value = source;
    const chat = this.#source.options[1];
    if (chat) chat.disabled = !canUseChat;
    this.#isKept = isKept;
    this.#keep.textContent = isKept
      ? 'Compare with the message before'
      : 'Keep this request to compare';
  }

  /** Shows a request. */
  show(analysis: PromptAnalysis): void {
    const { request, failure, change, turns, turn } = analysis;
    if (!request) return this.showFailure(failure ?? '');
    this.#state.textContent = '';
    this.#state.hidden = true;
    this.#shown.hidden = false;
    this.#turn.max = String(turns);
    this.#turn.disabled = turns < 2;
    this.#turn.value = String(turn + 1);
    this.#turnText.textContent = `${turn + 1} of ${turns}`;
    const { body, manifest } = request;
    this.#stack.show(manifest, spansOf(body, manifest), change?.firstByte);
    this.#body.show(request, change?.firstByte);
    this.#cache.textContent = `Explicit cache: ${manifest.cache.reason}.`;
    this.#change.replaceChildren(changeView(request, change, analysis.implicitCacheMinimum));
    const findings = request.diagnostics.filter(isShownHere);
    this.#findings.replaceChildren(
      ...(findings.length > 0 ? [findingsView(findings, decodeUtf8(body))] : []),
    );
  }

  /** Says why there is no request. */
  showFailure(message: string): void {
    this.#state.hidden = false;
    this.#state.textContent = `There is no request: ${message}`;
    this.#shown.hidden = true;
  }

  #point(pointed: Pointed | undefined, reveal = false): void {
    this.#stack.mark(pointed);
    this.#body.mark(pointed, reveal);
  }
}
