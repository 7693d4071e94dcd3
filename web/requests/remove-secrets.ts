// Redacts Google API keys and access tokens in reports, which end up in CI logs.
import { isCurlText, readCurlScript } from './curl.js';
import type { WrittenString } from './written-string.js';

// Google's API keys, in the old and the new format, and access tokens. In JSON, an escape sequence may precede
// them: "\nAIza…".
const secrets =
  /AIza[\w-]{8,}|(?<=^|[^\w-]|\\[bfnrt]|\\u[\da-fA-F]{4})(?:AQ\.[\w-]{16,}|ya29\.[\w.-]{8,})/g;

/** The number of characters to read beyond an excerpt so that a key at its edge is recognized. */
export const maxSecretLength = 4096;

/** Returns the report with Google's keys and tokens replaced by `[secret]`. */
export const withoutSecrets = (report: string): string => report.replace(secrets, '[secret]');

/** A text without credentials. */
interface CleanText {
  text: string;
  /** The number of credentials that were removed. */
  removed: number;
}

// What stands before a key: not a character of base64, in which a signature may happen to hold four letters.
const start = String.raw`(?<=^|[^\w+/-]|\\[bfnrt]|\\u[\da-fA-F]{4}|%[\da-fA-F]{2})`;

// Keys and tokens that are recognized by their form.
const forms = [
  String.raw`${start}AIza[\w-]{16,}`,
  // A whole key inside a path.
  String.raw`(?<=[/+])AIza[\w-]{35}(?![\w+/=-])`,
  String.raw`${start}(?:AQ\.[\w-]{16,}|ya29\.[\w.-]{8,}|1//[\w-]{30,})`,
  String.raw`${start}(?:sk-[\w-]{16,}|gsk_\w{20,}|AKIA[A-Z\d]{16}|gh[opsur]_\w{30,}|github_pat_\w{30,}|xox[abprs]-[\w-]{10,})`,
  // A JSON Web Token.
  String.raw`${start}eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}`,
  String.raw`(?<=-----BEGIN (?:\w+ )*PRIVATE KEY-----)[\w+/=\s\\]{16,}`,
];
const tokenHere = new RegExp(forms.join('|'), 'y');
// How they begin. Looking for these alone first is many times faster.
const tokenStart =
  /AIza|AQ\.|ya29\.|1\/\/|sk-|gsk_|AKIA|gh[opsur]_|github_pat_|xox[abprs]-|eyJ|PRIVATE KEY-----/g;

