// Gives the templates of a prompt what they know at one message: the variables, and the arguments of the chat.
import type { ArgumentSources, AssembleInput } from '../../index.js';
import { layerTemplate } from '../../templates/layer-template.js';
import type { Template, Templates } from '../../templates/index.js';
import { dispose } from '../../sdk/internal/lifetime.js';
import { chatPrompt, variablesOf } from './chat-settings.js';
import type { PromptDraft } from '../state/playground-document.js';
import type { Engines } from './prompt-result.js';
import { readVariables, type PromptOptions, type Variables } from './prompt-sources.js';

/** A message, and values that replace those of variables. */
export interface Moment {
  now: string;
  /** The text of the newest message. */
  text: string;
  override: Variables;
}

/** What a request takes from the prompt. */
export type PromptLayers = Pick<AssembleInput, 'static' | 'dynamic' | 'compiled'>;

const sourceOf = ({
  template,
}: {
  template?: string | Template | undefined;
}): string | undefined => (typeof template === 'string' ? template : undefined);

/** The prompt of the document, and its values. */
export class PromptValues {
  readonly #templates: Templates;
  readonly #prompt: PromptOptions;
  readonly #sources: Partial<ArgumentSources>;
  readonly #variables: Variables;

  constructor(engines: Engines, draft: PromptDraft) {
    const { arguments: sources, ...prompt } = chatPrompt(draft);
    this.#templates = engines.templates;
    this.#prompt = prompt;
    this.#sources = typeof sources === 'object' ? sources : {};
    this.#variables = readVariables(variablesOf(draft)).values;
  }

  /** Returns the variables and the arguments. */
  at(now: string, text: string): Variables {
    return { ...this.#variables, ...this.#argumentsAt(now, text) };
  }

  /** Calls `use` with the layers of a request. */
  with<Result>({ now, text, override }: Moment, use: (layers: PromptLayers) => Result): Result {
    const built = this.#argumentsAt(now, text);
    // Only the dynamic layer knows the time under this name.
    const { current_datetime: time, ...others } = override;
    const values = { ...built, ...others };
    const withValues = <Layer extends object>(layer: Layer, more: Variables): Layer => ({
      ...layer,
      variables: { ...this.#variables, ...values, ...more },
    });
    const { prompt, static: first, dynamic } = this.#prompt;
    const compiled = prompt && this.#templates.compile({ ...prompt, now, arguments: values });
    const templates = {
      static: layerTemplate(this.#templates, 'static', sourceOf(first)),
      dynamic: layerTemplate(this.#templates, 'dynamic', sourceOf(dynamic)),
    };
    try {
      return use({
        ...(compiled ? { compiled } : {}),
        static: withValues({ ...first, text: undefined, template: templates.static }, {}),
        dynamic: withValues(
          { ...dynamic, text: undefined, template: templates.dynamic },
          time === undefined ? {} : { current_datetime: time },
        ),
      });
    } finally {
      templates.static[dispose]();
      templates.dynamic[dispose]();
    }
  }

  #argumentsAt(now: string, text: string): Variables {
    const history = text === '' ? [] : [{ role: 'user', text }];
    return this.#templates.promptArguments({ history, ...this.#sources, now }).arguments;
  }
}
