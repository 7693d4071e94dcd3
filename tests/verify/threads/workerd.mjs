// Runs the Worker in workerd, a process of its own that can be measured and killed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Miniflare } from 'miniflare';
import { run } from '../../../scripts/setup/run.mjs';
import { miniflareOptions } from '../../../scripts/setup/worker.mjs';

export const callerKey = 'caller-key-of-a-verification_0123456789';

async function childrenNamedWorkerd() {
  const lines = (await run('ps', ['-A', '-o', 'pid=,ppid=,comm='])).trim().split('\n');
  const processes = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line));
  return processes
    .filter((found) => Number(found?.[2]) === process.pid && found[3].includes('workerd'))
    .map(([, pid]) => Number(pid));
}

const isRunning = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function killNow(pid) {
  process.kill(pid, 'SIGKILL');
  while (isRunning(pid)) await sleep(1);
}

/** Returns the kilobytes of memory that a process has. */
export async function memoryOf(pid) {
  return Number(await run('ps', ['-o', 'rss=', '-p', String(pid)]));
}

/** Creates a folder for the storage of Workers. */
export function storageFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'strata-threads-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Starts the Worker. Do not start two at once: the new process would not be known.
 * @param {{ deployment?: string, bindings?: Record<string, string>, folder: string, outbound: Function }} settings
 *   `outbound` answers what the Worker requests, `folder` stores the threads, `deployment` is that of `bundleWorker`
 * @returns {Promise<{ origin: string, pid: number, kill: () => Promise<void>, stop: () => Promise<void> }>}
 */
export async function startWorkerd({ deployment, bindings = {}, folder, outbound }) {
  const before = await childrenNamedWorkerd();
  const keys = { CALLER_KEY: callerKey, GEMINI_API_KEY: 'AIzaSyOfAVerification_0123456789' };
  const miniflare = new Miniflare({
    ...(await miniflareOptions({ ...keys, ...bindings }, deployment)),
    port: 0,
    durableObjectsPersist: folder,
    outboundService: outbound,
  });
  const { origin } = await miniflare.ready;
  const [pid] = (await childrenNamedWorkerd()).filter((each) => !before.includes(each));
  if (pid === undefined) throw new Error('the process of workerd was not found');
  const stop = () => miniflare.dispose();
  return { origin, pid, stop, kill: () => killNow(pid).then(stop) };
}
