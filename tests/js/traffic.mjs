// Reads the recorded exchanges with the API, which are not part of the project, and chains those that are the steps
// of one tool loop.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { missingFrom, sharedPath } from '../support/shared-folder.mjs';

export const skip = missingFrom('recorded traffic', 'traffic', 'exchanges.jsonl.gz');

/** The exchanges, in their order. */
export const exchanges = skip
  ? []
  : gunzipSync(readFileSync(sharedPath('traffic', 'exchanges.jsonl.gz')))
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Returns the parsed request; undefined if the recorder shortened it, or if there is none. */
export const requestOf = ({ request }) => (request ? parsed(request) : undefined);

const asList = (value) => (value === undefined || value === null ? [] : [value].flat());
const either = (object, camelCase) =>
  object?.[camelCase] ?? object?.[camelCase.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)];

/** Returns the Contents of a request, and the Parts of a Content, single objects as lists. */
export const contentsOf = (request) => asList(request?.contents);
export const partsOf = (content) => asList(content?.parts);
export const callOf = (part) => either(part, 'functionCall');
export const resultOf = (part) => either(part, 'functionResponse');

/** Returns the names of the functions that a request declares. */
export const functionsOf = (request) =>
  asList(request?.tools)
    .flatMap((tool) => asList(either(tool, 'functionDeclarations')))
    .map(({ name }) => name);

/** Returns the responses of an answer as objects: one, or the chunks of a stream. */
export function responsesOf({ response = '' }) {
  const whole = parsed(response);
  if (whole !== undefined) return [whole].flat();
  const events = response.split(/\r?\n\r?\n/).filter((event) => event.startsWith('data:'));
  return events.map((event) => parsed(event.slice('data:'.length))).filter(Boolean);
}

/** Returns the Parts of an answer. */
export const answerParts = (exchange) =>
  responsesOf(exchange).flatMap(({ candidates }) => partsOf(candidates?.[0]?.content));

/** The name under which a model was served: an alias counts as the model that answered. */
export function servedAs(exchange) {
  const { model } = exchange;
  if (!/-latest$/.test(model ?? '')) return model;
  return responsesOf(exchange).find(({ modelVersion }) => modelVersion)?.modelVersion ?? model;
}

// Times at which these models were served under their own names; later they were routed to others.
const times = [
  [/^gemini-(1|2\.0)/, '2025-06-15T00:00:00Z'],
  [/^gemini-2\.5/, '2026-05-15T00:00:00Z'],
  [/^gemini-3(-|\.1|\.5)/, '2026-09-15T00:00:00Z'],
];

/** Returns when an exchange is judged. */
export const judgedAt = (exchange) =>
  times.find(([model]) => model.test(servedAs(exchange) ?? ''))?.[1] ?? '2026-10-01T00:00:00Z';

const digest = (content) =>
  JSON.stringify([
    content.role ?? 'user',
    partsOf(content).map(
      (part) => callOf(part)?.name ?? resultOf(part)?.name ?? part.text ?? Object.keys(part),
    ),
  ]);

const isBefore = (before, after) =>
  before.length < after.length &&
  before.every((content, i) => digest(content) === digest(after[i]));

/** Returns the exchange of `others` that answers the calls of `exchange`, the nearest one. */
function nextOf(exchange, others) {
  const before = contentsOf(requestOf(exchange));
  const following = others.filter((other) => {
    const after = contentsOf(requestOf(other));
    return isBefore(before, after) && after.slice(before.length).some(holdsResults);
  });
  const length = (other) => contentsOf(requestOf(other)).length;
  return following.sort((a, b) => length(a) - length(b))[0];
}

const holdsResults = (content) => partsOf(content).some(resultOf);

/** Returns the recorded tool loops: lists of exchanges, each of which sends the results of the one before. */
export function toolLoops() {
  const places = new Map();
  for (const exchange of exchanges) {
    if (exchange.status !== 200 || !/generate/i.test(exchange.kind)) continue;
    const { source, path, model, backend } = exchange;
    const place = JSON.stringify([source, path, model, backend]);
    places.set(place, [...(places.get(place) ?? []), exchange]);
  }
  const loops = [];
  for (const place of places.values()) {
    const next = new Map(
      place
        .filter((exchange) => answerParts(exchange).some(callOf))
        .map((exchange) => [exchange, nextOf(exchange, place)])
        .filter(([, following]) => following !== undefined),
    );
    const inner = new Set(next.values());
    for (const first of next.keys()) {
      if (inner.has(first)) continue;
      const loop = [first];
      while (next.has(loop.at(-1))) loop.push(next.get(loop.at(-1)));
      loops.push(loop);
    }
  }
  return loops;
}
