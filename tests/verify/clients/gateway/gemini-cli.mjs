// Gemini CLI from npm, without its terminal: it calls its own tools in a temporary folder. With `--prompt`, each further
// turn resumes the session from disk. With `--acp`, an editor's protocol, one process has all turns.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { files, key, model, texts } from './conversation.mjs';

const program = join(
  import.meta.dirname,
  '..',
  'node_modules',
  '@google',
  'gemini-cli',
  'bundle',
  'gemini.js',
);
const settings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
};

/** Writes the home folder with the settings, and the folder that the tools read. */
function makeFolders() {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-cli-'));
  const home = join(folder, 'home');
  const work = join(folder, 'work');
  mkdirSync(join(home, '.gemini'), { recursive: true });
  mkdirSync(work);
  writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { home, work };
}

const options = ['--model', model, '--approval-mode', 'yolo', '--skip-trust'];

/** Starts the program. Only what it needs of the environment is passed on. */
function start(args, { home, work }, baseUrl) {
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: baseUrl },
    ...{ NO_COLOR: '1', GEMINI_CLI_NO_RELAUNCH: 'true' },
  };
  const stdio = ['pipe', 'pipe', 'pipe'];
  return spawn(process.execPath, [program, ...options, ...args], {
    cwd: work,
    env,
    stdio,
    timeout: 120_000,
  });
}

async function runOnce(args, folders, baseUrl) {
  const child = start(args, folders, baseUrl);
  child.stdin.end();
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (data) => (output[name] += data));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`status ${status}\n${output.stdout}\n${output.stderr}`);
  return output.stdout;
}

/** Speaks JSON-RPC with the program, a message a line. `onMessage` gets its notifications. */
function openRpc(child, onMessage) {
  const waiting = new Map();
  const send = (message) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith('{')) return;
    const message = JSON.parse(line);
    if (message.method) return onMessage(message);
    const { resolve, reject } = waiting.get(message.id);
    if (message.error) reject(new Error(JSON.stringify(message.error)));
    else resolve(message.result);
  });
  child.once('close', (status) => {
    for (const { reject } of waiting.values()) reject(new Error(`status ${status}`));
  });
  return (method, params) =>
    new Promise((resolve, reject) => {
      const id = waiting.size;
      waiting.set(id, { resolve, reject });
      send({ id, method, params });
    });
}

async function openSession(baseUrl, onText) {
  const folders = makeFolders();
  const child = start(['--acp'], folders, baseUrl);
  child.stderr.resume();
  process.once('exit', () => child.kill());
  const call = openRpc(child, ({ params }) => {
    const { sessionUpdate, content } = params?.update ?? {};
    if (sessionUpdate === 'agent_message_chunk') onText(content.text);
  });
  const fs = { readTextFile: false, writeTextFile: false };
  await call('initialize', { protocolVersion: 1, clientCapabilities: { fs } });
  const { sessionId } = await call('session/new', { cwd: folders.work, mcpServers: [] });
  return (text) => call('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
}

export default {
  '`--prompt`, `--resume`'(baseUrl) {
    const folders = makeFolders();
    let resume = [];
    return async (question) => {
      const args = ['--output-format', 'json', ...resume, '--prompt', question];
      const text = await runOnce(args, folders, baseUrl);
      resume = ['--resume', 'latest'];
      return JSON.parse(text.slice(text.indexOf('{'))).response;
    };
  },
  async '`--acp`'(baseUrl) {
    let said = '';
    const prompt = await openSession(baseUrl, (text) => (said += text));
    return async (question) => {
      said = '';
      await prompt(question);
      // What it says between the tool calls comes first.
      return texts.find((text) => said.endsWith(text)) ?? said;
    };
  },
};
