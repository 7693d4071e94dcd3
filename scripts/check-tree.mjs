// Why this file exists: the top level is the first page a newcomer reads, and nothing that a build makes
// belongs into the repository.
import { SetupError, run } from './setup/run.mjs';

const topLevel = new RegExp(
  '^(src|bindings|web|templates|tests|docs|scripts|\\.ci|\\.github' +
    '|CMakeLists\\.txt|CMakePresets\\.json|package(-lock)?\\.json|tsconfig[a-z.]*\\.json|eslint\\.config\\.mjs' +
    '|README\\.md|CHANGELOG\\.md|CONTRIBUTING\\.md|SECURITY\\.md|LICENSE|wrangler\\.jsonc|vite\\.config\\.ts' +
    '|\\.clang-format|\\.clang-tidy|\\.editorconfig|\\.gitattributes|\\.gitignore|\\.npmrc|\\.prettierrc\\.json|\\.prettierignore)$',
);
const built = /\.(wasm|o|a|so|tgz|png|jpg)$|^(dist|build|node_modules)\//;

/** Throws if something is tracked that the design has no place for. */
export async function checkTree() {
  const files = (await run('git', ['ls-files', '-z'])).split('\0').filter(Boolean);
  const findings = [
    ...new Set(files.map((file) => file.split('/')[0]).filter((name) => !topLevel.test(name))),
  ].map((name) => `${name}: not in the list of the design`);
  findings.push(
    ...files.filter((file) => built.test(file)).map((file) => `${file}: built or binary`),
  );
  if (findings.length > 0) throw new SetupError(findings.join('\n'));
}
