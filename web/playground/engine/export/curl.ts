// Writes a request as a cURL command for a POSIX shell. The key is an environment variable.
import { indentedBody, urlOf, type ExportedRequest } from './exported-request.js';

// Linux limits one argument to 128 kB.
const maxArgumentLength = 100_000;

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns the command. */
export function curlCode(request: ExportedRequest): string {
  const credentials =
    request.backend === 'gemini'
      ? '"x-goog-api-key: $GEMINI_API_KEY"'
      : '"Authorization: Bearer $(gcloud auth print-access-token)"';
  const json = indentedBody(request);
  const isLong = json.length > maxArgumentLength;
  // No line of JSON is END: a string of JSON has no line breaks.
  const data = isLong ? `--data-binary @- <<'END'\n${json}\nEND` : `--data-raw ${quoted(json)}`;
  const url = urlOf(request, '$GOOGLE_CLOUD_PROJECT');
  const lines = [`curl "${url}"`, `-H ${credentials}`, "-H 'Content-Type: application/json'", data];
  return `${lines.join(' \\\n  ')}\n`;
}
