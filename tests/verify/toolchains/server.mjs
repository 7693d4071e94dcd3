// Starts the servers of toolchains.
import { spawn } from 'node:child_process';
import { environment } from './folder.mjs';

/** Starts a server of a toolchain with Node and waits until it answers at `url`. */
export async function startServer(folder, url, file, ...args) {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: folder.path,
    env: { ...process.env, ...environment },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const close = () => child.kill();
  for (let i = 0; i < 120; i++) {
    if (child.exitCode !== null) throw new Error(`the server stopped\n${output}`);
    const response = await fetch(url).catch(() => undefined);
    if (response) return { url, close };
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  close();
  throw new Error(`the server does not answer\n${output}`);
}
