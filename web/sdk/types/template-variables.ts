// Why this file exists: what the default templates read, as types; schemas/variables.json tells editors and
// validators the same. Types, not interfaces: they must fit where any variable may stand.
import type { Json } from './json.js';

/** What was told to be remembered, such as a GEMINI.md file. */
export type MemoryBlock = {
  /** Whom it is for. */
  scope?: 'global' | 'extension' | 'project' | 'directory';
  /** Where it is kept. */
  path?: string;
  text: string;
};

/** Where the work happens. */
export type Environment = {
  operating_system?: string;
  working_directories?: string[];
  /** As text, such as a tree. */
  folder_structure?: string;
  temporary_directory?: string;
  /** Such as Europe/Paris. */
  time_zone?: string;
};

/** What is to be reached. */
export type SessionGoal = {
  background?: string;
  purpose?: string;
  description?: string;
};

/** Who acts; without definitions it is left out. */
export type Roles = { definitions: { name: string; description?: string }[] };

/** A file that the task is about. */
export type FileReference = {
  path: string;
  /** Not sent. */
  disabled?: boolean;
  /** Requests that it is still sent with; null: all. At 0 it is not sent. */
  ttl?: number | null;
};

/** A file that is made or changed, with what it holds. */
export type Artifact = { path: string; contents?: string | null };

export type Todo = { title: string; description?: string; checked?: boolean };

/** Variables of the default static template, `gemini_static_prompt.j2`. */
export type StaticVariables = {
  /** How this request is built. */
  description?: string;
  main_instruction?: string;
  constraints?: string[] | string | { [name: string]: Json };
  /** The general first, the special last. */
  memory?: MemoryBlock[];
  session_goal?: string | SessionGoal;
  /** How the work is done: a text, or its steps. */
  procedure?: string | string[];
  roles?: Roles;
  environment?: Environment;
  /** Asks for an answer that is thought over in steps. */
  multi_step_reasoning_active?: boolean;
};

/** Variables of the default dynamic template, `gemini_dynamic_prompt.j2`. */
export type DynamicVariables = {
  file_references?: FileReference[];
  artifacts?: Artifact[];
  todos?: Todo[];
  /** Where it changes from request to request. */
  environment?: Environment;
};
