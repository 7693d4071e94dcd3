// Reads texts of a size that takes hours where time is the square of their length. Prints what was found in each:
// the process is ended if it takes too long.
import { importParts } from './lint-parts.mjs';

const { curlRequests, isCurlText, removeSecrets } = await importParts(
  'requests/curl',
  'requests/remove-secrets',
);

const size = 1_000_000;
const fill = (text) => text.repeat(Math.ceil(size / text.length));
const url =
  'https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:generateContent';
const call = `curl ${url} -d '{}'\n`;

const texts = {
  'here-documents without an end': call + fill('cat <<E >f\n'),
  'here-documents with an end': call + fill('cat <<E >f\nx\nE\n'),
  'variables in an address': `curl https://x/${fill('$aa')} -d '{}'`,
  'lists of cookies without an end': `{"entries":[${fill('"cookies":[')}`,
  'options of a command before curl': `curl x\n${fill('sudo -;')}`,
  'backslashes before a quotation mark': `curl ^"${url}^" -d "{"" : "${fill('\\')}"`,
  'computed values without an end': `curl ${url} ${fill('-d "$(" ')}`,
  'variables without an end': `curl ${url} -d "${fill('${a')}"`,
  'here-documents with a command without an end': fill(`curl ${url} -d @- <<E\n$(\nE\n`),
  'computed values in a body': `curl ${url} -d '{"contents":[${fill(`"'$a'",`)}0]}'`,
  'very many commands': fill(`curl ${url} -d '{}'\n`),
  'tokens of one word': fill('ya29.aaaaaaaa.'),
  'a file that many commands send': `cat <<E >f\n{${fill('x')}}\nE\n${fill('curl x -d @f\n')}`,
};

const found = Object.entries(texts).map(([name, text]) => {
  const source = { name, bytes: new TextEncoder().encode(text) };
  const { requests, notes } = isCurlText(text) ? curlRequests(source) : { requests: [], notes: [] };
  const { removed } = removeSecrets(text);
  return [name, [requests.length, notes.length, removed]];
});
console.log(JSON.stringify(found));
