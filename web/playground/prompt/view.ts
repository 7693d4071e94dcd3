// The view Prompt: edits the templates and variables of the document, and shows the request that they make.
import { variablesOf } from '../engine/chat-settings.js';
import type { PlaygroundDocument } from '../state/playground-document.js';
import { button, element } from '../../ui/dom.js';
import type { View, ViewContext } from '../app.js';
import type { PromptAnalysis, PromptQuestion, RequestChoice } from '../engine/prompt-result.js';
import { PromptClient } from '../engine/prompt-client.js';
import { examplePrompt, isBlank } from './example-prompt.js';
import { PlacementPanel } from './placement-panel.js';
import { promptChanger } from './prompt-editor.js';
import { readVariables } from '../engine/prompt-sources.js';
import { RequestPanel } from './request-panel.js';
import { SectionsPanel } from './sections-panel.js';
import { simulatedTurns } from '../engine/simulated-conversation.js';
import { LayerTemplatePanel } from './templates-panel.js';
import { VariablesPanel } from './variables-panel.js';
import './prompt.css';

// How long the user must not type before the prompt is judged.
const restMs = 150;

const intro =
  'A prompt has four layers. You write the first two as templates; the history and the newest message follow. What stays the same at the start of each request can be read from a cache at a lower price.';

/** The templates, the variables and the request. */
class PromptView implements View {
  readonly element: HTMLElement;
  readonly #context: ViewContext;
  readonly #static: LayerTemplatePanel;
  readonly #dynamic: LayerTemplatePanel;
  readonly #sections: SectionsPanel;
  readonly #variables: VariablesPanel;
  readonly #placement: PlacementPanel;
  readonly #request: RequestPanel;
  readonly #start: HTMLElement;
  readonly #client = new PromptClient({
    analyzed: (analysis) => this.#analyzed(analysis),
    compared: (costs) => this.#placement.showCosts(costs),
    failed: (message) => this.#request.showFailure(message),
  });
  #source: 'simulated' | 'chat' = 'simulated';
  #turn = simulatedTurns;
  #kept: RequestChoice | undefined;
  #asked: PlaygroundDocument | undefined;
  #isShown = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(context: ViewContext) {
    this.#context = context;
    const change = promptChanger(context.document);
    const variables = () => readVariables(variablesOf(context.document.value.prompt)).values;
    this.#static = new LayerTemplatePanel('static', change, variables);
    this.#dynamic = new LayerTemplatePanel('dynamic', change, variables);
    this.#sections = new SectionsPanel(change, variables);
    this.#variables = new VariablesPanel(change);
    this.#placement = new PlacementPanel(change);
    this.#request = new RequestPanel({
      onTurn: (turn) => this.#choose(() => (this.#turn = turn)),
      onSource: (source) => this.#choose(() => (this.#source = source)),
      onKeep: (isKept) => this.#choose(() => (this.#kept = isKept ? this.#choice() : undefined)),
    });
    this.#start = element('p', { className: 'prompt-start' }, 'There is no prompt yet. ');
    this.#start.append(button('Start from an example', () => this.#startFromExample()));
    const editors = element('div', { className: 'prompt-editors' }, this.#start);
    editors.append(this.#static.element, this.#dynamic.element);
    editors.append(this.#sections.element, this.#variables.element);
    const request = element('div', { className: 'prompt-request' }, this.#request.element);
    request.append(this.#placement.element);
    const columns = element('div', { className: 'prompt-columns' }, editors, request);
    this.element = element('div', { className: 'prompt' }, element('p', {}, intro), columns);
    this.#addActions();
    context.document.subscribe(() => this.#show());
  }

  /** Focuses the editor of the static template for `static`, of the dynamic one for `dynamic`. */
  shown(focus?: string): void {
    this.#isShown = true;
    this.#show();
    if (focus === 'static') this.#static.focus();
    if (focus === 'dynamic') this.#dynamic.focus();
  }

  hidden(): void {
    this.#isShown = false;
    clearTimeout(this.#timer);
  }

  #startFromExample(): void {
    this.#context.document.update((value) => ({ ...value, prompt: examplePrompt }));
    this.#static.focus();
  }

  #addActions(): void {
    const isPossible = () => !this.#context.document.isReadOnly;
    const change = promptChanger(this.#context.document);
    this.#context.actions.add(
      { name: 'Edit the static template', view: 'prompt', run: () => this.#static.focus() },
      { name: 'Edit the dynamic template', view: 'prompt', run: () => this.#dynamic.focus() },
      {
        name: 'Place the dynamic layer in front of the history',
        ...{ view: 'prompt', isPossible },
        run: () => change({ placement: 'after-static' }),
      },
      {
        name: 'Place the dynamic layer behind the history',
        ...{ view: 'prompt', isPossible },
        run: () => change({ placement: 'before-current-turn' }),
      },
    );
  }

  // Shows the document. A change of what the user sees is judged after a rest.
  #show(): void {
    const { value, isReadOnly } = this.#context.document;
    for (const part of [this.#static, this.#dynamic, this.#sections, this.#variables])
      part.show(value.prompt, isReadOnly);
    this.#placement.show(value.prompt, isReadOnly);
    this.#start.hidden = isReadOnly || !isBlank(value.prompt);
    if (!this.#isShown) return;
    const { prompt, settings, chat } = this.#asked ?? {};
    const isAsked =
      value.prompt === prompt && value.settings === settings && value.chat.saved === chat?.saved;
    if (!isAsked) this.#askSoon();
  }

  #choose(change: () => void): void {
    change();
    this.#askSoon();
  }

  #askSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), restMs);
  }

  #choice(): RequestChoice {
    const { prompt, settings, chat } = this.#context.document.value;
    const history = this.#source === 'chat' ? chat.saved : '';
    return { prompt, settings, history, turn: this.#turn };
  }

  #ask(): void {
    const { value } = this.#context.document;
    const canUseChat = value.chat.saved !== '';
    if (!canUseChat) this.#source = 'simulated';
    this.#asked = value;
    this.#request.showChoices(this.#source, canUseChat, this.#kept !== undefined);
    const question: PromptQuestion = { ...this.#choice(), now: new Date().toISOString() };
    if (this.#kept) question.compare = this.#kept;
    this.#client.ask(question);
  }

  #analyzed(analysis: PromptAnalysis): void {
    const { prompt } = this.#asked ?? this.#context.document.value;
    for (const part of [this.#static, this.#dynamic, this.#sections])
      part.showReports(prompt, analysis.templates);
    this.#variables.showReports(analysis.templates);
    this.#request.show(analysis);
  }
}

/** Creates the view. */
export function createPromptView(context: ViewContext): View {
  return new PromptView(context);
}
