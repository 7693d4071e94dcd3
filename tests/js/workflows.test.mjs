// Checks the workflows, forms and settings of .github: they name scripts, files, parts and codes that exist, pin what
// they use, and have no more permissions than they need.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import test from 'node:test';
import { published } from '../../scripts/setup/published.mjs';
import { releaseNotes } from '../../scripts/setup/release.mjs';
import { root } from '../../scripts/setup/run.mjs';
import { parts } from '../verify/parts.mjs';
import { parseYaml } from './yaml.mjs';

const textOf = (path) => readFileSync(join(root, path), 'utf8');
const filesOf = (folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
const read = async (path) => ({ path, ...(await parseYaml(textOf(path))) });

const workflows = await Promise.all(filesOf('.github/workflows').map(read));
const forms = await Promise.all(filesOf('.github/ISSUE_TEMPLATE').map(read));
const { scripts } = JSON.parse(textOf('package.json'));
const jobsOf = ({ jobs }) => Object.entries(jobs);
const stepsOf = ({ jobs }) => Object.values(jobs).flatMap(({ steps }) => steps);
const commandsOf = (workflow) => stepsOf(workflow).flatMap(({ run }) => run ?? []);

test('reads YAML', async () => {
  const text = "a:\n  - b: c # d\n    e: [f, 'g h']\n  - {}\ni: |\n  j\n  k\nl:\nm: >-\n  n\n  o\n";
  const value = { a: [{ b: 'c', e: ['f', 'g h'] }, {}], i: 'j\nk\n', l: undefined, m: 'n o' };
  assert.deepEqual(await parseYaml(text), value);
});

for (const workflow of workflows) {
  const name = basename(workflow.path);

  test(`${name}: its commands name scripts, parts and files that exist`, () => {
    for (const command of commandsOf(workflow)) {
      for (const [, script] of command.matchAll(/\bnpm run ([\w:-]+)/g))
        assert.ok(script in scripts, script);
      for (const [, part] of command.matchAll(/\bnpm run verify -- ([\w-]+)/g))
        assert.ok(part in parts, part);
      for (const [file] of command.matchAll(/(?:^|(?<=\s))(?:\.ci|scripts|tests)\/[\w./-]+/gm))
        assert.ok(existsSync(join(root, file)), file);
    }
    assert.ok(commandsOf(workflow).length > 0);
  });

  test(`${name}: every action is pinned to a commit, with its version beside it`, () => {
    const lines = textOf(workflow.path).match(/uses: .*/g);
    assert.equal(lines.length, stepsOf(workflow).filter(({ uses }) => uses).length);
    for (const line of lines)
      assert.match(line, /^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test(`${name}: may only read, except in jobs that run nothing of the repository`, () => {
    assert.deepEqual(workflow.permissions, { contents: 'read' });
    for (const [job, { permissions = {}, steps }] of jobsOf(workflow)) {
      const writes = Object.values(permissions).includes('write');
      const checksOut = steps.some(({ uses }) => uses?.startsWith('actions/checkout@'));
      assert.ok(!(writes && checksOut), job);
    }
    for (const { uses, with: options } of stepsOf(workflow)) {
      if (uses?.startsWith('actions/checkout@'))
        assert.equal(options?.['persist-credentials'], 'false');
    }
  });

  test(`${name}: jobs end, and need jobs that exist`, () => {
    for (const [job, { needs, 'timeout-minutes': minutes }] of jobsOf(workflow)) {
      assert.ok(Number(minutes) > 0, job);
      if (needs) assert.ok(needs in workflow.jobs, needs);
    }
  });
}

test('publishes what was tested, with provenance, behind an environment', () => {
  const { jobs } = workflows.find(({ path }) => path.endsWith('/publish.yml'));
  assert.match(jobs.package.steps.map(({ run }) => run).join('\n'), /\.ci\/run/);
  assert.equal(jobs.publish.needs, 'package');
  assert.equal(jobs.publish.environment, 'npm');
  assert.equal(jobs.publish.permissions['id-token'], 'write');
  assert.match(
    jobs.publish.steps.at(-1).run,
    /^npm publish \.\/\S+\.tgz --provenance --access public$/,
  );
});

const release = {
  tag: 'v1.2.0',
  repository: 'owner/name',
  project: { version: '1.2.0', repository: { url: 'git+https://github.com/owner/name.git' } },
  changelog: '# Changelog\n\n## Unreleased\n\n## [1.2.0] - 2026-12-01\n\n- A\n\n## 1.1.0\n\n- B\n',
};

test('a release has the text of its version', () => {
  assert.equal(releaseNotes(release), '- A');
});

test('a release needs the tag of its version, a text in the changelog and the repository', () => {
  const refused = (change, message) =>
    assert.throws(() => releaseNotes({ ...release, ...change }), { message });
  const { project } = release;
  refused({ tag: 'v1.2.1' }, 'The tag is v1.2.1, but package.json has the version 1.2.0.');
  refused({ changelog: '## 1.2.0\n\n## 1.1.0\n\n- B' }, 'CHANGELOG.md has no text for 1.2.0.');
  refused(
    { project: { ...project, repository: undefined } },
    '"repository.url" of package.json must be "git+https://github.com/owner/name.git".',
  );
});

test('package.json says where everything is published, and the docs take it from there', () => {
  const project = { ...release.project, homepage: 'https://example.com/docs/' };
  const { docs, repository, fill } = published(project);
  assert.deepEqual([docs, repository], [project.homepage, 'https://github.com/owner/name']);
  assert.equal(fill('- uses: OWNER/prompt-strata@v1'), '- uses: owner/name@v1');
  const none = published({});
  assert.deepEqual([none.docs, none.repository, none.fill('OWNER/x')], ['', '', 'OWNER/x']);
});

test('every form of an issue has a title, a description and different ids', () => {
  for (const { path, name, description, body } of forms) {
    if (path.endsWith('/config.yml')) continue;
    assert.ok(name && description, path);
    const ids = body.flatMap(({ id }) => id ?? []);
    assert.deepEqual(ids, [...new Set(ids)]);
    for (const { type, id, attributes } of body)
      assert.ok(type === 'markdown' ? attributes.value : id && attributes.label, path);
    assert.ok(ids.includes('link'), `${path} asks for a playground link`);
  }
});

test('the forms name links and codes as the package has them', () => {
  const { rules } = JSON.parse(textOf('src/catalogue/rules.json'));
  const [, prefix] = /const prefix = '([^']+)'/.exec(textOf('web/playground/frame/share/link.ts'));
  for (const { path, body = [] } of forms) {
    for (const { id, attributes } of body) {
      const { placeholder = '', description = '' } = attributes;
      if (id === 'link') assert.ok(`${placeholder}${description}`.includes(prefix), path);
      if (id === 'code')
        assert.ok(
          rules.some(({ code }) => code === placeholder),
          placeholder,
        );
    }
  }
});
