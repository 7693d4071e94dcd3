// Runs an input of src/catalogue/examples.json as its kind demands, and returns the diagnostics.
import { Conversation, GeminiClient, prepareRequest } from 'prompt-strata';
import { createEmulator } from 'prompt-strata/testing';
import { inputOf, model, now } from '../../src/catalogue/examples.mjs';

const encoded = (text) => new TextEncoder().encode(text);

/** Returns the options of a function with the model and the time of the examples as defaults. */
const targetOf = (options) => ({ model, now, ...options });

/** Returns the options of lint: those of repair without its own. */
export function lintOptions(options = {}) {
  const entries = Object.entries(options).filter(([name]) => name !== 'dummySignatures');
  return targetOf(Object.fromEntries(entries));
}

function turns({ strata }, contents, options) {
  const thread = strata.thread({ ...targetOf(options), policy: 'warn' });
  const found = contents.flatMap((content) => thread.append(content).diagnostics);
  const request = { now, static: { text: '' }, dynamic: { text: '' } };
  const { diagnostics } = thread.assemble(request);
  const isNew = ({ code }) => !found.some((before) => before.code === code);
  return [...found, ...diagnostics.filter(isNew)];
}

function imported({ strata, checker }, from, options) {
  const { model: name, backend, now: at, ...others } = targetOf(options);
  const target = { model: name, now: at, ...(backend && { backend }) };
  const { saved, diagnostics } = checker.import(from, { ...target, ...others });
  const thread = strata.thread({ ...target, from: saved, policy: 'warn' });
  return [...diagnostics, ...thread.report().diagnostics];
}

// Only prepareRequest and Conversation take the source of a template.
const hasSource = ({ static: one, dynamic: two }) =>
  [one, two].some((layer) => typeof layer?.template === 'string');

/** Assembles a request; `before` is the input of the one that was sent before it. */
async function assemble({ strata }, { turns: contents, before, ...input }, options) {
  const thread = strata.thread({ ...targetOf(options), from: contents });
  if (hasSource(input)) {
    const { trigger, ...sources } = input;
    return (await prepareRequest(thread, { now, ...sources, message: trigger })).diagnostics;
  }
  const previous = before && thread.assemble({ now, ...before }).manifest;
  return thread.assemble({ now, ...input, ...(before && { previous }) }).diagnostics;
}

/** Returns the finding for which the emulator refuses to create a cache. */
async function createCache({ checker }, body) {
  const client = new GeminiClient({
    fetch: createEmulator({ checker, now: () => now }),
    retry: false,
  });
  try {
    await client.caches.create(body);
    return [];
  } catch (error) {
    const [{ fieldViolations }] = error.details;
    return fieldViolations.map(({ description }) => ({
      code: description.split(':')[0],
      severity: 'error',
    }));
  }
}

/** Returns the code with which a Conversation refuses an answer. */
async function answer({ strata }, chunks, options) {
  const stream = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('');
  const fetch = async () => new Response(encoded(stream));
  const client = new GeminiClient({ fetch, retry: false });
  const settings = { model, ...options, answerRetry: false, now: () => now };
  const chat = new Conversation(strata, client, settings);
  try {
    for await (const event of chat.send('How is the sky?')) void event;
    return [];
  } catch ({ code }) {
    return [{ code, severity: 'error' }];
  }
}

const lint = ({ checker }, body, options) => checker.lint(body, lintOptions(options)).diagnostics;

const runners = {
  body: lint,
  interaction: lint,
  turns,
  import: imported,
  assemble,
  cache: createCache,
  prompt: ({ templates }, input) => templates.compile(input).manifest.diagnostics,
  arguments: ({ templates }, sources) => templates.promptArguments(sources).diagnostics,
  answer,
};

/**
 * Returns the diagnostics of an example. `engines` has `strata`, `templates` and `checker`.
 * @param {'failing' | 'fixed'} side
 */
export async function runExample(engines, { kind, options, fixedOptions, ...example }, side) {
  const own = side === 'fixed' ? { ...options, ...fixedOptions } : options;
  return runners[kind](engines, inputOf(example[side]), own);
}

/** Repairs an input of the kind `body`. */
export function repairExample(checker, { options }, input) {
  return checker.repair(inputOf(input), targetOf(options));
}
