// Defines a compiled prompt and its manifest, which describes the prompt without its text.
import type { Diagnostic } from './diagnostic.js';
import type { Stability } from './prompt-input.js';

/** One section of a compiled prompt, including its heading. */
export type ManifestSection = {
  id: string;
  stability: Stability;
  /** Unicode scalar values. */
  chars: number;
  /** UTF-8 bytes. */
  bytes: number;
  /** Estimated tokens. */
  tokens: number;
  /** SHA-256, hexadecimal. */
  fingerprint: string;
};

/** The outcome for one file of the prompt. A blank file is `missing` but has no diagnostic. */
export type ManifestSource = {
  file: string;
  path: string;
  status: 'loaded' | 'truncated' | 'missing' | 'unreadable';
  /** The number of characters that were used. */
  chars: number;
};

/** Describes a compiled prompt. The JSON schema is `prompt-strata/schemas/manifest.json`. */
export type PromptManifest = {
  /** The version of the manifest format. */
  version: string;
  /** The version of the package that compiled the prompt. */
  compiler: string;
  profile?: string;
  /** The stable sections, then the dynamic sections. */
  sections: ManifestSection[];
  /** SHA-256, hexadecimal, of each half and of the full text. */
  fingerprints: { stable: string; dynamic: string; full: string };
  sources: ManifestSource[];
  /** Slugs of skills, if `skills` was given. `listed` have an entry, `bodies` also their body. Of `omitted`, the entry or a requested body was left out. */
  skills?: { listed: string[]; bodies: string[]; omitted: string[]; truncated: boolean };
  diagnostics: Diagnostic[];
};

/** The result of `Templates.compile`. Pass it to `assemble` as `compiled`. */
export interface CompiledPrompt {
  /** The half that can be cached; it precedes layer 1. */
  stable: string;
  /** The half that changes with every request; it precedes layer 2. */
  dynamic: string;
  /** Both halves with a boundary between them, for storage. It is never sent. */
  full: string;
  manifest: PromptManifest;
}
