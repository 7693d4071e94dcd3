// Defines the variables that prompt templates read under fixed names, and the sources that they are built from.
// Names may also be written in camelCase. The namespaces are those of https://github.com/rapidaai/voice-ai.
import type { Diagnostic } from './diagnostic.js';
import type { Json } from './json.js';

/** A message of a history. Its text is `text`, `content`, or the texts of a Content's `parts`. */
export interface HistoryMessage {
  role: string;
  text?: string;
  content?: string;
  parts?: { text?: string }[];
  language?: string;
}

/** The input of `Strata.promptArguments`. All times are RFC 3339. */
export interface ArgumentSources {
  /** The current time. It becomes `system`, in UTC, and the end of `conversation.duration`. */
  now: string;
  assistant?: {
    id?: string | number;
    name?: string;
    language?: string;
    description?: string;
  } | null;
  conversation?: {
    id?: string | number;
    identifier?: string;
    source?: string;
    direction?: string;
    created_date?: string;
    updated_date?: string;
  } | null;
  session?: { mode?: string } | null;
  /** The user's message. An empty `text` or `language` counts as given. */
  message?: { text?: string; language?: string } | null;
  /** Rapida's name for `message`; ignored if `message` is given. */
  user?: { text?: string; language?: string } | null;
  /** Supplies what `message` lacks: the text of the newest user message without functionResponses, and the newest language of such messages. */
  history?: HistoryMessage[];
  /** `client.language` is used if neither `message` nor `history` has a language. */
  metadata?: { [name: string]: Json };
  /** Arguments of the conversation, available as `args.NAME` and at root level. Dotted keys become nested maps. */
  args?: { [name: string]: Json } | null;
  /** Defaults of a template, with the lowest precedence: a map, or Rapida's list. */
  variables?: { [name: string]: Json } | { name: string; defaultValue?: Json }[];
}

/** The variables that templates read. Arguments are also at root level. */
export type PromptArguments = {
  system: {
    current_date: string;
    current_time: string;
    current_datetime: string;
    day_of_week: string;
    date_rfc1123: string;
    date_unix: string;
    date_unix_ms: string;
  };
  assistant: { [name: string]: Json };
  conversation: { [name: string]: Json };
  session: { [name: string]: Json };
  message: { text: string; language: string };
  args: { [name: string]: Json };
} & { [name: string]: Json };

/** The result of `Strata.promptArguments`. */
export interface BuiltArguments {
  arguments: PromptArguments;
  /** Arguments that were dropped or are only available below `args`. */
  diagnostics: Diagnostic[];
}
