// Parses and checks the bodies, headers and queries of requests to threads.
import type { ContentInput, Json, MediaPart, PartInput } from '../index.js';
import { checkShape, defaultValues } from '../gateway/body.js';
import { parseExact } from '../sdk/internal/json-text.js';
import * as must from '../sdk/internal/options.js';
import { StrataError } from '../sdk/internal/errors.js';
import { HttpError } from '../server/body.js';

/** A function of the caller: a `FunctionDeclaration` of the API. */
export interface CallerTool {
  name: string;
  description?: string;
  /** The arguments in the API's schema dialect. */
  parameters?: object;
  /** The arguments as JSON Schema. */
  parametersJsonSchema?: object;
}

/** The body of `POST /threads`. */
interface CreateBody {
  /** The name of a configuration of the deployment. Default: its default. */
  configuration?: string;
  /** Functions that the caller runs. */
  tools?: CallerTool[];
  /** A saved thread, or a history in any form that `Strata.thread` takes. */
  from?: string | object;
}

/** The body of `POST /threads/{id}/messages`. */
export interface MessageBody {
  /** A text, Parts, or a user Content. '' resumes a turn that awaits an answer. */
  message: string | PartInput[] | ContentInput;
}

/** The result of one call of a caller's tool: what the model receives, with media, or an error message for it. */
export type CallResult =
  | { callId: string; response: Json; parts?: MediaPart[]; error?: undefined }
  | { callId: string; error: string };

/** The body of `POST /threads/{id}/results`. */
interface ResultsBody {
  results: CallResult[];
}

/** The body of `POST /threads/{id}/fork`. */
interface ForkBody {
  /** The number of turns to copy. Default: all. */
  turns?: number;
  /** The configuration of the new thread. Default: that of the thread. */
  configuration?: string;
}

/** The body of `POST /threads/{id}/abort`. */
interface AbortBody {
  /** The number of the send to abort. Default: all that have not ended. */
  send?: number;
}

/** The body of `POST /threads/{id}/rewind`. */
interface RewindBody {
  /** The number of turns to keep. */
  turns: number;
}

const maxTools = 128;
const maxResults = 128;

// As Gemini checks names of functions.
const isToolName: must.Check = (value, path) => {
  if (typeof value === 'string' && /^[A-Za-z_][\w.:-]{0,63}$/.test(value)) return;
  throw must.invalidOption(
    path,
    'a function name: a letter or an underscore, then up to 63 of A-Z a-z 0-9 _ . : -',
  );
};

const toolShape: must.Shape<CallerTool> = {
  name: must.required(isToolName),
  description: must.optional(must.string),
  parameters: must.optional(must.object),
  parametersJsonSchema: must.optional(must.object),
};

const isTool: must.Check = (value, path) => {
  must.checkOptions(value, toolShape, path);
  const { parameters, parametersJsonSchema } = value as CallerTool;
  if (parameters && parametersJsonSchema)
    throw must.invalidOption(`${path}/parametersJsonSchema`, 'omitted, because parameters is set');
};

/** Accepts an array of up to `most` elements that pass `check`. */
const listOf =
  (check: must.Check, most: number): must.Check =>
  (value, path) => {
    must.arrayOf(must.unchecked)(value, path);
    if ((value as unknown[]).length > most)
      throw must.invalidOption(path, `an array of at most ${most} elements`);
    must.arrayOf(check)(value, path);
  };

const isTools: must.Check = (value, path) => {
  listOf(isTool, maxTools)(value, path);
  const names = (value as CallerTool[]).map(({ name }) => name);
  const repeated = names.findIndex((name, index) => names.indexOf(name) < index);
  if (repeated >= 0)
    throw must.invalidOption(`${path}/${repeated}/name`, 'a name that no other tool has');
};

const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const isFrom: must.Check = (value, path) => {
  // The values of a text are not those of the body.
  if (isText(value))
    return checkShape(new TextEncoder().encode(String(value)), { values: defaultValues });
  if (value === undefined || isObject(value)) return;
  throw must.invalidOption(path, 'a saved thread as text, an array of Contents, or a history');
};

