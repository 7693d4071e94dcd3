// Bundles the rooms that find requests and lint texts, which are not part of the package, for tests in Node.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { build } from 'esbuild';
import { root } from '../../scripts/setup/run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'strata-lint-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Bundles files of web/, such as `requests/curl`, and returns what they export. */
export async function importParts(...files) {
  const outfile = join(folder, `${files.join('-').replaceAll('/', '-')}.mjs`);
  await build({
    stdin: {
      contents: files.map((file) => `export * from './${file}.js';`).join('\n'),
      resolveDir: join(root, 'web'),
    },
    ...{ outfile, bundle: true, format: 'esm', target: 'es2022', logLevel: 'silent' },
  });
  return import(outfile);
}

/** Quotes a text as Chrome does on Linux and macOS: $'…' if it needs escapes. */
export function chromePosix(text) {
  const escaped = (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // eslint-disable-next-line no-control-regex -- the characters that Chrome escapes
  if (!/[\0-\x1f\x7f-\x9f!']/.test(text)) return `'${text}'`;
  const slashes = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  const lines = slashes.replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  // eslint-disable-next-line no-control-regex -- the same
  return `$'${lines.replace(/[\0-\x1f\x7f-\x9f!]/g, escaped)}'`;
}

/** Quotes a text as Firefox does on Linux and macOS: bytes as \x… in $'…'. */
export function firefoxPosix(text) {
  const escaped = (c) => {
    const code = c.charCodeAt(0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
  };
  if (!/[^\x20-\x7e]|'/.test(text)) return `'${text}'`;
  const slashes = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  const lines = slashes.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('!', '\\x21');
  return `$'${lines.replace(/[^\x20-\x7e]/g, escaped)}'`;
}

/** Quotes a text as Postman does. */
export const postman = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Quotes a text for cmd.exe as Chrome and Firefox do: everything behind carets. */
export function windowsCarets(text) {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/[^a-zA-Z0-9\s_\-:=+~'/.',?;()*`]/g, '^$&')
    .replace(/%(?=[a-zA-Z0-9_])/g, '%^')
    .replace(/\r?\n/g, '^\n\n');
  return `^"${escaped}^"`;
}

/** Quotes a text for cmd.exe as older versions of Firefox do: with doubled quotation marks. */
export const windowsDoubled = (text) =>
  `"${text.replaceAll('"', '""').replace(/\r?\n/g, '"^\n\n"')}"`;
