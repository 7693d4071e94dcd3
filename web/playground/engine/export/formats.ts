// Lists the formats in which a request can be taken away.
import { isEmulated } from '../../../sdk/internal/placeholder-signature.js';
import { replaceSignatures } from '../signatures.js';
import {
  isInteraction,
  urlOf,
  googleGenaiCode,
  promptStrataCode,
  pythonCode,
  type ExportedRequest,
} from './programs.js';
import { laidOut, objectOf, membersOf } from './json-layout.js';

export interface Format {
  name: string;
  write: (request: ExportedRequest) => string;
}

// Linux limits one argument to 128 kB.
const maxArgumentLength = 100_000;

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const jsonCode = ({ body }: ExportedRequest) => `${laidOut(body, { step: '  ' })}\n`;

// For a POSIX shell. The key is an environment variable.
function curlCode(request: ExportedRequest): string {
  const credentials =
    request.backend === 'gemini'
      ? '"x-goog-api-key: $GEMINI_API_KEY"'
      : '"Authorization: Bearer $(gcloud auth print-access-token)"';
  const json = laidOut(request.body, { step: '  ' });
  const isLong = json.length > maxArgumentLength;
  // No line of JSON is END: a string of JSON has no line breaks.
  const data = isLong ? `--data-binary @- <<'END'\n${json}\nEND` : `--data-raw ${quoted(json)}`;
  const url = urlOf(request, '$GOOGLE_CLOUD_PROJECT');
  const lines = [`curl "${url}"`, `-H ${credentials}`, "-H 'Content-Type: application/json'", data];
  return `${lines.join(' \\\n  ')}\n`;
}

const note =
  'The signatures of the emulator are replaced by the placeholder that Google documents: answers may be worse.';

// The programs ask for a whole answer, and Google takes no signatures of the emulator.
function sendable(request: ExportedRequest): ExportedRequest {
  const body = replaceSignatures(request.body, isEmulated);
  if (!isInteraction(request)) return { ...request, body };
  const members = membersOf(body);
  return members.delete('stream') ? { ...request, body: objectOf(members) } : { ...request, body };
}

const format = (name: string, write: Format['write'], comment?: '#' | '//'): Format => ({
  name,
  write(request) {
    const isChanged = replaceSignatures(request.body, isEmulated) !== request.body;
    return (comment && isChanged ? `${comment} ${note}\n` : '') + write(sendable(request));
  },
});

export const formats: readonly Format[] = [
  format('prompt-strata', promptStrataCode, '//'),
  format('cURL', curlCode, '#'),
  format('Python', pythonCode, '#'),
  format('@google/genai', googleGenaiCode, '//'),
  format('JSON', jsonCode),
];
