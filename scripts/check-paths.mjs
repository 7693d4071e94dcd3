// Finds paths of this repository that lead nowhere, in docs, workflows and scripts.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, root, run } from './setup/run.mjs';

const path =
  /(?<![\w/.@-])(?:src|web|tests|docs|scripts|bindings|templates)\/[\w./-]*\w\.(?:mjs|ts|js|cpp|h|json|md|css|html|py|j2|txt|svg|png)\b/g;
const read = /\.(md|yml)$|^scripts\/|^(package|tsconfig[\w.]*)\.json$/;
// Old names stand in the history, and examples of memory files in their page.
const exempt = /^CHANGELOG\.md$|\/GEMINI\.md$/;

function deadPathsIn(file) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    [...line.matchAll(path)]
      .filter(([found]) => !existsSync(join(root, found)) && !exempt.test(found))
      .map(([found]) => `${file}:${index + 1}: there is no ${found}`),
  );
}

/**
 * Checks the tracked files.
 *
 * @throws SetupError with every path that does not exist
 */
export async function checkPaths() {
  const files = (await run('git', ['ls-files', '-z'])).split('\0').filter(Boolean);
  const findings = files
    .filter((file) => read.test(file) && !exempt.test(file) && existsSync(join(root, file)))
    .flatMap(deadPathsIn);
  if (findings.length > 0) throw new SetupError(findings.join('\n'));
}
