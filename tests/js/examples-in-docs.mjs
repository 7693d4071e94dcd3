// Reads the examples of README.md, CONTRIBUTING.md and docs/: the ```js and ```ts blocks, which tests compile and run.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/setup/run.mjs';

/** The documents, relative to the root. */
export const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

/** Returns the text of a document. */
export const textOf = (document) => readFileSync(join(root, document), 'utf8');

/**
 * Returns the examples of a document: their language, their code, a file name without its ending, and the output
 * lines that a comment after console.log promises. `languages`: another mark of blocks, which a test runs by itself.
 */
export function examplesIn(document, languages = 'js|ts') {
  const block = new RegExp(`^\`\`\`(${languages})\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  const blocks = [...textOf(document).matchAll(block)];
  return blocks.map(([, language, code], index) => ({
    language,
    code,
    name: `${document.replaceAll('/', '-')}-${index + 1}`,
    promised: [...code.matchAll(/console\.log\(.*\n *\/\/ (.*)$/gm)].map(([, line]) => line),
  }));
}
