// Holds what the Prompt view shows besides the document: the choices of the user, and what the worker finds out.
import { jsonLanguage } from '@codemirror/lang-json';
import { computed, effect, signal } from '@preact/signals';
import { messageOf } from '../../sdk/internal/messages.js';
import type { CodeEditor } from '../../ui/editor/code-editor.js';
import { isBlank, readVariables, variablesOf } from '../engine/chat-settings.js';
import { WorkerClient } from '../engine/workers.js';
import {
  templateFailures,
  type PlacementComparison,
  type PromptAnalysis,
  type PromptQuestion,
  type TemplateId,
  type TemplateProblem,
} from '../engine/prompt-result.js';
import type { DocumentStore } from '../state/document-store.js';
import type { PromptDraft } from '../state/playground-document.js';
import { examplePrompt } from './example-prompt.js';

type EditorName = TemplateId | 'variables';
type Choice = Omit<PromptQuestion, 'now'>;

// How long the user must not type before the prompt is judged.
const restMs = 150;

const worker = () =>
  new Worker(new URL('../engine/prompt-worker.ts', import.meta.url), { type: 'module' });

/** Returns the JSON text of an object with another member, and the place between the quotes of its empty text. */
export function withVariable(json: string, name: string): { text: string; at: number } {
  const object = jsonLanguage.parser.parse(json).topNode.getChild('Object');
  const added = `${JSON.stringify(name)}: ""`;
  const last = object?.getChildren('Property').at(-1);
  if (!object || !last) return { text: `{\n  ${added}\n}`, at: added.length + 3 };
  const lineStart = json.lastIndexOf('\n', last.from) + 1;
  const indent = json.slice(lineStart, last.from);
  const separator = lineStart > 0 && indent.trim() === '' ? `,\n${indent}` : ', ';
  const before = json.slice(0, last.to) + separator + added;
  return { text: before + json.slice(last.to), at: before.length - 1 };
}

export class PromptModel {
  readonly #document: DocumentStore;
  readonly #editors = new Map<EditorName, CodeEditor>();
  #asked: Choice | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #client = new WorkerClient<'prompt'>({
    start: worker,
    // Long enough to load the core on a slow phone.
    limitMs: 10_000,
    slow: 'The templates took longer than 10 seconds. Simplify them.',
    onMore: (costs) => (this.costs.value = costs),
  });

  readonly isShown = signal(false);
  readonly source = signal<'simulated' | 'chat'>('simulated');
  readonly #pointed = signal<string>();
  /** Where the pointer moved last, on the screen. */
  #pointer = '';
  /** The layer whose bytes are scrolled to and marked. It stays marked until the user points at another one. */
  readonly revealed = signal<{ layer: string }>();
  /** The layer that is marked everywhere, or `fields`. */
  readonly marked = computed(() => this.#pointed.value ?? this.revealed.value?.layer);
  readonly analysis = signal<PromptAnalysis>();
  readonly costs = signal<PlacementComparison>();
  /** Why the worker did not answer. */
  readonly failure = signal<string>();

  /** Whether the user has no prompt, so that the example is shown. */
  readonly isExample = computed(() => isBlank(this.#document.value.prompt));
  /** The prompt that is shown: that of the document, or the example. */
  readonly prompt = computed(() =>
    this.isExample.value ? examplePrompt : this.#document.value.prompt,
  );
  /** The JSON text of the variables in use: a blank prompt has those of a demonstration. */
  readonly variables = computed(() => variablesOf(this.prompt.value));
  readonly readVariables = computed(() => readVariables(this.variables.value));
  readonly settings = computed(() => this.#document.value.settings);
  readonly chat = computed(() => this.#document.value.chat.saved);
  /** The templates that a request would send as they are, because they fail. */
  readonly failures = computed(() =>
    this.analysis.value ? templateFailures(this.analysis.value) : [],
  );

  constructor(document: DocumentStore) {
    this.#document = document;
    effect(() => {
      if (this.isShown.value) this.#askSoon();
    });
  }

  /** Returns the problems that are known of a text; undefined if it was not judged yet. */
  problemsOf(id: TemplateId, text: string): TemplateProblem[] | undefined {
    const report = this.analysis.value?.templates.find((one) => one.id === id);
    return report && (text === '' || report.source === text) ? report.problems : undefined;
  }

  /** Changes the prompt. `undo` makes the change undoable under this label. */
  change(change: Partial<PromptDraft>, undo?: string): void {
    const prompt = { ...this.prompt.peek(), ...change };
    const label = this.isExample.peek() ? 'The example became your prompt' : undefined;
    this.#document.update({ prompt }, undo ?? label);
  }

  /** Adds a variable without a value, and shows where it is to be written. A text with an error is left as it is. */
  addVariable(name: string): void {
    if (this.readVariables.peek().error !== undefined) return this.focus('variables');
    const { text, at } = withVariable(this.variables.peek(), name);
    const editor = this.#editors.get('variables');
    editor?.replace(text);
    editor?.reveal({ from: at, to: at });
  }

  /** Keeps an editor that was drawn, so that it can get the focus. */
  opened(name: EditorName, editor: CodeEditor | undefined): void {
    if (editor) this.#editors.set(name, editor);
    else this.#editors.delete(name);
  }

  focus(name: EditorName): void {
    this.#editors.get(name)?.focus();
  }

  /** Shows a place of a text. */
  reveal(name: EditorName, range: { from: number; to: number }): void {
    this.#editors.get(name)?.reveal(range);
  }

  /** Marks the layer that the user points at, or `fields`; undefined for nothing. */
  point(layer: string | undefined): void {
    this.#pointed.value = layer;
    if (layer !== undefined && layer !== this.revealed.peek()?.layer)
      this.revealed.value = undefined;
  }

  /** Returns what an element of a layer does when the user points at it, or moves the focus to it. */
  pointing(layer: string) {
    return {
      onPointerMove: ({ screenX, screenY }: PointerEvent) => {
        // Some browsers say the same when the page scrolls below the pointer.
        const place = `${screenX} ${screenY}`;
        if (place !== this.#pointer) this.point(layer);
        this.#pointer = place;
      },
      onPointerLeave: () => this.point(undefined),
      onFocusIn: () => this.point(layer),
      onFocusOut: () => this.point(undefined),
    };
  }

  // Reads all that a question depends on, so that the effect runs again when it changes.
  #askSoon(): void {
    const history = this.source.value === 'chat' ? this.chat.value : '';
    const choice = { prompt: this.prompt.value, settings: this.settings.value, history };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(choice), restMs);
  }

  #ask(choice: Choice): void {
    const names = ['prompt', 'settings', 'history'] as const;
    if (names.every((name) => choice[name] === this.#asked?.[name])) return;
    this.#asked = choice;
    this.#client.ask({ ...choice, now: new Date().toISOString() }).then(
      (analysis) => analysis && this.#analyzed(analysis),
      (error: unknown) => (this.failure.value = messageOf(error)),
    );
  }

  #analyzed(analysis: PromptAnalysis): void {
    this.failure.value = undefined;
    this.analysis.value = analysis;
    if (this.failures.value.length > 0 || !analysis.request) this.costs.value = undefined;
  }
}
