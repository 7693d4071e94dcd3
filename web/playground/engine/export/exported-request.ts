// Defines a request that is taken away as code, and says where it is sent.
import type { Backend } from '../../../index.js';
import { laidOut } from './json-layout.js';

/** A request without credentials. */
export interface ExportedRequest {
  model: string;
  backend: Backend;
  /** The body: the text of a JSON object, as the API receives it. */
  body: string;
}

// In a shell, in JSON and in a path, these characters stand for themselves.
const escapeCharacter = (character: string) =>
  [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');

/** Returns a model's name as one segment of a path. */
export const pathName = (model: string): string =>
  model.replace(/^models\//, '').replace(/[^\w.-]/gu, escapeCharacter);

/** Returns the URL of the method generateContent. `project` stands in place of a Google Cloud project. */
export function urlOf({ model, backend }: ExportedRequest, project: string): string {
  const path = `${pathName(model)}:generateContent`;
  if (backend === 'gemini')
    return `https://generativelanguage.googleapis.com/v1beta/models/${path}`;
  const place = `projects/${project}/locations/global/publishers/google/models`;
  return `https://aiplatform.googleapis.com/v1/${place}/${path}`;
}

/** Returns the body with two spaces of indentation. */
export const indentedBody = ({ body }: ExportedRequest): string => laidOut(body, { step: '  ' });
