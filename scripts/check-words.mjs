// Finds words and identifiers that were replaced (scripts/replaced-words.json) in code, comments and docs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, root } from './setup/run.mjs';
import { filesBelow } from './setup/stamp.mjs';

// The list itself and the history of names hold old words; so do inputs and texts that reach a model.
const exempt =
  /^(CHANGELOG\.md|scripts\/replaced-words\.json|tests\/cases\/|web\/agent\/compression\/summary-prompts\.ts|src\/jinja\/text\/unicode_tables\.cpp)/;

const { replaced } = JSON.parse(readFileSync(join(root, 'scripts/replaced-words.json'), 'utf8'));
const patterns = replaced.map(({ old, now }) => ({ pattern: new RegExp(old, 'g'), now }));

function findingsIn(file) {
  const text = readFileSync(join(root, file), 'utf8');
  return patterns.flatMap(({ pattern, now }) =>
    Array.from(text.matchAll(pattern), ({ 0: word, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${file}:${line}: "${word.trim()}" was replaced (${now})`;
    }),
  );
}

/** Throws with every place that holds a replaced word. */
export function checkWords() {
  const folders = ['src', 'bindings', 'web', 'tests', 'scripts', 'docs', 'templates'];
  const top = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CMakeLists.txt',
    'eslint.config.mjs',
  ];
  const files = [...folders.flatMap((folder) => filesBelow(folder)), ...top]
    .filter((file) => /\.(cpp|h|tsx?|js|mjs|py|json|md|css|html|txt|svg)$/.test(file))
    .filter((file) => !exempt.test(file));
  const findings = files.flatMap((file) => {
    try {
      return findingsIn(file);
    } catch (error) {
      if (error.code === 'ENOENT') return [];
      throw error;
    }
  });
  if (findings.length > 0) throw new SetupError(findings.join('\n'));
}
