// Puts signatures that a client dropped back into the steps of a request, and leaves all other bytes as they are.
import { joinBytes, parseDocument } from '../sdk/internal/bytes.js';
import { dispose } from '../sdk/internal/lifetime.js';
import type { GatewayCore, GatewayRequest, SignatureEdit } from '../check/gateway-core.js';
import type { CallMemory } from './call-memory.js';

/** A step, as far as it is read. */
interface Step {
  type?: unknown;
  signature?: unknown;
}

/** Consecutive steps of the model: indexes in `input`, the last one included. */
interface StepRange {
  first: number;
  last: number;
}

/** A step as the client sent it. */
interface Original {
  start: number;
  end: number;
  bytes: Uint8Array;
  step: Step;
}

/** A request as one of generateContent, by which the memory knows it. Dispose it. */
export interface ConvertedRequest {
  given: GatewayRequest;
  bytes: Uint8Array;
}

const encoder = new TextEncoder();

const listOf = <Shape>(value: unknown): Shape[] =>
  Array.isArray(value) ? value.map((each) => Object(each) as Shape) : [];

/** Whether the last part of a Content is only the signature of what is still to come. */
export function endsWithSignature(content: Uint8Array): boolean {
  const { parts } = Object(parseDocument(content)) as { parts?: unknown };
  return listOf<{ text?: unknown }>(parts).at(-1)?.text === '';
}

/** Returns the request as the memory knows it; undefined for a body that is none. */
export function convertedRequest(
  core: GatewayCore,
  model: string,
  body: Uint8Array,
  maxValues: number,
): ConvertedRequest | undefined {
  const { body: bytes } = core.convert(body, { to: 'generateContent', model });
  return bytes.length === 0 ? undefined : { given: core.request(bytes, maxValues), bytes };
}

/** A body with restored signatures. */
interface RestoredBody {
  body: Uint8Array;
  restored: number;
}

/**
 * Returns the body with the signatures that the memory knows and the client dropped. Only turns that lack one are
 * written anew: their thoughts, and no other step. `input` is that of the body.
 */
export async function restoreSteps(
  core: GatewayCore,
  memory: CallMemory,
  converted: ConvertedRequest,
  { body, model, input }: { body: Uint8Array; model: string; input: unknown },
): Promise<RestoredBody> {
  const unchanged = { body, restored: 0 };
  const known = await memory.restore(converted.given);
  const set = known?.edits.filter(({ signature }) => signature !== undefined) ?? [];
  if (!known || set.length === 0) return unchanged;
  const turns = turnsOf(listOf<Step>(input));
  const indexes = modelContents(converted.bytes);
  // Steps that generateContent does not have may be a turn of their own.
  if (turns.length !== indexes.length) return unchanged;
  const changed = new Set(set.map(({ content }) => content));
  const edits = known.edits.filter(({ content }) => changed.has(content));
  const contents = editedContents(converted, edits, model);
  const rewritten = turns
    .map((turn, place) => ({ ...turn, index: indexes[place] ?? -1 }))
    .filter(({ index }) => changed.has(index));
  const originals = originalsOf(core, body, rewritten);
  if (!originals) return unchanged;
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { first, last, index } of rewritten) {
    const steps = originals.splice(0, last - first + 1);
    const content: unknown = contents[index];
    const written = core.convert([Object(content) as object], { to: 'interactions', model });
    pieces.push(
      body.subarray(at, steps[0]?.start),
      ...woven(listOf(parseDocument(written.body)), steps),
    );
    at = steps.at(-1)?.end ?? at;
  }
  return { body: joinBytes([...pieces, body.subarray(at)]), restored: set.length };
}

function turnsOf(steps: readonly Step[]): StepRange[] {
  const turns: StepRange[] = [];
  steps.forEach(({ type }, index) => {
    if (type === 'user_input' || type === 'function_result') return;
    const turn = turns.at(-1);
    if (turn?.last === index - 1) turn.last = index;
    else turns.push({ first: index, last: index });
  });
  return turns;
}

/** Returns the steps of turns as they stand in the body; undefined if they are not found, as with `input` twice. */
function originalsOf(
  core: GatewayCore,
  body: Uint8Array,
  turns: readonly StepRange[],
): Original[] | undefined {
  const pointers = turns.flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, offset) => `/input/${first + offset}`),
  );
  const originals = core.locate(body, pointers).map(({ start, end }) => {
    const bytes = body.subarray(start, end);
    return { start, end, bytes, step: Object(parseDocument(bytes)) as Step };
  });
  const isStep = ({ step: { type } }: Original) =>
    typeof type === 'string' && type !== 'user_input' && type !== 'function_result';
  return originals.every(isStep) ? originals : undefined;
}

const contentsIn = (bytes: Uint8Array): { role?: unknown }[] =>
  listOf((Object(parseDocument(bytes)) as { contents?: unknown }).contents);

const modelContents = (bytes: Uint8Array): number[] =>
  contentsIn(bytes).flatMap(({ role }, index) => (role === 'model' ? [index] : []));

function editedContents(
  { given, bytes }: ConvertedRequest,
  edits: readonly SignatureEdit[],
  model: string,
): object[] {
  return contentsIn(given.prepare({ model, edits }).body ?? bytes);
}

/** Returns the steps of a turn: the thoughts of `written`, between the other steps as the client sent them. */
function woven(written: readonly Step[], originals: readonly Original[]): Uint8Array[] {
  const isThought = ({ type }: Step) => type === 'thought';
  const others = originals.filter(({ step }) => !isThought(step));
  const places = written.filter((step) => !isThought(step));
  const fits =
    places.length === others.length &&
    places.every(({ type }, index) => type === others[index]?.step.type);
  const textOf = (step: Step) => encoder.encode(JSON.stringify(step));
  let next = 0;
  const bytes = fits
    ? written.map((step) =>
        isThought(step) ? textOf(step) : (others[next++]?.bytes ?? textOf(step)),
      )
    : [...written.filter(isThought).slice(0, 1).map(textOf), ...signed(originals)];
  const comma = encoder.encode(',');
  return bytes.flatMap((each, index) => (index === 0 ? [each] : [comma, each]));
}

// A turn with steps that generateContent does not have keeps all but thoughts that nothing signs.
const signed = (originals: readonly Original[]): Uint8Array[] =>
  originals
    .filter(({ step: { type, signature } }) => type !== 'thought' || Boolean(signature))
    .map(({ bytes }) => bytes);

/** Releases a converted request. */
export function release(converted: ConvertedRequest | undefined): void {
  converted?.given[dispose]();
}
