// Checks what the bytes of the package depend on: neither on the folder of the build, nor on times, modes and the order
// of its files. `npm run verify -- reproducible` builds it twice.
import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import test from 'node:test';
import { root, run } from '../../scripts/setup/run.mjs';
import { filesBelow } from '../../scripts/setup/stamp.mjs';
import { differences } from '../verify/reproducible/compare.mjs';
import { consumer } from '../support/consumer.mjs';

const packed = join(consumer, 'prompt-strata.tgz');
const modules = filesBelow('dist', ['.wasm']);

function folderFor(t) {
  const folder = mkdtempSync(join(tmpdir(), 'strata-packed-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Copies the packed files and what packs them, in reverse order, with other times and modes. */
function copyFiles(folder) {
  const own = ['package.json', 'README.md', 'LICENSE', ...filesBelow('scripts')];
  for (const file of [...filesBelow('dist'), ...own].reverse()) {
    const copy = join(folder, file);
    mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
    copyFileSync(join(root, file), copy);
    chmodSync(copy, 0o600);
    utimesSync(copy, 1, 1);
  }
}

async function pack(folder) {
  const name = (await run('npm', ['pack', '--silent'], { cwd: folder })).trim();
  return join(folder, name);
}

test('a copy with other modes and times, in another folder, gives the same package', async (t) => {
  const folder = folderFor(t);
  copyFiles(folder);
  assert.deepEqual(await differences(packed, await pack(folder)), []);
});

test('no packed file names the folder of the build or of the user', () => {
  const folders = [root, homedir()].filter((path) => path !== '/').map((path) => `${path}/`);
  for (const file of ['README.md', ...filesBelow('dist')]) {
    const bytes = readFileSync(join(root, file));
    for (const path of folders) assert.ok(!bytes.includes(path), `${file}: ${path}`);
  }
});

for (const file of modules) {
  test(`${file} has no names of functions, no list of producers and no debug data`, async () => {
    const module = await WebAssembly.compile(readFileSync(join(root, file)));
    const sections = ['name', 'producers', 'sourceMappingURL', '.debug_info', '.debug_line'];
    for (const section of sections)
      assert.equal(WebAssembly.Module.customSections(module, section).length, 0, section);
  });
}

test('all modules were looked at', () => {
  const expected = ['check.wasm', 'talk.wasm', 'templates.wasm'];
  assert.deepEqual(modules.map((file) => basename(file)).sort(), expected);
});

async function tarballOf(folder, name, files, mode = '755') {
  const tree = join(folder, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  const tarball = `${tree}.tgz`;
  const steady = ['--sort=name', '--owner=0', '--group=0', '--mtime=@0', `--mode=${mode}`];
  await run('tar', ['-czf', tarball, ...steady, '-C', tree, '.']);
  return tarball;
}

test('a difference between two packages is named', async (t) => {
  const folder = folderFor(t);
  const files = { 'a.txt': 'abcd', 'b/c.txt': 'same' };
  const first = await tarballOf(folder, 'first', files);
  const differs = async (name, other, mode) =>
    differences(first, await tarballOf(folder, name, other, mode));
  assert.deepEqual(await differs('equal', files), []);
  assert.deepEqual(await differs('byte', { ...files, 'a.txt': 'abXd' }), [
    'a.txt: byte 2 of 4 and 4',
  ]);
  assert.deepEqual(await differs('longer', { ...files, 'a.txt': 'abcde' }), [
    'a.txt: byte 4 of 4 and 5',
  ]);
  assert.deepEqual(await differs('more', { ...files, 'd.txt': '' }), [
    'd.txt: only in the second package',
  ]);
  const [entry] = await differs('mode', files, '700');
  assert.match(entry, /^entry 0: "drwxr-xr-x .*", and "drwx------ /);
});
