// Writes the blocks of Markdown files that `npm run verify` owns.
import { readFileSync, writeFileSync } from 'node:fs';
import { SetupError } from '../setup/run.mjs';

/** Replaces the text between `<!-- verify: name -->` and `<!-- /verify -->`. */
export function setBlock(path, name, text) {
  const page = readFileSync(path, 'utf8');
  const pattern = new RegExp(`(<!-- verify: ${name} -->\n)[\\s\\S]*?(<!-- /verify -->)`);
  if (!pattern.test(page)) throw new SetupError(`${path} has no block "verify: ${name}"`);
  writeFileSync(
    path,
    page.replace(pattern, (_, begin, end) => `${begin}${text}\n${end}`),
  );
}