const isPart: must.Check = (value, path) => {
  must.object(value, path);
};

const isParts: must.Check = (value, path) => {
  must.arrayOf(isPart)(value, path);
  if ((value as unknown[]).length === 0)
    throw must.invalidOption(path, 'an array with at least one Part');
};

function checkContent(value: object, path: string): void {
  const { role = 'user', parts } = value as { role?: unknown; parts?: unknown };
  if (role !== 'user') throw must.invalidOption(`${path}/role`, '"user"');
  isParts(parts, `${path}/parts`);
}

const isMessage: must.Check = (value, path) => {
  if (isText(value)) return;
  if (Array.isArray(value)) return isParts(value, path);
  if (!isObject(value)) throw must.invalidOption(path, 'a text, an array of Parts, or a Content');
  checkContent(value as object, path);
};

const callIdForm = /^\d{1,9}(?:\.\d{1,9}){2}$/;

const isCallId: must.Check = (value, path) => {
  if (typeof value === 'string' && callIdForm.test(value)) return;
  throw must.invalidOption(path, 'the callId of an open call, such as "1.1.0"');
};

const isResult: must.Check = (value, path) => {
  const shape = {
    callId: must.required(isCallId),
    response: must.unchecked,
    parts: must.optional(isParts),
    error: must.optional(must.string),
  };
  must.checkOptions(value, shape, path);
  const { response, parts, error } = value as { [name in keyof typeof shape]?: unknown };
  if ((response === undefined) === (error === undefined))
    throw must.invalidOption(path, 'an object with either response or error');
  if (error !== undefined && parts !== undefined)
    throw must.invalidOption(`${path}/parts`, 'omitted, because error is set');
};

const isResults: must.Check = (value, path) => {
  listOf(isResult, maxResults)(value, path);
  const ids = (value as CallResult[]).map(({ callId }) => callId);
  if (ids.length === 0) throw must.invalidOption(path, 'an array with at least one result');
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (repeated >= 0)
    throw must.invalidOption(`${path}/${repeated}/callId`, 'a callId that no other result has');
};

const createShape: must.Shape<CreateBody> = {
  configuration: must.optional(must.nonEmptyString),
  tools: must.optional(isTools),
  from: isFrom,
};
const messageShape: must.Shape<MessageBody> = { message: must.required(isMessage) };
const resultsShape: must.Shape<ResultsBody> = { results: must.required(isResults) };
const forkShape: must.Shape<ForkBody> = {
  turns: must.optional(must.count),
  configuration: must.optional(must.nonEmptyString),
};
const abortShape: must.Shape<AbortBody> = { send: must.optional(must.count) };
const rewindShape: must.Shape<RewindBody> = { turns: must.required(must.count) };

// 16 digits, or an exponent of three: shorter numbers always fit.
const maybeInexact = /[\d.]{16}|e.?\d{3}/i;

function parseJson(text: string): unknown {
  // A request without a body has no fields.
  if (text === '') return {};
  try {
    return maybeInexact.test(text) ? parseExact(text) : JSON.parse(text);
  } catch {
    throw new HttpError(400, 'json.invalid', 'The body is not JSON.');
  }
}

// What is an option in code is a field of a body.
const bodyMessage = ({ message }: StrataError): string =>
  message
    .replace(/^The options/, 'The body')
    .replace(
      / is not an option\. (Options: )?/,
      (_, all) => ` is not a field. ${all ? 'Fields: ' : ''}`,
    );

// An error of a check is the caller's fault here, not one of the deployment.
function asBadRequest(error: unknown): unknown {
  if (!(error instanceof StrataError)) return error;
  return new HttpError(400, error.code, bodyMessage(error));
}

