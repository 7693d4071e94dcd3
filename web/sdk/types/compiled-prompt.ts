// Why this file exists: what is known of a compiled prompt without its text.
import type { Diagnostic } from './diagnostic.js';
import type { Stability } from './prompt-input.js';

/** One section as it stands in its half, heading included. */
export type ManifestSection = {
  id: string;
  stability: Stability;
  /** Unicode scalar values. */
  chars: number;
  bytes: number;
  /** An estimate. */
  tokens: number;
  /** SHA-256, hexadecimal. */
  fingerprint: string;
};

/** What became of a file. A blank one is `missing`, without a diagnostic. */
export type ManifestSource = {
  file: string;
  path: string;
  status: 'loaded' | 'truncated' | 'missing' | 'unreadable';
  /** Of what was kept. */
  chars: number;
};

/** Of a compiled prompt; `prompt-strata/schemas/manifest.json` describes it. */
export type PromptManifest = {
  /** Of this document. */
  version: string;
  /** The package version that made it. */
  compiler: string;
  profile?: string;
  /** First the stable ones, then the dynamic ones. */
  sections: ManifestSection[];
  /** SHA-256, hexadecimal, of the halves and of the full text. */
  fingerprints: { stable: string; dynamic: string; full: string };
  sources: ManifestSource[];
  /** Slugs, where the prompt was given `skills`. `omitted` lack their entry or a body they should have. */
  skills?: { listed: string[]; bodies: string[]; omitted: string[]; truncated: boolean };
  diagnostics: Diagnostic[];
};

/** What `Strata.compile` gives, for `assemble({ compiled })`. */
export interface CompiledPrompt {
  /** Joins layer 1. */
  stable: string;
  /** Opens layer 2. */
  dynamic: string;
  /** Both, with the boundary between them: for whoever keeps the whole text. It is never sent. */
  full: string;
  manifest: PromptManifest;
}