const parameters =
  /([?&](?:key|api[_-]?key|access_token|id_token|token|sig|signature|client_secret|X-Goog-(?:Signature|Credential))=)([^&#\s"'\\^]+)/gi;

const headerNames =
  'authorization|proxy-authorization|x-goog-api-key|x-api-key|api-key|apikey|x-auth-token|x-goog-iam-authorization-token|cookie|set-cookie';
const secretHeader = new RegExp(`^(${headerNames})$`, 'i');

// A header on a line of its own, as in HTTP and in the output of curl -v.
const headerLines = new RegExp(
  String.raw`^([<>*]?[ \t]*(?:${headerNames})[ \t]*:[ \t]*)(\S(?:.*\S)?)(?=[ \t]*$)`,
  'gim',
);

// Members of JSON objects, also of JSON inside a JSON string: "x-goog-api-key": "…", \"authorization\": \"…\".
const names = `${headerNames}|api_key|access_token|refresh_token|id_token|client_secret|private_key`;
const members = new RegExp(
  String.raw`("(?:${names})"\s*:\s*")([^"\\]*(?:\\.[^"\\]*)*)(?=")|(\\"(?:${names})\\"\s*:\s*\\")([^"\\]*(?:\\[^"][^"\\]*)*)(?=\\")`,
  'gi',
);

// Members of scripts: 'x-goog-api-key': '…', "authorization"="…" of PowerShell, api_key="…" of Python.
const scriptMembers = ['"', "'"].map(
  (quote) =>
    new RegExp(
      String.raw`((["']?)\b(?:${names}|apiKey)\b\2[ \t]*[:=][ \t]*${quote})([^${quote}\n\\]*)(?=${quote})`,
      'gi',
    ),
);
// Cookies of PowerShell: System.Net.Cookie("name", "value", "/", "domain").
const scriptCookies = /(System\.Net\.Cookie\("[^"\n]*",\s*")([^"\n]*)(?=")/g;

// HAR: {"name": "cookie", "value": "…"}, in either order, and the cookies.
const pairNames = `${headerNames}|key|api_key|access_token|id_token|token`;
const string = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
const pairs = new RegExp(
  String.raw`("name"\s*:\s*"(?:${pairNames})"\s*,\s*"value"\s*:\s*")([^"\\]*(?:\\.[^"\\]*)*)(?=")`,
  'gi',
);
const swappedPairs = new RegExp(
  String.raw`("value"\s*:\s*")([^"\\]*(?:\\.[^"\\]*)*)(?="\s*,\s*"name"\s*:\s*"(?:${pairNames})")`,
  'gi',
);
// A list without an end goes on to the end of the text, so that no part of it is read twice.
const cookies = new RegExp(String.raw`"cookies"\s*:\s*\[[^\]"]*(?:${string}[^\]"]*)*\]?`, 'g');
const cookieValue = /("value"\s*:\s*")([^"\\]*(?:\\.[^"\\]*)*)(?=")/g;

// A name and a password in an address: https://user:password@host.
const userInfo = /(\w:(?:\/\/|\\\/\\\/))([^\s/:@?#"'<>\\]+:[^\s/@?#"'<>\\]+)(?=@)/g;

const replacement = '[secret]';

// Names of variables and placeholders are no secrets: $KEY, ${KEY}, %KEY%, <key>, YOUR_API_KEY, {{key}}.
const harmless =
  /^(?:(?:[Bb]earer|[Bb]asic)\s+)?(?:\[secret\]|\$\{?\w+\}?|\$\(.*\)|%\w+%|\{\{[^}]*\}\}|<[^>]*>|[A-Z]+(?:_[A-Z]+)+|(?:your|YOUR)[-_ ].*)?$/;
const isHarmless = (value: string) => harmless.test(value);

interface Cut {
  from: number;
  to: number;
}

/** Counts what is replaced. */
class Cleaner {
  removed = 0;

  readonly value = (all: string, before?: string, value?: string): string => {
    if (value === undefined || isHarmless(value)) return all;
    this.removed += 1;
    return `${before ?? ''}${replacement}`;
  };

  readonly member = (all: string, a?: string, b?: string, c?: string, d?: string): string =>
    this.value(all, a ?? c, b ?? d);

  /** Replaces parts of a text, which may overlap. */
  cut(text: string, cuts: readonly Cut[]): string {
    const pieces: string[] = [];
    let copied = 0;
    for (const { from, to } of cuts) {
      if (from < copied) continue;
      pieces.push(text.slice(copied, from), replacement);
      copied = to;
      this.removed += 1;
    }
    return pieces.join('') + text.slice(copied);
  }
}

/** Replaces keys and tokens that are recognized by their form. */
function cleanTokens(text: string, cleaner: Cleaner): string {
  const cuts: Cut[] = [];
  for (const { index: start, 0: found } of text.matchAll(tokenStart)) {
    // A private key follows its title.
    const index = found.endsWith('KEY-----') ? start + found.length : start;
    if (index < (cuts.at(-1)?.to ?? 0)) continue;
    tokenHere.lastIndex = index;
    const secret = tokenHere.exec(text)?.[0] ?? '';
    if (secret !== '') cuts.push({ from: index, to: index + secret.length });
  }
  return cleaner.cut(text, cuts);
}

// Returns the part of a header after its name, if that is a credential's.
function headerValue(header: WrittenString): WrittenString | undefined {
  const { value } = header;
  const colon = value.indexOf(':');
  if (colon < 0 || !secretHeader.test(value.slice(0, colon).trim())) return undefined;
  const gap = value.length - value.slice(colon + 1).trimStart().length;
  return header.after(gap);
}

/** Replaces headers, cookies and passwords in the options of cURL commands. */
function cleanCommands(text: string, cleaner: Cleaner): string {
  const found = readCurlScript(text).commands.flatMap(({ headers, credentials }) => [
    ...headers.map(headerValue),
    ...credentials,
  ]);
  const cuts: Cut[] = found.flatMap((value) =>
    value && !isHarmless(value.value) ? [value.rangeOf(0, value.value.length)] : [],
  );
  return cleaner.cut(
    text,
    cuts.sort((a, b) => a.from - b.from),
  );
}

function cleanHar(text: string, cleaner: Cleaner): string {
  return text
    .replace(pairs, cleaner.value)
    .replace(swappedPairs, cleaner.value)
    .replace(cookies, (list) => list.replace(cookieValue, cleaner.value));
}

/** Removes credentials from a text. Doing so again changes nothing. */
export function removeSecrets(text: string): CleanText {
  const cleaner = new Cleaner();
  let clean = isCurlText(text) ? cleanCommands(text, cleaner) : text;
  if (/"entries"/.test(clean)) clean = cleanHar(clean, cleaner);
  clean = cleanTokens(clean, cleaner)
    .replace(parameters, cleaner.value)
    .replace(userInfo, cleaner.value)
    .replace(headerLines, cleaner.value)
    .replace(members, cleaner.member);
  if (!/^\s*[[{]/.test(clean))
    for (const form of scriptMembers)
      clean = clean.replace(form, (all, before: string, _: string, value: string) =>
        cleaner.value(all, before, value),
      );
  clean = clean.replace(scriptCookies, cleaner.value);
  return { text: clean, removed: cleaner.removed };
}
