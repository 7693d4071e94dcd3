// Defines the variables of the default templates; schemas/variables.json describes them for editors and validators.
// They are types rather than interfaces, because only a type is assignable to a map of variables.
import type { Json } from './json.js';

/** Text to remember, such as a GEMINI.md file. */
export type MemoryBlock = {
  /** Whom the text applies to. */
  scope?: 'global' | 'extension' | 'project' | 'directory';
  /** The file that holds the text. */
  path?: string;
  text: string;
};

/** The environment in which the work happens. */
export type Environment = {
  operating_system?: string;
  working_directories?: string[];
  /** Text, such as a tree. */
  folder_structure?: string;
  temporary_directory?: string;
  /** An IANA name, such as Europe/Paris. */
  time_zone?: string;
};

/** The goal of the session. */
export type SessionGoal = {
  background?: string;
  purpose?: string;
  description?: string;
};

/** The participants. Omitted if there are no definitions. */
export type Roles = { definitions: { name: string; description?: string }[] };

/** A file that the task is about. */
export type FileReference = {
  path: string;
  /** If true, the reference is not sent. */
  disabled?: boolean;
  /** The number of further requests that include the reference. At 0 it is not sent; null means no limit. */
  ttl?: number | null;
};

/** A file that is created or changed, with its contents. */
export type Artifact = { path: string; contents?: string | null };

export type Todo = { title: string; description?: string; checked?: boolean };

/** Variables of the default static template, `gemini_static_prompt.j2`. */
export type StaticVariables = {
  /** Describes the structure of the request. */
  description?: string;
  main_instruction?: string;
  constraints?: string[] | string | { [name: string]: Json };
  /** From the most general to the most specific. */
  memory?: MemoryBlock[];
  session_goal?: string | SessionGoal;
  /** How the work is done: a text, or its steps. */
  procedure?: string | string[];
  roles?: Roles;
  environment?: Environment;
  /** Asks the model to reason step by step. */
  multi_step_reasoning_active?: boolean;
};

/** Variables of the default dynamic template, `gemini_dynamic_prompt.j2`. */
export type DynamicVariables = {
  file_references?: FileReference[];
  artifacts?: Artifact[];
  todos?: Todo[];
  /** For an environment that changes between requests. */
  environment?: Environment;
};
