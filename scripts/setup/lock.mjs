// Why this file exists: `npm start` and `npm test` may be started side by side, and must not build
// into the same folders at the same time.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './run.mjs';

const path = join(root, 'build', 'setup.lock');

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function acquire() {
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

function holder() {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return 0;
  }
}

/** Runs `work` while no other process of this checkout sets up. A lock whose owner died is taken. */
export async function withLock(work) {
  mkdirSync(join(root, 'build'), { recursive: true });
  let told = false;
  while (!acquire()) {
    const pid = holder();
    if (pid !== 0 && !isAlive(pid)) rmSync(path, { force: true });
    else if (!told) console.log(`  waiting for another set-up (process ${pid})`);
    told = true;
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
