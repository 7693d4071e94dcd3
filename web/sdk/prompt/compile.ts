// Why this file exists: a prompt crosses the border once, as its full text; the halves are cut from it.
import type { Instance } from '../instance.js';
import { jsonPart } from '../json-input.js';
import { someText, wrongType } from '../options.js';
import type { PromptInput } from './input.js';
import type { CompiledPrompt, PromptManifest } from './manifest.js';

/** How many bytes of a full text are each half. */
interface Halves {
  stable: number;
  dynamic: number;
}

// What begins with U+FEFF keeps it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function textsOf(full: Uint8Array, { stable, dynamic }: Halves) {
  return {
    stable: decoder.decode(full.subarray(0, stable)),
    dynamic: decoder.decode(full.subarray(full.length - dynamic)),
  };
}

/** `Strata.compile`. */
export function compilePrompt(instance: Instance, input: PromptInput): CompiledPrompt {
  if (typeof input !== 'object' || input === null) throw wrongType('', 'an object');
  const { core } = instance;
  const { document, bytes } = instance.call<Halves & { manifest: PromptManifest }>(
    [jsonPart(input)],
    () => core.compile(),
  );
  const { stable, dynamic } = textsOf(bytes, document);
  const between = bytes.subarray(document.stable, bytes.length - document.dynamic);
  const full = `${stable}${decoder.decode(between)}${dynamic}`;
  return { stable, dynamic, full, manifest: document.manifest };
}

/** `Strata.splitPrompt`. */
export function splitPrompt(
  instance: Instance,
  full: string,
): { stable: string; dynamic: string } | null {
  someText(full, '/full');
  const bytes = new TextEncoder().encode(full);
  const { core } = instance;
  const { document } = instance.call<Halves | { none: true }>([bytes], () => core.splitPrompt());
  return 'none' in document ? null : textsOf(bytes, document);
}
