// The part "reproducible": two clean builds of the committed tree give the same package, byte for byte.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../../scripts/setup/run.mjs';
import { buildPackage } from './reproducible/build.mjs';
import { differences, hashesIn, sha256 } from './reproducible/compare.mjs';

const folder = join(root, 'build', 'verify', 'reproducible');

/** @type {Record<string, Omit<import("./reproducible/build.mjs").Setting, "commit">>} */
const settings = {
  first: { folder: 'a', umask: '022', locale: 'C', timeZone: 'UTC', jobs: 2 },
  second: {
    ...{ folder: 'another/checkout-of-the-project', umask: '077' },
    ...{ locale: 'C.UTF-8', timeZone: 'Asia/Kathmandu', jobs: 3 },
  },
};

// What is in no package, so that a new block of the page does not ask for another run.
const unpacked = /^(docs|tests|\.ci|\.github|CHANGELOG\.md|CONTRIBUTING\.md|SECURITY\.md)\b/;

async function prepare() {
  mkdirSync(folder, { recursive: true });
  const lines = (await run('git', ['ls-tree', '-r', 'HEAD'])).split('\n');
  const packed = lines.filter((line) => !unpacked.test(line.split('\t')[1] ?? ''));
  const key = sha256(packed.join('\n')).slice(0, 12);
  const commit = (await run('git', ['rev-parse', 'HEAD'])).trim();
  return { key, context: { key, commit } };
}

const head = [
  ...['Build', 'Commit', 'Folder', 'umask', 'Locale', 'Time zone', 'Jobs'],
  ...['Bytes', 'SHA-256 of the package'],
];

const tarballOf = (name, key) => join(folder, `${key}-${name}.tgz`);

async function runBuild(name, setting, { key, commit }) {
  const tarball = tarballOf(name, key);
  await buildPackage({ ...setting, commit }, tarball);
  const bytes = readFileSync(tarball);
  console.log(`  ${name}: ${bytes.length} bytes, SHA-256 ${sha256(bytes)}`);
  const { folder: cloned, umask, locale, timeZone, jobs } = setting;
  const cells = [name, commit.slice(0, 7), cloned, umask, locale, timeZone, String(jobs)];
  return [...cells, String(bytes.length), `\`${sha256(bytes)}\``];
}

async function compare({ key }) {
  const tarballs = Object.keys(settings).map((name) => tarballOf(name, key));
  const missing = tarballs.filter((tarball) => !existsSync(tarball));
  if (missing.length > 0) throw new Error(`not built: ${missing.join(', ')}`);
  const found = await differences(...tarballs);
  if (found.length > 0) throw new Error(`the packages differ:\n${found.join('\n')}`);
  for (const { name, size, hash } of await hashesIn(tarballs[0], '.wasm'))
    console.log(`  ${name}: ${size} bytes, SHA-256 ${hash}`);
  return head.map((_, position) => ['comparison', 'equal'][position] ?? '');
}

/** @type {import('./run-part.mjs').Part} */
export default {
  title: 'Reproducible build',
  about:
    'Each row: the committed tree, cloned into a new folder, built with `npm run build` without a compiler cache, and ' +
    'packed with `npm pack`. Both packages are equal byte for byte, with talk.wasm, templates.wasm and ' +
    'check.wasm. The bytes depend on the versions of Node, npm and Emscripten.',
  head,
  cases: [
    ...Object.entries(settings).map(([name, setting]) => ({
      name: `${name} build`,
      run: (context) => runBuild(name, setting, context),
    })),
    { name: 'comparison', run: compare },
  ],
  prepare,
  // The comparison has no row of its own: the hashes show it.
  sumRows: (results) =>
    results.filter(({ name }) => name !== 'comparison').map(({ cells }) => cells),
};
