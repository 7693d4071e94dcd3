// Serves the Interactions API: create, with or without a stream, get, cancel and delete.
import { interactionModelNotFound, invalidArgument } from './errors.js';
import { applyStreamFault } from './faults.js';
import { answerTexts } from './generate.js';
import { supports } from './models.js';
import { asStrict, checkFiles } from './requests.js';
import { hasForeignSignature, sign } from './signatures.js';
import { currentStatus, outcomeOf, streamOf, toResource } from './steps.js';
import type { Context, Interaction, Outcome } from './stores.js';
import { bareModel, isObject, parseObject, SeededRandom } from './wire.js';
import type { Route } from '../server/match-route.js';
import type { JsonInput } from '../sdk/types/json.js';
import type { Fault, JsonObject } from './types.js';

/** A request with its parsed body. */
interface InteractionCall {
  route: Route & { kind: 'interactions' };
  bytes: Uint8Array;
  body: JsonObject;
  /** The number of this generation request, from 1. */
  index: number;
  fault: Fault | undefined;
}

/** The body of a response in parts, one for each event of a stream. */
interface Reply {
  frames: string[];
  isStream: boolean;
}

// Questions about one in the background, until it is done. A batch takes as many.
const questions = 2;

/**
 * Serves one request.
 *
 * @throws Failure; StrataError `field.invalid` if `respond` throws or returns no answer
 */
export async function interactions(context: Context, call: InteractionCall): Promise<Reply> {
  const { route, body, fault } = call;
  const { interactions: store } = context;
  switch (route.action) {
    case 'create': {
      const interaction = await create(context, call);
      const { steps, wait } = interaction;
      if (body['stream'] !== true) return whole(interaction, wait > 0 ? [] : steps, fault);
      interaction.wait = 0;
      const resumable = body['background'] === true;
      return { frames: streamOf(interaction, { resumable, fault }), isStream: true };
    }
    case 'get':
      return get(store.get(route.id), route.query);
    case 'cancel': {
      const interaction = store.get(route.id);
      if (currentStatus(interaction) !== 'in_progress')
        throw invalidArgument('Only an interaction in progress can be cancelled.');
      interaction.isCancelled = true;
      return whole(interaction, []);
    }
    case 'delete':
      store.remove(route.id);
      return { frames: ['{}\n'], isStream: false };
  }
}

function whole(interaction: Interaction, steps: JsonObject[], fault?: Fault): Reply {
  const text = `${JSON.stringify(toResource(interaction, steps), null, 2)}\n`;
  return { frames: applyStreamFault([text], fault), isStream: false };
}

function get(interaction: Interaction, query: URLSearchParams): Reply {
  if (query.get('stream') === 'true') {
    interaction.wait = 0;
    const after = query.get('last_event_id') ?? '';
    return { frames: streamOf(interaction, { resumable: true, after }), isStream: true };
  }
  interaction.wait = Math.max(0, interaction.wait - 1);
  const isDone = interaction.wait === 0 && !interaction.isCancelled;
  return whole(interaction, [...interaction.input, ...(isDone ? interaction.steps : [])]);
}

async function create(context: Context, call: InteractionCall): Promise<Interaction> {
  const { route, bytes, body } = call;
  const { model, agent, previous_interaction_id: previous, store, background } = body;
  // An agent answers as the newest model does.
  const name = typeof model === 'string' ? bareModel(model) : 'gemini-flash-latest';
  if (!supports(context, name, 'interactions')) throw interactionModelNotFound(name);
  const { version } = route.place;
  checkBody(context, version, name, body, bytes.length === 0 ? body : bytes);
  const before = typeof previous === 'string' ? historyOf(context.interactions.get(previous)) : [];
  const input = stepsOf(body['input']);
  const request = statelessOf(body, name, [...before, ...input]);
  if (before.length > 0) checkBody(context, version, name, request, request);
  const by: JsonObject = typeof agent === 'string' ? { agent } : { model: name };
  const interaction = {
    ...(await answer(context, call, name, request)),
    by,
    previous: typeof previous === 'string' ? previous : undefined,
    ...{ before, input, created: context.now(), isCancelled: false },
    wait: background === true ? questions : 0,
  };
  return store === false ? { ...interaction, id: '' } : context.interactions.add(interaction);
}

/** Applies the rules of the catalog and, with `checkSignatures`, checks the signatures. */
function checkBody(
  { checker, service, options }: Context,
  version: string,
  model: string,
  body: JsonObject,
  source: JsonInput,
): void {
  const apiVersion = version === 'v1' ? 'v1' : 'v1beta';
  const report = checker.lint(source, { ...service, model, wire: 'interactions', apiVersion });
  const diagnostics = report.diagnostics.map((diagnostic) => asStrict(diagnostic, options));
  // Where Google's words are not known, the catalogue's say what is wrong: there are no details to say it in.
  const refused = diagnostics.find(({ severity }) => severity === 'error');
  if (refused) throw invalidArgument(refused.upstream ?? refused.message);
  if (!options.checkSignatures) return;
  const signed = stepsOf(body['input']).map(({ signature = '' }) => ({
    thoughtSignature: signature,
  }));
  if (hasForeignSignature(signed.filter(({ thoughtSignature }) => thoughtSignature !== '')))
    throw invalidArgument('Request contains an invalid argument.');
}

/**
 * Returns all steps of an interaction and of those before it.
 *
 * @throws Failure for one that has no answer
 */
function historyOf(interaction: Interaction): JsonObject[] {
  const status = currentStatus(interaction);
  if (/^(?:in_progress|failed|cancelled)$/.test(status))
    throw invalidArgument(`The previous interaction is not completed: its status is ${status}.`);
  return [...interaction.before, ...interaction.input, ...interaction.steps];
}

const contentTypes = ['text', 'image', 'audio', 'video', 'document'];
const isContent = ({ type }: JsonObject): boolean => contentTypes.some((each) => each === type);

/** Returns the steps of an input, which may be a text or Content of the user as well. */
function stepsOf(input: unknown): JsonObject[] {
  if (typeof input === 'string')
    return [{ type: 'user_input', content: [{ type: 'text', text: input }] }];
  const listed = (Array.isArray(input) ? input : [input]).filter(isObject);
  return listed.some(isContent) ? [{ type: 'user_input', content: listed }] : listed;
}

/** Returns the request of a model with the whole history. */
function statelessOf(body: JsonObject, model: string, input: JsonObject[]): JsonObject {
  const { agent: _, agent_config: __, background: ___, ...request } = body;
  delete request['previous_interaction_id'];
  return { ...request, model, input };
}

/** Answers as generateContent does, whose request and response are converted. */
async function answer(
  context: Context,
  { body: { stream }, index, fault }: InteractionCall,
  model: string,
  request: JsonObject,
): Promise<Outcome> {
  const { body: bytes } = context.checker.convert(request, { to: 'generateContent', model });
  const body = parseObject(bytes) ?? {};
  checkFiles(context, body);
  const generation = { route: { model, stream: stream === true }, body, index, fault };
  const [text = '{}'] = await answerTexts(context, generation, undefined, false);
  const random = new SeededRandom(JSON.stringify([context.seed, model, body]));
  const signature = fault?.kind === 'unsigned' ? undefined : sign(random);
  return outcomeOf(context, model, JSON.parse(text) as JsonObject, signature);
}
