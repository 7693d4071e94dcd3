// Offers to run a tool's script: only after a click, or if the user allowed this script before.
import type { Json } from '../../../index.js';
import type { OpenCall } from '../draw-call.js';
import { button, element, folded } from '../../../ui/dom.js';
import { runScript, timeLimitMs } from '../sandbox/run-script.js';
import { allow, isAllowed } from './consent.js';

const note =
  `The script runs in a worker of a sandbox without network, storage or access to this page, ` +
  `and is ended after ${timeLimitMs / 1000} seconds.`;

/** The button that runs a script, and what the script said. */
export class ScriptRunner {
  readonly root = element('div', { className: 'fields' });
  readonly #open: OpenCall;
  readonly #onResult: (result: Json) => void;
  readonly #run = button('Run script', () => void this.#start());
  readonly #remember = element('input', { type: 'checkbox' });
  readonly #state = element('p', { className: 'problem', role: 'status' });
  readonly #report: HTMLElement;

  constructor(
    open: OpenCall,
    onResult: (result: Json) => void,
    onError: (message: string) => void,
  ) {
    this.#open = open;
    this.#onResult = onResult;
    this.#run.classList.add('main');
    const send = button('Send this error', () => onError(this.#state.textContent));
    this.#report = element('div', { className: 'actions', hidden: true }, send);
    const remember = element('label', { className: 'switch' }, this.#remember);
    remember.append(' Run it without asking until the page is reloaded');
    const actions = element('div', { className: 'actions' }, this.#run, remember);
    const script = folded('The script', element('pre', {}, open.tool.script));
    const text = element('p', { className: 'note' }, note);
    this.root.append(actions, text, script, this.#state, this.#report);
    // The caller must have the card before the script can answer.
    if (isAllowed(open.tool.script)) queueMicrotask(() => void this.#start());
  }

  async #start(): Promise<void> {
    const { call, signal, tool } = this.#open;
    if (this.#run.disabled) return;
    if (this.#remember.checked) allow(tool.script);
    this.#run.disabled = true;
    this.#report.hidden = true;
    this.#state.textContent = 'The script is running.';
    const { name, args } = call;
    const outcome = await runScript({ script: tool.script, name, args }, signal);
    this.#run.disabled = false;
    if (outcome.ok) return this.#onResult(JSON.parse(outcome.result) as Json);
    this.#state.textContent = outcome.message;
    this.#report.hidden = false;
  }
}
