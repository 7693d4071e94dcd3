// Keeps an answer with the AI SDK's messages: the whole turn as the API sent it, and the signature of each part, in the
// providerMetadata that the SDK hands back as providerOptions.
import type { JSONObject, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { Content, Part } from '../../sdk/types/gemini/contents.js';

/** What the parts of an assistant message are compared by with the turn that they came from. */
export interface Block {
  kind: 'text' | 'reasoning' | 'call' | 'file' | 'reasoning-file';
  /** The text, or the name of the tool; empty for a file. */
  text: string;
  /** Of a call, if the API sent one. */
  id?: string | undefined;
  signature?: string | undefined;
}

const kindOf = ({ functionCall, inlineData, text, thought }: Part): Block['kind'] | undefined => {
  if (functionCall) return 'call';
  if (inlineData) return thought ? 'reasoning-file' : 'file';
  if (text !== undefined) return thought ? 'reasoning' : 'text';
  return undefined;
};

const isText = (kind: Block['kind'] | undefined) => kind === 'text' || kind === 'reasoning';

/**
 * Returns the blocks that the AI SDK sees of a Content: texts of one kind in a row are one. An empty text, which may hold
 * the signature of what is before it, is none.
 */
export function blocksOf({ parts = [] }: Content): Block[] {
  const blocks: Block[] = [];
  for (const part of parts) {
    const kind = kindOf(part);
    const last = blocks.at(-1);
    const signature = part.thoughtSignature;
    if (isText(kind) && last?.kind === kind) {
      last.text += part.text;
      last.signature ??= signature;
    } else if (isText(kind) && part.text === '') {
      if (last) last.signature ??= signature;
    } else if (kind) {
      const text = part.functionCall?.name ?? part.text ?? '';
      blocks.push({ kind, text, id: part.functionCall?.id, signature });
    }
  }
  return blocks;
}

/** Returns the metadata of a part: its signature where the AI SDK's own provider keeps it, and the turn. */
export function metadataOf(
  signature: string | undefined,
  turn?: string,
): SharedV4ProviderMetadata | undefined {
  if (signature === undefined && turn === undefined) return undefined;
  return {
    ...(signature !== undefined && { google: { thoughtSignature: signature } }),
    ...(turn !== undefined && { promptStrata: { turn } }),
  };
}

/** A part of a prompt, as far as its metadata goes. */
interface Marked {
  providerOptions?: Record<string, JSONObject>;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Returns the turn of the answer that a part ended, as JSON. */
export const turnOf = ({ providerOptions }: Marked): string | undefined =>
  textOf(providerOptions?.['promptStrata']?.['turn']);

/** Returns the signature of a part, whichever of Google's providers wrote it. */
export function signatureOf({ providerOptions = {} }: Marked): string | undefined {
  const { google, googleVertex, vertex } = providerOptions;
  const owner = google ?? googleVertex ?? vertex;
  return textOf(owner?.['thoughtSignature']);
}
