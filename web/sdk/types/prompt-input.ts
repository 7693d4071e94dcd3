// Defines what a prompt is compiled from. Names may also be written in camelCase.
// Profiles, sections, files and skills are those of https://github.com/pioneerdotai/pioneer.
import type { Json } from './json.js';

/** `full` and `minimal`: all twelve sections. `none`: only the assistant's identity, and no files. */
export type ProfileName =
  'full' | 'minimal' | 'none' | 'assistant_full' | 'assistant_minimal' | 'assistant_none';

/** The half of the prompt that a section belongs to: the one that can be cached, or the one that changes with every request. */
export type Stability = 'stable' | 'dynamic';

/** A file of a prompt, as `readFiles` returns it. Without `text` and `error` it is missing. */
export interface BootstrapFile {
  name: string;
  /** The path shown in the prompt. Default: the name below `workspace_root`. */
  path?: string;
  text?: string | null;
  /** Why the file could not be read. */
  error?: string;
}

/**
 * A section of your own. Its content is `text`, a `template`, or a `file` (`text` is used if the file is
 * missing). A section with the `id` of a profile's section replaces it; a blank section is omitted.
 */
export interface SectionInput {
  id: string;
  /** The heading. Default: the id, or the replaced section's title. `''` means no heading. */
  title?: string;
  /** Default: `stable`, or the replaced section's. */
  stability?: Stability;
  text?: string;
  /** Template source, rendered with `arguments`. */
  template?: string;
  /** Defaults of the template; `arguments` take precedence. */
  variables?: { [name: string]: Json };
  /** The template language. Default: `jinja2`. */
  dialect?: 'jinja2' | 'pongo2';
  /** The name of one of `files`. */
  file?: string;
}

/** A skill that the model may use in this turn. */
export interface SkillInput {
  /** The exact name for the tool `read_skill`, and after `$` in a message. */
  slug: string;
  /** The displayed name. Default: the slug. */
  name?: string;
  description?: string;
  /** The skill's instructions. */
  body?: string;
  /** Why the skill is active; `explicit` and `path` include the body. Default: derived from `message`, `paths` and the skill's own `paths`. */
  reason?: 'explicit' | 'path' | 'implicit';
  /** Globs of the files that the skill is for. */
  paths?: string[];
}

/** The skills of a turn. They become the section `skills_runtime_prompt`. */
export interface SkillsInput {
  active: SkillInput[];
  /** The maximum size of all entries and bodies, in UTF-8 bytes. An entry or body that would exceed it is skipped, and later ones are tried. Default: 24,000. */
  max_bytes?: number;
  /** With more skills than this, no bodies are included. Default: 6. */
  compact_mode_threshold?: number;
  /** The user's message. `$slug` in it includes that skill's body. */
  message?: string;
  /** Files that the turn is about. */
  paths?: string[];
}

/**
 * The input of `Strata.compile`. Without `profile` and `sections`, the profile is `full`.
 *
 * @example
 * templates.compile({
 *   profile: 'none',
 *   sections: [{ id: 'hours', stability: 'dynamic', template: 'Open until {{ close }}.' }],
 *   arguments: { close: '15:00' },
 * });
 */
export interface PromptInput {
  profile?: ProfileName;
  /** Your own sections, in order. They replace or follow those of the profile. */
  sections?: SectionInput[];
  /** Files by name, or as a list. Files that no section names are ignored. */
  files?:
    { [name: string]: string | null | Omit<BootstrapFile, 'name'> } | readonly BootstrapFile[];
  /** Precedes the names of files in the prompt. */
  workspace_root?: string;
  /** Limits for the text of files, in Unicode scalar values. Default: 20,000 per file and 150,000 in total. */
  limits?: { per_file?: number; total?: number };
  /** Variables of templates, usually `promptArguments(…).arguments`. */
  arguments?: { [name: string]: Json };
  /** The time for `strftime_now` in templates, RFC 3339. */
  now?: string;
  /** If true, a failing template throws `TemplateError`. Otherwise its source is used, and a diagnostic is added. Default: false. */
  strict?: boolean;

  // Sections of the profiles. `true` enables the built-in text; a string replaces it.
  include_tool_recovery_policy?: boolean | string;
  include_task_orchestration_policy?: boolean | string;
  continue_generation_hint?: boolean | string;
  /** The finished text of the skills section, instead of `skills`. */
  skills_prompt?: string;
  skills?: SkillsInput;
  retry_instruction?: string;
  dynamic_context?: string;
  /** Current facts: date, time, operating system. */
  extra_system?: string;
}
