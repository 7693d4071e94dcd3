// The part "container": builds the image of docs/container with buildah, and runs its commands as its user.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { prepare as preparePackage } from '../../scripts/setup/prepare.mjs';
import { root, run } from '../../scripts/setup/run.mjs';
import { filesBelow, hashFiles } from '../../scripts/setup/stamp.mjs';
import { installSystemPackages } from '../../scripts/setup/system.mjs';
import { freePort } from '../support/free-port.mjs';

// Without a daemon, and without the rights that other ways need.
const env = { STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };
const buildah = async (...args) => (await run('buildah', args, { env, cwd: root })).trim();

const imageFolder = 'docs/container';
const nodeOnly = 'localhost/node-only';
const image = 'localhost/prompt-strata';
const name = 'prompt-strata-verify';

/** Makes an image that holds this machine's Node and its libraries, for no registry may be in reach. */
async function makeNodeImage() {
  const folder = mkdtempSync(join(tmpdir(), 'strata-node-'));
  const libraries = (await run('ldd', [process.execPath])).match(/\/\S+/g);
  for (const file of libraries) copyTo(join(folder, file), file);
  copyTo(join(folder, 'usr/bin/node'), process.execPath);
  mkdirSync(join(folder, 'tmp'));
  const container = await buildah('from', 'scratch');
  await buildah('copy', '--quiet', container, folder, '/');
  await buildah('config', '--env', 'PATH=/usr/bin', container);
  await buildah('commit', '--quiet', '--rm', container, nodeOnly);
  rmSync(folder, { recursive: true });
}

function copyTo(target, source) {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(source, target);
}

async function prepare() {
  await preparePackage('package');
  await installSystemPackages(['container']);
  await makeNodeImage();
  const argument = `NODE_IMAGE=${nodeOnly}`;
  const build = ['bud', '--format', 'docker', '--pull=never', '--build-arg', argument];
  await buildah(...build, '--tag', image, '--file', `${imageFolder}/Containerfile`, '.');
  await buildah('rm', name).catch(() => undefined);
  const container = await buildah('from', '--name', name, '--pull-never', image);
  await buildah('rmi', '--prune', '--force');
  const { config } = JSON.parse(await buildah('inspect', image)).Docker;
  const key = hashFiles([...filesBelow('dist'), ...filesBelow(imageFolder)]).slice(0, 12);
  return { key, context: { container, config } };
}

/** Runs a program in the container, as its user. */
function start({ container, config }, command, variables = {}) {
  const own = Object.entries(variables).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  const args = ['run', '--user', config.User, ...own, container, '--', ...command];
  const child = spawn('buildah', args, { env: { ...process.env, ...env }, cwd: root });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece) => (output += piece));
  return { ended: once(child, 'close'), output: () => output };
}

/** Returns what an expression of Node's prints in the container. */
async function evaluate(context, expression) {
  const program = start(context, ['node', '-p', expression]);
  const [status] = await program.ended;
  if (status !== 0) throw new Error(program.output());
  return program.output();
}

/** Starts a server of the image, waits until its health check passes, and ends it as a container engine does. */
async function withServer(context, args, variables, work) {
  const port = await freePort();
  const command = [...context.config.Entrypoint, ...args, '--port', String(port)];
  const server = start(context, command, variables);
  // Not the process of buildah, whose arguments end in the same words.
  const signal = (kind) => run('pkill', [kind, '-f', `^\\S*node \\S*/cli\\.js .*--port ${port}$`]);
  try {
    await untilHealthy(context, server, port);
    await work(`http://127.0.0.1:${port}`);
    await signal('-TERM');
    const [status] = await server.ended;
    if (status !== 0) throw new Error(`SIGTERM: status ${status}\n${server.output()}`);
    return server.output();
  } finally {
    await signal('-KILL').catch(() => undefined);
  }
}

async function untilHealthy(context, server, port) {
  const [, ...check] = context.config.Healthcheck.Test;
  const command = check.map((word) => word.replace(':8080/', `:${port}/`));
  for (let i = 0; i < 50; i += 1) {
    const [status] = await start(context, command).ended;
    if (status === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The health check never passed.\n${server.output()}`);
}

function expect(found, pattern) {
  if (!pattern.test(found)) throw new Error(`Expected ${pattern} in:\n${found}`);
}

async function ask(url) {
  const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] });
  const headers = { 'content-type': 'application/json', 'x-goog-api-key': 'a-caller-key' };
  const path = '/v1beta/models/gemini-3.8-flash:generateContent';
  const response = await fetch(url + path, { method: 'POST', headers, body });
  expect(await response.text(), /"role":\s?"model"/);
}

const files = "fs.readdirSync('/opt/prompt-strata', { recursive: true, withFileTypes: true })";
const bytes = "fs.statSync(one.parentPath + '/' + one.name).size";
const sizeOfFiles = `${files}.reduce((sum, one) => sum + (one.isFile() ? ${bytes} : 0), 0)`;

const cases = [
  {
    name: 'image',
    async run(context) {
      const { User: user } = context.config;
      if (user !== '1000:1000') throw new Error(`It runs as ${user}.`);
      const names = await evaluate(context, `${files}.map(({ name }) => name).join(' ')`);
      expect(names, /cli\.js/);
      if (/\.map\b|node_modules/.test(names)) throw new Error('It holds more than the package.');
      const size = Number(await evaluate(context, sizeOfFiles));
      return ['image', `${(size / 1e6).toFixed(1)} MB above Node's image, user 1000`];
    },
  },
  {
    name: 'emulator',
    async run(context) {
      const args = [...context.config.Cmd, '--requests', '/data/requests.jsonl'];
      await withServer(context, args, {}, ask);
      const recorded = await evaluate(context, "fs.readFileSync('requests.jsonl', 'utf8')");
      expect(recorded, /"x-goog-api-key":"\[secret\]"/);
      return ['emulator', 'healthy, answers, records in /data, ends on SIGTERM'];
    },
  },
  {
    name: 'gateway',
    async run(context) {
      const memory = ['--memory', '/data/signatures.log', '--secret-env', 'GATEWAY_SECRET'];
      const args = ['serve', '--host', '0.0.0.0', ...memory, '--emulator'];
      const secret = { GATEWAY_SECRET: 'a secret of more than thirty-two characters' };
      const output = await withServer(context, args, secret, ask);
      if (output.includes('a-caller-key')) throw new Error('It logs a key.');
      expect(await evaluate(context, "fs.statSync('signatures.log').size"), /^[1-9]/);
      return ['gateway', 'healthy, answers, remembers in /data, ends on SIGTERM'];
    },
  },
];

/** @type {import('./run-part.mjs').Part} */
export default {
  title: 'Container',
  about:
    'The image of `docs/container/Containerfile`, built by buildah on an image that holds nothing but Node (no registry was in reach), ' +
    'and its commands in it, with its own health check.',
  head: ['What', 'Seen'],
  prepare,
  cases,
};
