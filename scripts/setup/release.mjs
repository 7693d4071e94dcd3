// Checks that a commit can be released, and finds what the changelog says about its version.
import { repositoryOf } from './published.mjs';
import { SetupError } from './run.mjs';

/** Returns the section of a version without its heading, or undefined. */
function sectionOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const own = sections.find((section) => /^\[?([^\s\]]+)/.exec(section)[1] === version);
  return own?.slice(own.indexOf('\n')).trim();
}

/**
 * Returns the notes of a release: its section of the changelog.
 * @param {object} release
 * @param {string} release.tag "v" and the version
 * @param {string} release.repository owner/name on GitHub: npm accepts a provenance only from the repository that the
 *   package names
 * @param {{ version: string, repository?: { url: string } }} release.project package.json
 * @param {string} release.changelog
 * @throws SetupError with everything that is wrong
 */
export function releaseNotes({ tag, repository, project, changelog }) {
  const { version } = project;
  const notes = sectionOf(changelog, version);
  const url = `git+https://github.com/${repository}.git`;
  const faults = [
    tag !== `v${version}` && `The tag is ${tag}, but package.json has the version ${version}.`,
    !notes && `CHANGELOG.md has no text for ${version}.`,
    repositoryOf(project) !== repository && `"repository.url" of package.json must be "${url}".`,
  ].filter(Boolean);
  if (faults.length > 0) throw new SetupError(faults.join('\n'));
  return notes;
}
