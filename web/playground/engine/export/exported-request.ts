// Defines a request that is taken away as code, and says where it is sent.
import type { Backend, Wire } from '../../../index.js';

/** A request without credentials. */
export interface ExportedRequest {
  model: string;
  backend: Backend;
  /** The API that the body is for. Default: generateContent. */
  wire?: Wire;
  /** The body: the text of a JSON object, as the API receives it. */
  body: string;
}

// In a shell, in JSON and in a path, these characters stand for themselves.
const escapeCharacter = (character: string) =>
  [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');

/** Returns the name of a model without its collection. */
export const plainName = ({ model }: ExportedRequest): string => model.replace(/^models\//, '');

/** Whether the body is for the Interactions API. */
export const isInteraction = ({ wire }: ExportedRequest): boolean => wire === 'interactions';

/** Returns the URL that takes the body. `project` stands in place of a Google Cloud project. */
export function urlOf(request: ExportedRequest, project: string): string {
  const isGemini = request.backend === 'gemini';
  const place = isGemini
    ? 'https://generativelanguage.googleapis.com/v1beta'
    : `https://aiplatform.googleapis.com/v1/projects/${project}/locations/global`;
  if (isInteraction(request)) return `${place}/interactions`;
  const name = plainName(request).replace(/[^\w.-]/gu, escapeCharacter);
  const models = isGemini ? 'models' : 'publishers/google/models';
  return `${place}/${models}/${name}:generateContent`;
}
