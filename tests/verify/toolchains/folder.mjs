// Makes the empty folders in which toolchains run: package.json, the packed package, the tools at fixed versions.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../../../scripts/setup/run.mjs';

// Outside of this repository: Vitest, Next and Node look for settings and packages in the folders above.
const top = join(tmpdir(), 'prompt-strata-verify');

/** A folder with a toolchain. */
export class Folder {
  constructor(path) {
    this.path = path;
  }

  write(files) {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.path, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }

  /** Runs a file with Node in this folder. */
  node(file, ...args) {
    return run(process.execPath, [file, ...args], { cwd: this.path, env: environment });
  }

  /** Runs the command of an installed tool. */
  bin(name, ...args) {
    return run(join(this.path, 'node_modules', '.bin', name), args, {
      cwd: this.path,
      env: environment,
    });
  }

  versionOf(tool) {
    const manifest = join(this.path, 'node_modules', tool, 'package.json');
    return JSON.parse(readFileSync(manifest, 'utf8')).version;
  }

  /** Copies files to a folder without node_modules, where a bundle must be complete. Returns that folder. */
  alone(...files) {
    const path = `${this.path}-alone`;
    rmSync(path, { recursive: true, force: true });
    const copy = new Folder(path);
    copy.write({ 'package.json': '{ "private": true, "type": "module" }' });
    for (const file of files) {
      cpSync(join(this.path, file), join(path, file), { recursive: true });
    }
    return copy;
  }
}

/** No colors, no telemetry, no questions. */
export const environment = {
  NO_COLOR: '1',
  CI: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  WRANGLER_SEND_METRICS: 'false',
};

const installed = new Map();

/**
 * Returns an installed folder. Cases of one run share it.
 * @param {string} name
 * @param {{ tarball: string }} context
 * @param {{ tools?: { [name: string]: string }, type?: 'module' | 'commonjs' }} options
 */
export function installFolder(name, { tarball }, { tools = {}, ...settings } = {}) {
  const make = async () => {
    const folder = new Folder(join(top, name));
    rmSync(folder.path, { recursive: true, force: true });
    const manifest = { name: `with-${name}`, private: true, type: 'module', ...settings };
    const dependencies = { 'prompt-strata': 'file:./prompt-strata.tgz', ...tools };
    folder.write({ 'package.json': JSON.stringify({ ...manifest, dependencies }) });
    cpSync(tarball, join(folder.path, 'prompt-strata.tgz'));
    const options = ['--no-audit', '--no-fund', '--silent', '--prefer-offline'];
    await run('npm', ['install', ...options], { cwd: folder.path });
    return folder;
  };
  if (!installed.has(name)) installed.set(name, make());
  return installed.get(name);
}
