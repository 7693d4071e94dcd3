// Compares two packages byte for byte, and says where they differ.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../scripts/setup/run.mjs';

/** Returns the SHA-256 of some bytes, in hexadecimal digits. */
export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Returns the position of the first byte that differs, or -1. */
function firstDifference(a, b) {
  if (a.equals(b)) return -1;
  const end = Math.min(a.length, b.length);
  const at = a.subarray(0, end).findIndex((byte, position) => byte !== b[position]);
  return at < 0 ? end : at;
}

/** Unpacks a tarball and returns its files by name. */
async function filesOf(tarball) {
  const folder = mkdtempSync(join(tmpdir(), 'strata-package-'));
  try {
    await run('tar', ['-xzf', tarball, '-C', folder]);
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
    return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path)]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function differingFiles(first, second) {
  const names = [...new Set([...first.keys(), ...second.keys()])].sort();
  return names.flatMap((name) => {
    const [a, b] = [first.get(name), second.get(name)];
    if (!a || !b) return [`${name}: only in the ${a ? 'first' : 'second'} package`];
    const at = firstDifference(a, b);
    return at < 0 ? [] : [`${name}: byte ${at} of ${a.length} and ${b.length}`];
  });
}

// The list of a tarball has modes, owners, times and the order of files.
async function differingEntries(first, second) {
  const list = async (tarball) =>
    (await run('tar', ['--full-time', '-tvzf', tarball], { env: { TZ: 'UTC' } })).split('\n');
  const [a, b] = [await list(first), await list(second)];
  const at = a.findIndex((line, position) => line !== b[position]);
  return at < 0 ? [] : [`entry ${at}: "${a[at]}", and "${b[at] ?? ''}"`];
}

/**
 * Returns what differs between two packages: files with the first byte, else the entries of the archive, else the
 * compressed bytes. Empty if they are equal.
 * @param {string} first the path of a tarball
 * @param {string} second
 */
export async function differences(first, second) {
  const at = firstDifference(readFileSync(first), readFileSync(second));
  if (at < 0) return [];
  const files = differingFiles(await filesOf(first), await filesOf(second));
  if (files.length > 0) return files;
  const entries = await differingEntries(first, second);
  return entries.length > 0 ? entries : [`the compressed archive: byte ${at}`];
}

/** Returns the SHA-256 of each file of a package whose name ends as given. */
export async function hashesIn(tarball, suffix) {
  const files = [...(await filesOf(tarball))].filter(([name]) => name.endsWith(suffix));
  return files.map(([name, bytes]) => ({ name, size: bytes.length, hash: sha256(bytes) }));
}