function parserOf<Body>(shape: must.Shape<Body>): (text: string) => Body {
  return (text) => {
    const value = parseJson(text);
    try {
      must.checkOptions(value, shape);
    } catch (error) {
      throw asBadRequest(error);
    }
    return value as Body;
  };
}

/** Parses the body of `POST /threads`. @throws HttpError with the status 400 */
export const parseCreate = parserOf(createShape);

/** Parses the body of `POST /threads/{id}/messages`. @throws HttpError with the status 400 */
export const parseMessage = parserOf(messageShape);

/** Parses the body of `POST /threads/{id}/results`. @throws HttpError with the status 400 */
export const parseResults = parserOf(resultsShape);

/** Parses the body of `POST /threads/{id}/fork`. @throws HttpError with the status 400 */
export const parseFork = parserOf(forkShape);

/** Parses the body of `POST /threads/{id}/rewind`. @throws HttpError with the status 400 */
export const parseRewind = parserOf(rewindShape);

/** Parses the body of `POST /threads/{id}/abort`. @throws HttpError with the status 400 */
export const parseAbort = parserOf(abortShape);

/**
 * Returns the idempotency key of a send or of a new thread; undefined without one.
 *
 * @throws HttpError with the status 400 if it is not 1 to 200 visible ASCII characters
 */
export function idempotencyKeyOf({ headers }: Request): string | undefined {
  const key = headers.get('idempotency-key');
  if (key === null) return undefined;
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key;
  const message = 'Idempotency-Key must have 1 to 200 visible ASCII characters and no space.';
  throw new HttpError(400, 'idempotency.invalid', message);
}

/**
 * Returns whether a message is to be refused while a send waits for results: `?waiting=refuse`. By default it waits, too.
 *
 * @throws HttpError with the status 400
 */
export function refusesWaiting({ url }: Request): boolean {
  const waiting = new URL(url).searchParams.get('waiting');
  if (waiting !== null && waiting !== 'refuse') throw invalidQuery('waiting', '"refuse"');
  return waiting !== null;
}

/** Returns whether the caller wants 202 instead of the events: `prefer: respond-async`. */
export const wantsAsync = ({ headers }: Request): boolean =>
  /(?:^|,)\s*respond-async\s*(?:[,;]|$)/i.test(headers.get('prefer') ?? '');

/** Which turns of a thread to read. */
interface TurnsQuery {
  /** The number of turns that the caller has. */
  after: number;
  /** At most this many turns. Default: as many as one page takes. */
  limit?: number;
}

/** Which events of a thread to read. */
interface EventsQuery {
  /** The id of the last event that the caller has. Its form is not checked. */
  after?: string;
  /** Only the events of this send. */
  send?: number;
  /** Whether the stream ends with the send. */
  untilEnd: boolean;
}

const invalidQuery = (name: string, expected: string) =>
  new HttpError(400, 'query.invalid', `?${name}= must be ${expected}.`);

function countOf(query: URLSearchParams, name: string, least: number): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const number = Number(text);
  if (/^\d{1,15}$/.test(text) && number >= least) return number;
  throw invalidQuery(name, `a whole number from ${least} on`);
}

/** Returns which turns a request asks for. @throws HttpError with the status 400 */
export function turnsQueryOf({ url }: Request): TurnsQuery {
  const query = new URL(url).searchParams;
  const limit = countOf(query, 'limit', 1);
  return { after: countOf(query, 'after', 0) ?? 0, ...(limit !== undefined && { limit }) };
}

/** Returns which events a request asks for. `Last-Event-ID` goes before `?after=`. @throws HttpError with the status 400 */
export function eventsQueryOf({ url, headers }: Request): EventsQuery {
  const query = new URL(url).searchParams;
  const after = headers.get('last-event-id') || query.get('after') || undefined;
  const send = countOf(query, 'send', 0);
  const until = query.get('until');
  if (until !== null && until !== 'end') throw invalidQuery('until', '"end"');
  return {
    ...(after !== undefined && { after }),
    ...(send !== undefined && { send }),
    untilEnd: until === 'end',
  };
}
