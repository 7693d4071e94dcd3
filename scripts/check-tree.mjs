// Checks the tracked files: the top level contains only listed names, and no build output is tracked.
import { SetupError, run } from './setup/run.mjs';

const topLevel = new RegExp(
  '^(src|bindings|web|templates|tests|docs|scripts|\\.ci|\\.github' +
    '|CMakeLists\\.txt|CMakePresets\\.json|package(-lock)?\\.json|tsconfig[a-z.]*\\.json|eslint\\.config\\.mjs' +
    '|README\\.md|CHANGELOG\\.md|CONTRIBUTING\\.md|SECURITY\\.md|LICENSE|wrangler\\.jsonc|vite\\.config\\.ts' +
    '|\\.clang-format|\\.clang-tidy|\\.editorconfig|\\.gitattributes|\\.gitignore|\\.npmrc|\\.prettierrc\\.json|\\.prettierignore)$',
);
const buildOutput = /\.(wasm|o|a|so|tgz|png|jpg)$|^(dist|build|node_modules)\//;

/** Pictures of the playground for the docs (`npm run pictures`). */
const picture = /^docs\/pictures\/[\w-]+\.png$/;

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
  if (findings.length > 0) throw new SetupError(findings.join('\n'));
}
