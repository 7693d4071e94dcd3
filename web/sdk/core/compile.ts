// Compiles and splits prompts. A prompt leaves WebAssembly once, as its full text, and is split into halves here.
import type { Instance } from './instance.js';
import { jsonPart } from '../base/json-input.js';
import { string, invalidOption } from '../base/options.js';
import { decodeUtf8 } from '../base/utf8.js';
import type { PromptInput } from '../types/prompt-input.js';
import type { CompiledPrompt, PromptManifest } from '../types/compiled-prompt.js';

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

/** Implements `Strata.compile`. */
export function compilePrompt(instance: Instance, input: PromptInput): CompiledPrompt {
  if (typeof input !== 'object' || input === null) throw invalidOption('', 'an object');
  const { core } = instance;
  const { document, bytes } = instance.call<Halves & { manifest: PromptManifest }>(
    [jsonPart(input)],
    () => core.compile(),
  );
  const { stable, dynamic } = textsOf(bytes, document);
  const between = bytes.subarray(document.stable, bytes.length - document.dynamic);
  const full = `${stable}${decodeUtf8(between)}${dynamic}`;
  return { stable, dynamic, full, manifest: document.manifest };
}

/** Implements `Strata.splitPrompt`. */
export function splitPrompt(
  instance: Instance,
  full: string,
): { stable: string; dynamic: string } | null {
  string(full, '/full');
  const bytes = new TextEncoder().encode(full);
  const { core } = instance;
  const { document } = instance.call<Halves | { none: true }>([bytes], () => core.splitPrompt());
  return 'none' in document ? null : textsOf(bytes, document);
}
