// Lets the user choose a request of the text, and the model and the service for which it is linted.
import type { Backend } from '../../index.js';
import { element } from '../../ui/dom.js';
import type { Analysis, AnalysisOptions } from '../engine/lint-result.js';
import { requestWords } from '../engine/words.js';

const backendNames: Record<Backend, string> = { gemini: 'Gemini API', vertex: 'Vertex AI' };
const fromRequest = 'from the request';

/** The fields above the text. */
export class RequestFields {
  readonly element = element('div', { className: 'request-fields' });
  readonly #request = element('select', { id: 'lint-request' });
  readonly #requestField = labeled('Request', this.#request);
  readonly #model = element('input', { id: 'lint-model', autocomplete: 'off', spellcheck: false });
  readonly #backend = element('select', { id: 'lint-backend' });
  readonly #ownBackend = new Option(fromRequest, '');
  #requestKey = '';

  /** `onRequest` and `onTarget` are called when the user chooses a request, or a model or service. */
  constructor(onRequest: () => void, onTarget: () => void) {
    const services = Object.entries(backendNames).map(([value, name]) => new Option(name, value));
    this.#backend.append(this.#ownBackend, ...services);
    this.#request.onchange = onRequest;
    this.#model.onchange = onTarget;
    this.#backend.onchange = onTarget;
    this.#model.placeholder = fromRequest;
    const [model, service] = [labeled('Model', this.#model), labeled('Service', this.#backend)];
    this.element.append(this.#requestField, model, service);
    this.#requestField.hidden = true;
  }

  /** The chosen request. */
  get request(): number {
    return Math.max(0, this.#request.selectedIndex);
  }

  /** The model and the service that replace those of the request; undefined if there are none. */
  get override(): AnalysisOptions['override'] {
    const model = this.#model.value.trim();
    const backend = this.#backend.value;
    if (model === '' && backend === '') return undefined;
    return {
      ...(model === '' ? {} : { model }),
      ...(backend === 'gemini' || backend === 'vertex' ? { backend } : {}),
    };
  }

  /** Takes the model and the service of the requests again. */
  clear(): void {
    this.#model.value = '';
    this.#backend.value = '';
  }

  /** Shows the requests of a text. */
  show({ requests }: Analysis, chosen: number): void {
    this.#requestField.hidden = requests.length < 2;
    const key = requests.map(requestWords).join('\n');
    if (key !== this.#requestKey)
      this.#request.replaceChildren(
        ...requests.map((request) => new Option(requestWords(request))),
      );
    this.#requestKey = key;
    this.#request.selectedIndex = requests.length > 0 ? chosen : -1;
    const request = requests[chosen];
    const origin = (isNamed: boolean) => (isNamed ? fromRequest : 'from the settings');
    this.#model.placeholder = request
      ? `${origin(request.names.model)}: ${request.model}`
      : fromRequest;
    const isOwn = request && this.#backend.value === '';
    this.#ownBackend.textContent = isOwn
      ? `${origin(request.names.backend)}: ${backendNames[request.backend]}`
      : fromRequest;
  }
}

function labeled(label: string, field: HTMLInputElement | HTMLSelectElement): HTMLElement {
  return element(
    'div',
    { className: 'fields' },
    element('label', { htmlFor: field.id }, label),
    field,
  );
}
