// Runs one use of a client twice, without and with the gateway, and compares what arrived with what the model gave.
import assert from 'node:assert/strict';
import { cliSteps, key, model, steps, texts } from './conversation.mjs';
import { compareSignatures, describeChanges } from './history.mjs';
import { recordRequests } from './recorder.mjs';
import { answersBefore, scriptModel } from './scripted-model.mjs';
import { describeStepChanges, essences } from './steps.mjs';

/**
 * One use of one client.
 * @typedef {object} Trial
 * @property {string} client the name of the module
 * @property {string} use
 * @property {(baseUrl: string) => Promise<{ answers?: string[], error?: string }>} run
 */

/**
 * What the trials need of the package.
 * @typedef {Pick<typeof import('prompt-strata/testing') & typeof import('prompt-strata/node'), 'createEmulator' | 'serve'> &
 *   Pick<typeof import('prompt-strata/gateway'), 'createGateway'>} Tools
 */

/** The calls of clients that have others: Gemini CLI its own tools, and the agents that Genkit asks none. */
const otherSteps = { 'gemini-cli': cliSteps, 'genkit-interactions': [] };

/** Starts the scripted model behind the rules of the emulator, as a server. */
export async function startModel({ createEmulator, serve }, client) {
  const script = await scriptModel(createEmulator, otherSteps[client] ?? steps, model);
  const emulator = createEmulator({ respond: script.respond, checkSignatures: true, apiKey: key });
  const { handler, ...recorded } = recordRequests(emulator);
  return { ...script, ...recorded, server: await serve(handler) };
}

/** Starts a gateway whose network leads to the model. */
export async function startGateway({ createGateway, serve }, modelUrl) {
  const upstream = (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(new URL(pathname + search, modelUrl), request));
  };
  const gateway = createGateway({ upstream, secret: 'of the trial' });
  const { handler, requests } = recordRequests((request) => gateway.handle(request));
  return { requests, server: await serve(handler) };
}

/** Whether Google has the history before a request. */
const isContinued = ({ previous_interaction_id: id }) => id !== undefined;

/** The requests of the conversation, each with the number of answers that it follows. */
export function conversationOf(requests, scriptSteps) {
  return requests
    .map((request, index) => {
      const { body } = request;
      return { ...request, given: isContinued(body) ? index : answersBefore(body, scriptSteps) };
    })
    .filter(({ given }) => given !== undefined);
}

/** The signed calls and texts that are not in a request at all, as the texts of JSON. */
const absentIn = (body, answers) =>
  compareSignatures(body, answers)
    .found.filter(({ state }) => state === 'absent')
    .map((each) => JSON.stringify(each));

/** Checks that a request has all that counts of the model's steps, unless Google has them. */
function checkSteps(body, answers, name) {
  if (isContinued(body)) return;
  const { given, sent } = essences(body, answers);
  assert.deepEqual(sent, given, name);
}

/**
 * Checks that each request that reached the model was accepted and has all real signatures, and no other: nobody can
 * sign what the client itself did not send.
 */
function checkArrived(sent, { requests, steps: scriptSteps, answers }, stepAnswers) {
  const arrived = conversationOf(requests, scriptSteps);
  const expected = Array.from({ length: scriptSteps.length + texts.length }, (_, i) => i);
  assert.deepEqual(
    arrived.map(({ given }) => given),
    expected,
    'the requests that arrived',
  );
  for (const { body, status, message, given } of arrived) {
    assert.equal(status, 200, `request ${given + 1}: ${message}`);
    if (body.input !== undefined) {
      checkSteps(body, stepAnswers.slice(0, given), `request ${given + 1}`);
      continue;
    }
    const before = answers.slice(0, given);
    const { found, foreign } = compareSignatures(body, before);
    const notSent = absentIn(sent[given].body, before);
    const wrong = found.filter(
      (each) => each.state !== 'kept' && !notSent.includes(JSON.stringify(each)),
    );
    assert.deepEqual(wrong, [], `request ${given + 1}`);
    assert.deepEqual(foreign, [], `request ${given + 1}: signatures that are not the model's`);
  }
}

/** What the client got without the gateway: whether all passed, or the first refusal. */
function outcomeOf(requests, result) {
  if (requests.some(({ path }) => path.endsWith('/chat/completions'))) return '–';
  const refused = requests.findIndex(({ status }) => status >= 400);
  if (refused < 0 && result.answers) return 'passes';
  if (refused < 0) throw new Error(`The client failed by itself: ${result.error}`);
  const { status, message } = requests[refused];
  return `request ${refused + 1}: ${status} ${message}`;
}

async function runWithout(tools, trial) {
  const script = await startModel(tools, trial.client);
  try {
    const result = await trial.run(script.server.url);
    const own = conversationOf(script.requests, script.steps);
    return outcomeOf(own.length > 0 ? own : script.requests, result);
  } finally {
    await script.server.close();
  }
}

/** What the client changes in the last request that has a history. */
function changesIn(sent, { answers }, stepAnswers) {
  const { body } = sent.at(-1);
  if (body.input === undefined) return describeChanges(body, answers.slice(0, -1));
  return isContinued(body) ? [] : describeStepChanges(body, stepAnswers.slice(0, -1));
}

async function runWith(tools, trial) {
  const script = await startModel(tools, trial.client);
  const gateway = await startGateway(tools, script.server.url);
  try {
    const { answers, error } = await trial.run(gateway.server.url);
    const refusals = gateway.requests
      .filter(({ status }) => status >= 400)
      .map(({ message }) => message);
    assert.equal(error, undefined, [...refusals, error].join('\n'));
    assert.deepEqual(answers, texts);
    const sent = gateway.requests.filter(
      ({ body }) =>
        body.messages ?? (isContinued(body) || answersBefore(body, script.steps) !== undefined),
    );
    const stepAnswers = await script.readAnswers();
    checkArrived(sent, script, stepAnswers);
    const placeholders = gateway.requests.map(({ headers }) => headers.get('x-strata-placeholder'));
    assert.ok(
      placeholders.every((count) => Number(count ?? 0) === 0),
      'no placeholder',
    );
    return changesIn(sent, script, stepAnswers);
  } finally {
    await gateway.server.close();
    await script.server.close();
  }
}

/**
 * Runs a trial. Returns what the client changes in the history, and what it gets without the gateway; with it, all
 * must pass.
 * @param {Tools} tools
 * @param {Trial} trial
 */
export async function runTrial(tools, trial) {
  const without = await runWithout(tools, trial);
  return { without, changes: await runWith(tools, trial) };
}
