// Assembles the requests of a conversation, one for each message, with what the templates know at that message.
import type { Assembled, Content, Manifest, Thread } from '../../index.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import { dispose } from '../../sdk/internal/lifetime.js';
import type { Templates } from '../../templates/index.js';
import { layerTemplate } from '../../templates/layer-template.js';
import type { DocumentSettings, PromptDraft } from '../state/playground-document.js';
import { chatPrompt, generationConfigOf, type Variables } from './chat-settings.js';
import { declarationsIn, ifValid } from './declaration.js';
import { tools as demonstrations } from './demonstration-tools.js';
import type { Engines, PromptQuestion } from './prompt-result.js';

/** Returns what templates know when a message is sent: the variables, and the arguments of the chat. */
export function variablesAt(
  templates: Templates,
  prompt: PromptDraft,
  now: string,
  text: string,
): Variables {
  const { static: first, arguments: sources } = chatPrompt(prompt);
  const history = text === '' ? [] : [{ role: 'user', text }];
  return {
    ...first.variables,
    ...templates.promptArguments({ history, ...sources, now }).arguments,
  };
}

// Returns the fields of a request besides its layers. The settings and the chat say what is wrong with a text.
function fieldsOf({ tools, demonstration = true, generationConfig, backend }: DocumentSettings) {
  const config = ifValid(() => generationConfigOf(generationConfig));
  const declared = ifValid(() => declarationsIn(tools)) ?? [];
  const shown = (demonstration ? demonstrations : []).map(
    ({ name, description = '', parameters }) => ({ name, description, parameters }),
  );
  const functionDeclarations = declared.length > 0 ? declared : shown;
  return {
    ...(config && { generationConfig: config }),
    ...(functionDeclarations.length > 0 && { tools: JSON.stringify([{ functionDeclarations }]) }),
    ...(backend === 'gemini' && { store: false }),
  };
}

interface ReadContent {
  role?: string;
  parts?: { text?: string; functionResponse?: unknown }[];
}

interface Message {
  at: number;
  text: string;
}

// Returns the messages of the user, without the results of tools.
function messagesOf(thread: Thread): Message[] {
  return Array.from({ length: thread.length }, (_, at) => at).flatMap((at) => {
    const { role, parts = [] }: ReadContent = JSON.parse(decodeUtf8(thread.content(at, 'content')));
    if (role === 'model' || parts.some((part) => part.functionResponse !== undefined)) return [];
    return [{ at, text: parts.map(({ text = '' }) => text).join('') }];
  });
}

// What the simulated conversation is about.
const topics =
  'the opening hours,the way to the entrance,the tickets for groups,the guided tours,the cloakroom,the restaurant,photographs,the lift,the archive,the evening lectures,the shop'.split(
    ',',
  );

const question = (topic: string) => `What should visitors know about ${topic}? Please be specific.`;

const answer = (topic: string) =>
  `Here is what the handbook says about ${topic}. It is the same on every day of the week, and ` +
  'there is no difference between members and other visitors. Please tell the staff at the desk ' +
  'if you need help, and plan ten minutes for it. If something has changed since the handbook ' +
  'was printed, the board at the entrance shows it. For larger groups, write to us a week ahead, ' +
  'so that we can prepare what you need and tell you whom to ask for when you arrive.';

const text = (role: 'user' | 'model', value: string): Content => ({
  role,
  parts: [{ text: value }],
});

// Returns the Contents of ten turns, a question and an answer each, and the newest question: so that a prompt can be
// judged before anybody has chatted with it.
function simulatedConversation(): Content[] {
  const contents = topics.flatMap((topic) => [
    text('user', question(topic)),
    text('model', answer(topic)),
  ]);
  return contents.slice(0, -1);
}

const minute = 60_000;

/** The requests of one prompt and one conversation. Dispose it to free the memory of the core. */
export class RequestSeries implements Disposable {
  readonly #templates: Templates;
  readonly #prompt: PromptDraft;
  readonly #fields: ReturnType<typeof fieldsOf>;
  readonly #thread: Thread;
  readonly #messages: Message[];
  readonly #start: number;

  constructor(engines: Engines, { prompt, settings, history, now }: PromptQuestion) {
    const from = history === '' ? JSON.stringify(simulatedConversation()) : history;
    const { model, backend } = settings;
    const rules = { policy: 'warn', sequencing: 'api' } as const;
    this.#templates = engines.templates;
    this.#prompt = prompt;
    this.#fields = fieldsOf(settings);
    this.#thread = engines.strata.thread({ model, backend, from, now, ...rules });
    this.#messages = messagesOf(this.#thread);
    this.#start = Date.parse(now) - minute * (this.length - 1);
  }

  get length(): number {
    return this.#messages.length;
  }

  /** Returns what the dynamic template knows at a message. */
  valuesAt(turn: number): Variables {
    const now = this.#timeOf(turn);
    const { text = '' } = this.#messages[turn] ?? {};
    return { current_datetime: now, ...variablesAt(this.#templates, this.#prompt, now, text) };
  }

  /** Assembles the request for a message. `override` replaces what the templates know. */
  request(turn: number, previous?: Manifest, override: Variables = {}): Assembled {
    const { at = 0 } = this.#messages[turn] ?? {};
    // Only the dynamic layer knows the time under this name.
    const { current_datetime: _time, ...values } = { ...this.valuesAt(turn), ...override };
    const { current_datetime: time } = override;
    const { dynamic, static: first } = chatPrompt(this.#prompt);
    using fixed = layerTemplate(this.#templates, 'static', this.#prompt.static.trim() || undefined);
    using moving = layerTemplate(this.#templates, 'dynamic', this.#prompt.dynamic || undefined);
    using thread = this.#thread.fork(at);
    const moment = time !== undefined && { current_datetime: time };
    return thread.assemble({
      static: { ...first, template: fixed, variables: values },
      dynamic: { ...dynamic, template: moving, variables: { ...values, ...moment } },
      ...this.#fields,
      now: this.#timeOf(turn),
      trigger: this.#thread.content(at, 'content'),
      ...(previous && { previous }),
    });
  }

  // The time of a message, RFC 3339.
  #timeOf(turn: number): string {
    return new Date(this.#start + minute * turn).toISOString().replace(/\.\d+Z$/, 'Z');
  }

  [dispose](): void {
    this.#thread[dispose]();
  }
}
