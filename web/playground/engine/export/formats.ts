// Lists the forms in which a request can be taken away.
import { curlCode } from './curl.js';
import { indentedBody, type ExportedRequest } from './exported-request.js';
import { harCode } from './har.js';
import { pythonCode } from './python.js';
import { typeScriptCode } from './typescript.js';

/** One form. */
export interface Format {
  name: string;
  /** The name of the downloaded file. */
  file: string;
  write: (request: ExportedRequest) => string;
}

/** All forms. */
export const formats: readonly Format[] = [
  { name: 'JSON', file: 'request.json', write: (request) => `${indentedBody(request)}\n` },
  { name: 'cURL', file: 'request.sh', write: curlCode },
  { name: 'TypeScript with prompt-strata', file: 'request.mts', write: typeScriptCode },
  { name: 'Python with google-genai', file: 'request.py', write: pythonCode },
  { name: 'HAR', file: 'request.har', write: (request) => harCode(request, new Date()) },
];
