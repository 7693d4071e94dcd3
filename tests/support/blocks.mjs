// Writes the blocks of Markdown files that verification and benchmarks own.
import { readFileSync, writeFileSync } from 'node:fs';
import { SetupError } from '../../scripts/setup/run.mjs';

/**
 * Returns a page with another text between `<!-- verify: name -->` and `<!-- /verify -->`.
 * @param {string} page the text of the page
 * @param {string} name
 * @param {string} text
 * @param {string} [path] names the page in an error
 */
export function setBlockIn(page, name, text, path = 'the page') {
  const pattern = new RegExp(`(<!-- verify: ${name} -->\n)[\\s\\S]*?(<!-- /verify -->)`);
  if (!pattern.test(page)) throw new SetupError(`${path} has no block "verify: ${name}"`);
  return page.replace(pattern, (_, begin, end) => `${begin}${text}\n${end}`);
}

/** Replaces the text of a block in a file. */
export function setBlock(path, name, text) {
  writeFileSync(path, setBlockIn(readFileSync(path, 'utf8'), name, text, path));
}
