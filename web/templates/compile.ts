// Compiles and splits prompts.
import type { Instance } from '../sdk/core/instance.js';
import { jsonPart } from '../sdk/internal/json-input.js';
import { string, invalidOption } from '../sdk/internal/options.js';
import { decodeUtf8 } from '../sdk/internal/bytes.js';
import type { RawTemplatesModule } from './raw.js';
import type { PromptInput } from '../sdk/types/prompt-input.js';
import type { CompiledPrompt, PromptManifest } from '../sdk/types/compiled-prompt.js';

/** The sizes of the halves at the start and the end of a full text, in UTF-8 bytes. */
interface Halves {
  stable: number;
  dynamic: number;
}

function textsOf(full: Uint8Array, { stable, dynamic }: Halves) {
  return {
    stable: decodeUtf8(full.subarray(0, stable)),
    dynamic: decodeUtf8(full.subarray(full.length - dynamic)),
  };
}

/** Implements `Templates.compile`. */
export function compilePrompt(
  instance: Instance<RawTemplatesModule>,
  input: PromptInput,
): CompiledPrompt {
  if (typeof input !== 'object' || input === null) throw invalidOption('', 'an object');
  const { core } = instance;
  const { document, bytes } = instance.call<Halves & { manifest: PromptManifest }>(
    [jsonPart(input)],
    () => core.compile(),
  );
  return { ...textsOf(bytes, document), full: decodeUtf8(bytes), manifest: document.manifest };
}

/** Implements `Templates.splitPrompt`. */
export function splitPrompt(
  instance: Instance<RawTemplatesModule>,
  full: string,
): { stable: string; dynamic: string } | null {
  string(full, '/full');
  const bytes = new TextEncoder().encode(full);
  const { core } = instance;
  const { document } = instance.call<Halves | { none: true }>([bytes], () => core.splitPrompt());
  return 'none' in document ? null : textsOf(bytes, document);
}
