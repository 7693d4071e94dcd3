// Checks the tracked files: the top level contains only listed names, and nothing that a program writes is tracked.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, root, run } from './setup/run.mjs';

const topLevel = new RegExp(
  '^(src|bindings|web|templates|tests|docs|scripts|\\.ci|\\.github' +
    '|CMakeLists\\.txt|CMakePresets\\.json|package(-lock)?\\.json|tsconfig[a-z.]*\\.json|eslint\\.config\\.mjs' +
    '|action\\.yml|\\.pre-commit-hooks\\.yaml|README\\.md|CHANGELOG\\.md|CONTRIBUTING\\.md|SECURITY\\.md|LICENSE|wrangler\\.jsonc|vite\\.config\\.ts' +
    '|\\.clang-format|\\.clang-tidy|\\.editorconfig|\\.gitattributes|\\.gitignore|\\.npmrc|\\.prettierrc\\.json|\\.prettierignore)$',
);
const buildOutput = /\.(wasm|o|a|so|tgz|png|jpg)$|^(dist|build|node_modules)\//;

/** Pictures of the playground for the docs (`npm run pictures`). */
const picture = /^docs\/pictures\/[\w-]+\.png$/;

// Lock files, measured records, and Unicode's tables, which Python writes.
const written =
  /(^|\/)package-lock\.json$|^docs\/(benchmarks|verification)\.md$|^src\/jinja\/text\/unicode_tables\.cpp$/;
const source = /\.(cpp|h|inc|ts|tsx|js|mjs|css|html|md)$/;
const headLength = 400;
const longestLine = 1500;

// Says why a file looks like the output of a program; undefined for one that a person wrote.
function signOfGenerator(file) {
  if (!source.test(file) || written.test(file) || !existsSync(join(root, file))) return undefined;
  const text = readFileSync(join(root, file), 'utf8');
  if (/\bgenerated (by|from)\b|\bdo not edit\b/i.test(text.slice(0, headLength)))
    return 'it says that it is generated';
  // A paragraph of Markdown is one line.
  if (!file.endsWith('.md') && text.split('\n').some((line) => line.length > longestLine))
    return `it has a line of more than ${longestLine} characters`;
  return undefined;
}

/**
 * Checks the tracked files.
 *
 * @throws SetupError with all findings
 */
export async function checkTree() {
  const files = (await run('git', ['ls-files', '-z'])).split('\0').filter(Boolean);
  const findings = [
    ...new Set(files.map((file) => file.split('/')[0]).filter((name) => !topLevel.test(name))),
  ].map((name) => `${name}: not an allowed top-level name (scripts/check-tree.mjs)`);
  findings.push(
    ...files
      .filter((file) => buildOutput.test(file) && !picture.test(file))
      .map((file) => `${file}: build output or binary file`),
  );
  for (const file of files) {
    const sign = signOfGenerator(file);
    if (sign) findings.push(`${file}: ${sign}. Make it when it is built, below build/`);
  }
  if (findings.length > 0) throw new SetupError(findings.join('\n'));
}
