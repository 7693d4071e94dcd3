// Defines what a session of the playground holds: one document that all views show and change.
import type { Backend, Wire } from '../../index.js';
import { brokenExample } from './example.js';

/** The views, in the order of their tabs. */
export const viewNames = ['lint', 'prompt', 'chat'] as const;
export type ViewName = (typeof viewNames)[number];

/** A declared tool. The user writes its results. */
export interface ToolDraft {
  name: string;
  description: string;
  /** JSON text of the schema. */
  parameters: string;
  /** Of documents from when scripts could answer: kept, and never run. */
  answer?: string;
  script?: string;
}

/** What every view sends with its requests. */
export interface DocumentSettings {
  model: string;
  backend: Backend;
  /** The API that the chat is sent to. Missing: generateContent. */
  wire?: Wire;
  /** JSON text. `''` sends none. */
  generationConfig: string;
  tools: ToolDraft[];
  /** Whether a chat without tools declares those of the demonstration. Missing: it does. */
  demonstration?: boolean;
  /** Whether explicit caches may be created. */
  caching: boolean;
}

/** A named section of the prompt. */
export interface SectionDraft {
  name: string;
  template: string;
}

/** Where the dynamic layer stands, as `AssembleInput` names it. */
export type Placement = 'after-static' | 'before-current-turn';

export interface PromptDraft {
  static: string;
  dynamic: string;
  sections: SectionDraft[];
  /** JSON text. */
  variables: string;
  placement: Placement;
}

/** An answer that is not part of the conversation. */
export interface DiscardedAnswer {
  /** How many Contents the conversation had when the answer was discarded. */
  after: number;
  text: string;
  reason: string;
}

/** What is known about one answer besides what `Thread.save` keeps. Missing counts were not reported. */
export interface AnswerNumbers {
  /** `meta.at` of the answer's turn, which identifies it in every course of the conversation. */
  at: string;
  /** Estimated tokens of the prompt. */
  estimate: number;
  input?: number;
  cached?: number;
  thought?: number;
  output?: number;
  /** What of the counts is not known: `usage` of the package names it. */
  unknown?: string[];
  /** Milliseconds from the request to the first piece of the answer. */
  firstPieceMs?: number;
  finishReason: string;
}

/** An earlier course of the conversation, of documents from when the chat had branches. */
export interface Branch {
  name: string;
  /** The text of `Thread.save`. */
  saved: string;
}

export interface ChatDraft {
  /** The text of `Thread.save`; `''` if there are no turns. */
  saved: string;
  discarded: DiscardedAnswer[];
  /** Kept with the document: not shown, and left out of links. */
  branches?: Branch[];
  /** Missing in documents without answers. */
  numbers?: AnswerNumbers[];
}

/** Everything that a session keeps. It never holds a key or a host. */
export interface PlaygroundDocument {
  version: 1;
  view: ViewName;
  settings: DocumentSettings;
  /** `text`: as pasted, without credentials. */
  lint: { text: string };
  prompt: PromptDraft;
  chat: ChatDraft;
  /** What stands in the message field of the chat. Missing if nothing was typed. */
  message?: string;
}

export const defaultModel = 'gemini-3.8-flash';

/** Returns the document of a new session: a request with an error to look at, and no other input. */
export function emptyDocument(): PlaygroundDocument {
  return {
    version: 1,
    view: 'lint',
    settings: {
      model: defaultModel,
      backend: 'gemini',
      generationConfig: '',
      tools: [],
      caching: false,
    },
    lint: { text: brokenExample },
    prompt: {
      static: '',
      dynamic: '',
      sections: [],
      variables: '{}',
      placement: 'before-current-turn',
    },
    chat: { saved: '', discarded: [] },
  };
}
