// node scripts/check-release.mjs <tag> <owner/name>: checks that a tag of a repository on GitHub can be published, and
// prints its section of CHANGELOG.md. .github/workflows/publish.yml runs it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseNotes } from './setup/release.mjs';
import { main, root } from './setup/run.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');

await main(() => {
  const [tag, repository] = process.argv.slice(2);
  const project = JSON.parse(read('package.json'));
  console.log(releaseNotes({ tag, repository, project, changelog: read('CHANGELOG.md') }));
});
