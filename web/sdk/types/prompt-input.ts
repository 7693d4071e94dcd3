// Why this file exists: what a prompt is compiled from. Names are those of the systems that they come from
// (systems.md 2); each may be written in camelCase too.
import type { Json } from './json.js';

/** `full` and `minimal`: all twelve sections. `none`: who the assistant is, and no file. */
export type ProfileName =
  'full' | 'minimal' | 'none' | 'assistant_full' | 'assistant_minimal' | 'assistant_none';

/** A section is in the half that a cache can hold, or in the one that may change with every request. */
export type Stability = 'stable' | 'dynamic';

/** A file of a prompt, as `readFiles` gives it. Without `text` and `error` it is missing. */
export interface BootstrapFile {
  name: string;
  /** Where it is for its reader; stands in the prompt. Default: the name below `workspace_root`. */
  path?: string;
  text?: string | null;
  /** Why it could not be read. */
  error?: string;
}

/**
 * A section of the caller's own: from `text`, from a `template`, or from a `file` (with `text` where that is
 * missing). With the `id` of one of the profile's sections it takes its place; blank it is left out.
 */
export interface SectionInput {
  id: string;
  /** Its heading. Default: the id, or the replaced section's title. `''`: none. */
  title?: string;
  /** Default: `stable`, or the replaced section's. */
  stability?: Stability;
  text?: string;
  /** Source of a template, rendered with `arguments`. */
  template?: string;
  /** What the template reads where `arguments` say nothing. */
  variables?: { [name: string]: Json };
  /** The template's language. Default: `jinja2`. */
  dialect?: 'jinja2' | 'pongo2';
  /** The name of one of `files`. */
  file?: string;
}

/** A skill that the model may use in this turn. */
export interface SkillInput {
  /** The exact name for `read_skill`, and behind `$` in a message. */
  slug: string;
  /** As shown. Default: the slug. */
  name?: string;
  description?: string;
  /** Its instructions. */
  body?: string;
  /** Why it is active; `explicit` and `path` want the body. Default: told by `message`, `paths` and the skill's own `paths`. */
  reason?: 'explicit' | 'path' | 'implicit';
  /** Globs of files that it is for. */
  paths?: string[];
}

/** The skills of a turn, from which the section `skills_runtime_prompt` is written. */
export interface SkillsInput {
  active: SkillInput[];
  /** Bytes of all entries and bodies; what would pass it is skipped, later ones are tried. Default: 24,000. */
  max_bytes?: number;
  /** With more skills than this there are no bodies. Default: 6. */
  compact_mode_threshold?: number;
  /** The user's message: `$slug` in it wants that skill's body. */
  message?: string;
  /** Files that the turn is about. */
  paths?: string[];
}

/** What `Strata.compile` takes. Without `profile` and `sections` it is the profile `full`. */
export interface PromptInput {
  profile?: ProfileName;
  /** The caller's sections, in their order: those of no profile, or beside a profile's. */
  sections?: SectionInput[];
  /** By name, or as a list. Files that no section names are ignored. */
  files?:
    { [name: string]: string | null | Omit<BootstrapFile, 'name'> } | readonly BootstrapFile[];
  /** Stands in front of the names of files. */
  workspace_root?: string;
  /** In characters, Unicode scalar values. Default: 20,000 and 150,000. */
  limits?: { per_file?: number; total?: number };
  /** What templates read: `promptArguments(…).arguments`. */
  arguments?: { [name: string]: Json };
  /** RFC 3339, for `strftime_now` in templates. */
  now?: string;
  /** A template that fails throws `TemplateError` instead of standing as it is. */
  strict?: boolean;

  // Of the profiles. Where `true` turns a built-in text on, a string stands in its place.
  include_tool_recovery_policy?: boolean | string;
  include_task_orchestration_policy?: boolean | string;
  continue_generation_hint?: boolean | string;
  /** The finished text of the skills section, instead of `skills`. */
  skills_prompt?: string;
  skills?: SkillsInput;
  retry_instruction?: string;
  dynamic_context?: string;
  /** Facts of the moment: date, time, operating system. */
  extra_system?: string;
}
