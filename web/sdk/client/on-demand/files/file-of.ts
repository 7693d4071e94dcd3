// Checks that a response is a file.
import { GeminiError } from '../../../internal/errors.js';
import type { GeminiFile } from '../../../types/gemini/resources.js';
import type { Json } from '../../../types/json.js';

function isFile(value: Json): value is Json & GeminiFile {
  return typeof Object(value).name === 'string';
}

/**
 * Returns the file.
 *
 * @throws GeminiError `answer.invalid` if the value has no name
 */
export function fileOf(value: Json): GeminiFile {
  if (isFile(value)) return value;
  throw new GeminiError('answer.invalid', 'The response of the API is not a file');
}
