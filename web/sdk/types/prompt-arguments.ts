// Why this file exists: what templates can read under fixed names, and from what it is made (systems.md 3).
// Names may be written in camelCase too.
import type { Diagnostic } from './diagnostic.js';
import type { Json } from './json.js';

/** A message of a history: `text`, `content`, or a Content's `parts`. */
export interface HistoryMessage {
  role: string;
  text?: string;
  content?: string;
  parts?: { text?: string }[];
  language?: string;
}

/** What `Strata.promptArguments` takes. */
export interface ArgumentSources {
  /** RFC 3339: what `system` tells, in UTC, and where `conversation.duration` ends. */
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
    /** RFC 3339. */
    created_date?: string;
    updated_date?: string;
  } | null;
  session?: { mode?: string } | null;
  /** The message that is answered. An empty text or language counts. */
  message?: { text?: string; language?: string } | null;
  /** The same under Rapida's name. */
  user?: { text?: string; language?: string } | null;
  /** Where `message` says nothing (results of tools are sent): its newest user message, and newest language of one. */
  history?: HistoryMessage[];
  /** `client.language` is the last that is asked for a language. */
  metadata?: { [name: string]: Json };
  /** Arguments of the conversation: under `args`, and at root level. Dotted keys become maps. */
  args?: { [name: string]: Json } | null;
  /** A template's defaults, below all else: a map, or Rapida's list. */
  variables?: { [name: string]: Json } | { name: string; defaultValue?: Json }[];
}

/** What templates read; arguments stand at root level too. */
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

/** The arguments, and what had no place in them. */
export interface BuiltArguments {
  arguments: PromptArguments;
  diagnostics: Diagnostic[];
}
