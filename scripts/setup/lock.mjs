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
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function lockOwner(path) {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return 0;
  }
}

/** Runs `work` while holding a lock of this checkout. The lock of a dead process is removed. */
export async function withLock(work, name = 'setup') {
  mkdirSync(join(root, 'build'), { recursive: true });
  const path = join(root, 'build', `${name}.lock`);
  let isReported = false;
  while (!acquire(path)) {
    const pid = lockOwner(path);
    if (pid !== 0 && !isAlive(pid)) rmSync(path, { force: true });
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
