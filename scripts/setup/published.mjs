// Says where the project is published. The one place is package.json: the owner sets `repository` and `homepage`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** What stands in the docs for the repository, as GitHub's actions and pre-commit name one. */
const placeholder = 'OWNER/prompt-strata';

/** Returns the repository as owner/name, or undefined while package.json names none on GitHub. */
export const repositoryOf = ({ repository }) =>
  /^(?:git\+)?https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(
    repository?.url ?? '',
  )?.[1];

/**
 * Returns the addresses of the documentation and of the repository; `''` for what is not published.
 * @param {{ homepage?: string, repository?: { url: string } }} [project] package.json
 */
export function published(project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))) {
  const repository = repositoryOf(project);
  return {
    docs: project.homepage ?? '',
    repository: repository === undefined ? '' : `https://github.com/${repository}`,
    /** Puts the repository into a page of the docs. */
    fill: (text) => (repository ? text.replaceAll(placeholder, repository) : text),
  };
}
