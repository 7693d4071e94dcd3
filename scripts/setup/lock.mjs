// Prevents concurrent commands from building into the same folders.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './run.mjs';

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function acquire(path) {
  try {
    const file = openSync(path, 'wx');
    writeSync(file, `${process.pid} ${root}`);
    closeSync(file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Returns the process that holds a lock, 0 if that is not known; undefined if none in this checkout can hold it. */
function lockOwner(path) {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    // It was just released.
  }
  const [, pid, folder] = /^(\d+) (.*)$/s.exec(text) ?? [];
  if (pid === undefined) return 0;
  // A copy of a checkout brings the lock of the original along.
  return folder === root && isAlive(Number(pid)) ? Number(pid) : undefined;
}

/** Runs `work` while holding a lock of this checkout. The lock of a dead process, or of another checkout, is removed. */
export async function withLock(work, name = 'setup') {
  mkdirSync(join(root, 'build'), { recursive: true });
  const path = join(root, 'build', `${name}.lock`);
  let isReported = false;
  while (!acquire(path)) {
    const pid = lockOwner(path);
    if (pid === undefined) rmSync(path, { force: true });
    else if (!isReported) console.log(`  waiting for another setup (process ${pid})`);
    isReported = true;
    await sleep(200);
  }
  const release = () => rmSync(path, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    release();
    process.removeListener('exit', release);
  }
}
