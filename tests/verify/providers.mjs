// The part "providers": a program of the AI SDK runs with @ai-sdk/google and, with another import, with this package.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { hashClients, installClients, versions } from '../support/pinned-clients.mjs';
import { prepare as preparePackage } from '../../scripts/setup/prepare.mjs';
import { root, run } from '../../scripts/setup/run.mjs';
import { filesBelow, hashFiles } from '../../scripts/setup/stamp.mjs';
import { model, steps } from './clients/gateway/conversation.mjs';
import { answersBefore, scriptModel } from './clients/gateway/scripted-model.mjs';

const theirs = '@ai-sdk/google';
const ours = 'prompt-strata/ai-sdk';
const program = 'program.mjs';

/** Writes the program of this package: the import alone is another. */
function writeOurs(folder) {
  const text = readFileSync(join(folder, 'providers', program), 'utf8');
  const line = `import { createGoogle } from '${theirs}';`;
  assert.equal(text.split(line).length, 2, 'the program has one import of the provider');
  const entry = pathToFileURL(join(root, 'dist', 'ai-sdk.js')).href;
  const changed = `import { createPromptStrata as createGoogle } from '${entry}';`;
  writeFileSync(join(folder, 'providers', 'ours.mjs'), text.replace(line, changed));
}

async function prepare() {
  await preparePackage('package');
  const folder = await installClients();
  writeOurs(folder);
  const hash = createHash('sha256').update(hashClients('providers')).update(hashClients('gateway'));
  hash.update(hashFiles([...filesBelow('dist'), 'package.json']));
  const { createEmulator } = await import('prompt-strata/testing');
  const { serve } = await import('prompt-strata/node');
  return { key: hash.digest('hex').slice(0, 12), context: { folder, createEmulator, serve } };
}

/** Records what the emulator is sent as a server, and what it answers. */
function record(handler) {
  const exchanges = [];
  const recorded = async (request) => {
    const sent = await request.clone().text();
    const response = await handler(request);
    exchanges.push({ sent, status: response.status, answer: response.clone().text() });
    return response;
  };
  return { exchanges, handler: recorded };
}

/** Runs a scene of the program in a process of its own, against a scripted model behind the strict emulator. */
async function runScene({ folder, createEmulator, serve }, file, scene) {
  const script = await scriptModel(createEmulator, steps, model);
  const emulator = createEmulator({ respond: script.respond, checkSignatures: true });
  const { exchanges, handler } = record(emulator);
  const server = await serve(handler);
  try {
    const args = [join('providers', file), scene, server.url];
    const text = await run(process.execPath, args, { cwd: folder });
    const result = JSON.parse(/^result (.*)$/m.exec(text)[1]);
    return { result, exchanges, script };
  } finally {
    await server.close();
  }
}

const isPlain = ({ text, thoughtSignature }) => text !== undefined && !thoughtSignature;

/** The Parts of an answer, whole or streamed. Pieces of a text are one Part, but not the one that is signed. */
function partsOf(answer) {
  const chunks = answer.startsWith('{') ? [answer] : answer.match(/^\{.*$|(?<=^data: ).*$/gm);
  const parts = [];
  for (const part of chunks.flatMap((chunk) => JSON.parse(chunk).candidates[0].content.parts)) {
    const last = parts.at(-1);
    if (last && isPlain(last) && isPlain(part)) last.text += part.text;
    else parts.push(part);
  }
  return parts;
}

/** How many of the model's turns a request has with the Parts that the model gave. */
async function unchangedTurns(sent, exchanges) {
  const turns = JSON.parse(sent).contents.filter(({ role }) => role === 'model');
  const given = await Promise.all(exchanges.map(async ({ answer }) => partsOf(await answer)));
  const unchanged = turns.filter(({ parts }, i) => isDeepStrictEqual(parts, given[i])).length;
  return `${unchanged} of ${turns.length}`;
}

/** What the requests of the conversation say about the history. */
async function cellsOfConversation({ result, exchanges, script }) {
  assert.equal(result.message, undefined);
  const accepted = exchanges.filter(({ status }) => status === 200);
  const inConversation = ({ sent }) => answersBefore(JSON.parse(sent), steps) !== undefined;
  const turns = exchanges.filter(inConversation);
  const { sent } = turns.at(-1);
  const answers = script.answers.slice(0, -1).flat();
  const given = answers.flatMap(({ signature = [] }) => signature);
  const kept = given.filter((each) => sent.includes(each)).length;
  const code = (pattern) => `\`${pattern.exec(sent)[1]}\``;
  return [
    `${accepted.length} of ${exchanges.length}`,
    `${kept} of ${given.length}`,
    await unchangedTurns(sent, turns),
    code(/"args":(\{"city":"Paris"[^}]*\})/),
    code(/"response":(\{"\w+":)/).replace(/:`$/, ': …}`'),
  ];
}

/** What became of a scene that is one request. */
function outcomeOf({ result, exchanges }) {
  const [exchange] = exchanges;
  const warning = result.warnings > 0 ? ' with a warning' : '';
  if (!exchange) return `Not sent: \`${result.code}\``;
  const { status, sent } = exchange;
  const placeholder = sent.includes('skip_thought_signature_validator')
    ? ' with a placeholder'
    : '';
  return `Sent${placeholder}, ${status === 200 ? 'accepted' : `refused with ${status}`}${warning}`;
}

function assertNothingLost([accepted, signatures, turns, args]) {
  for (const cell of [accepted, signatures, turns]) assert.match(cell, /^(\d+) of \1$/);
  assert.equal(args, '`{"city":"Paris","days":3.0}`');
}

function caseOf(name, file) {
  return {
    name,
    async run(context) {
      const conversation = await runScene(context, file, 'conversation');
      const cells = await cellsOfConversation(conversation);
      if (name === ours) assertNothingLost(cells);
      for (const scene of ['temperature', 'unsigned', 'unknown'])
        cells.push(outcomeOf(await runScene(context, file, scene)));
      return cells;
    },
  };
}

const rows = [
  'Requests that the emulator accepts',
  'Signatures that come back in the last request',
  "The model's turns in it, with the Parts that the model gave",
  'Arguments in it, where the model wrote `{"city":"Paris","days":3.0}` and the schema has a default',
  'A result of a tool',
  'A temperature of 9',
  'A call without its signature',
  'An unknown name in `providerOptions`',
];

/** @type {import('./run-part.mjs').Part} */
export default {
  title: 'Providers',
  about:
    `One program with \`ai\` ${versions.ai}, run with \`${theirs}\` ${versions[theirs]} and with \`${ours}\` by changing the import: ` +
    '`streamText` with two steps of two parallel calls, a second turn with an image, `generateObject` with an image, ' +
    'a third turn. The emulator as a server checks signatures; a scripted model behind it signs calls and texts.',
  head: ['What', `\`${theirs}\``, `\`${ours}\``],
  cases: [caseOf(theirs, program), caseOf(ours, 'ours.mjs')],
  sumRows: ([first, second]) => rows.map((row, i) => [row, first.cells[i], second.cells[i]]),
  page: 'docs/next-and-react.md',
  prepare,
};
