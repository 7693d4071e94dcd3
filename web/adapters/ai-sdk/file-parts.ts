// Writes files of the AI SDK's prompts as Parts.
import type { LanguageModelV4FilePart, SharedV4FileData } from '@ai-sdk/provider';
import { base64, bytesOfBase64 } from '../../sdk/internal/bytes.js';
import { StrataError } from '../../sdk/internal/errors.js';
import type { PartInput, VideoMetadata } from '../../sdk/types/gemini/contents.js';

/** A file of a prompt, or of the result of a tool. */
export interface PromptFile {
  data: SharedV4FileData;
  mediaType: string;
  filename?: string | undefined;
  providerOptions?: LanguageModelV4FilePart['providerOptions'];
}

// The first bytes of the formats that a part may name only as `image` or `application`.
const magic: readonly (readonly [string, string])[] = [
  ['89504e47', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['47494638', 'image/gif'],
  ['52494646', 'image/webp'],
  ['25504446', 'application/pdf'],
];

const hexOf = (bytes: Uint8Array) =>
  Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('');

const isFull = (mediaType: string) => /^[^/]+\/[^/*]+$/.test(mediaType);

function mimeTypeOf(mediaType: string, bytes: Uint8Array | undefined, place: string): string {
  if (isFull(mediaType)) return mediaType;
  const start = bytes ? hexOf(bytes) : '';
  const found = magic.find(([bytesOfType]) => start.startsWith(bytesOfType))?.[1];
  if (found?.startsWith(mediaType.replace(/\/.*$/, ''))) return found;
  throw new StrataError(
    'field.invalid',
    `${place}: Gemini needs the whole media type of a file, such as image/png, not "${mediaType}".`,
  );
}

const bytesOfData = (data: string | Uint8Array) =>
  typeof data === 'string' ? bytesOfBase64(data.slice(0, 16)) : data;

function referenceOf(reference: Readonly<Record<string, string>>, place: string): string {
  const uri = reference['promptStrata'] ?? reference['google'];
  if (uri !== undefined) return uri;
  const names = Object.keys(reference).join(', ');
  throw new StrataError(
    'field.invalid',
    `${place}: The file is referred to for ${names || 'no provider'}. Add \`google\` with the URI of a file of the Files API.`,
  );
}

/** Returns the Part of a file. `place` names it in errors. */
export function filePart(file: PromptFile, place: string): PartInput {
  const { data, mediaType } = file;
  const video = file.providerOptions?.['google']?.['videoMetadata'] as VideoMetadata | undefined;
  const extra = video && { videoMetadata: video };
  switch (data.type) {
    case 'data': {
      const mimeType = mimeTypeOf(mediaType, bytesOfData(data.data), place);
      const text = typeof data.data === 'string' ? data.data : base64(data.data);
      return { inlineData: { mimeType, data: text }, ...extra };
    }
    case 'text': {
      const mimeType = isFull(mediaType) ? mediaType : 'text/plain';
      const bytes = new TextEncoder().encode(data.text);
      return { inlineData: { mimeType, data: base64(bytes) }, ...extra };
    }
    case 'url':
    case 'reference': {
      const url = data.type === 'url' ? String(data.url) : referenceOf(data.reference, place);
      const inline = /^data:([^;,]+);base64,(.+)$/s.exec(url);
      if (inline) return { inlineData: { mimeType: inline[1]!, data: inline[2]! }, ...extra };
      const mimeType = isFull(mediaType) ? { mimeType: mediaType } : {};
      return { fileData: { ...mimeType, fileUri: url }, ...extra };
    }
  }
}
