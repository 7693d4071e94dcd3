// Reads the expiration of a cache: `ttl` or `expireTime`, never both.
import {
  invalidArgument,
  cacheQuotaExceeded,
  failureOf,
  modelNotFound,
  unknownField,
} from './errors.js';
import type { JsonObject } from './types.js';
import { field, pageOf, textField } from './wire.js';
import { toResource, type Context } from './stores.js';
import { reasonsNotServed, supports } from './models.js';
import { modelOf } from './request-fields.js';
import type { Place, Route } from '../server/match-route.js';
import { Meter } from './tokens.js';

const protobuf = 'type.googleapis.com/google.protobuf.';

// https://protobuf.dev/reference/protobuf/google.protobuf/#duration: about 10,000 years.
const maxSeconds = 315_576_000_000;

/**
 * Returns the expiration in milliseconds since the Unix epoch; undefined if the body sets none.
 *
 * @throws Failure if both fields are set, or one is malformed or in the past
 */
function expirationOf(body: JsonObject, now: number): number | undefined {
  const ttl = field(body, 'ttl');
  const expireTime = field(body, 'expireTime');
  if (ttl !== undefined && expireTime !== undefined) {
    throw invalidArgument(
      "Invalid value at 'cached_content' (oneof), oneof field 'expiration' is already set. " +
        "Cannot set 'expireTime'",
    );
  }
  if (ttl !== undefined) return now + readDuration(ttl);
  return expireTime === undefined ? undefined : readTime(expireTime, now);
}

function readDuration(ttl: unknown): number {
  const seconds = typeof ttl === 'string' ? /^(\d+(?:\.\d{1,9})?)s$/.exec(ttl)?.[1] : undefined;
  if (seconds === undefined) {
    throw invalidArgument(
      `Invalid value at 'cached_content.ttl' (${protobuf}Duration), Field 'ttl', ` +
        "Illegal duration format; duration must end with 's'",
    );
  }
  if (Number(seconds) > maxSeconds) {
    throw invalidArgument(
      `Invalid value at 'cached_content.ttl' (${protobuf}Duration), Field 'ttl', duration out of range`,
    );
  }
  if (Number(seconds) === 0) throw invalidArgument('Request contains an invalid argument.');
  return Number(seconds) * 1000;
}

function readTime(expireTime: unknown, now: number): number {
  const time = typeof expireTime === 'string' ? Date.parse(expireTime) : NaN;
  if (Number.isNaN(time)) {
    throw invalidArgument(
      `Invalid value at 'cached_content.expire_time' (${protobuf}Timestamp), Field 'expireTime', ` +
        'Invalid time format: Failed to parse input',
    );
  }
  if (time <= now) throw invalidArgument('Request contains an invalid argument.');
  return time;
}

const maxDisplayNameLength = 128;
const pageSizes = { default: 100, max: 1000 };

/** The fields that a CachedContent stores for its requests. */
const contentFields = ['systemInstruction', 'tools', 'toolConfig', 'contents'];
/** All accepted fields, in both spellings. */
const knownFields = new Set(
  [...contentFields, 'model', 'name', 'displayName', 'ttl', 'expireTime'].flatMap((name) => [
    name,
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ]),
);

/**
 * Serves one cachedContents request.
 *
 * @throws Failure
 */
export function cachedContents(
  context: Context,
  route: Route & { kind: 'caches' },
  body: JsonObject,
): JsonObject {
  const { caches, backend } = context;
  const { place } = route;
  const now = context.now();
  switch (route.action) {
    case 'create':
      return create(context, place, body, now);
    case 'list':
      return list(context, route, now);
    case 'get':
      return toResource(caches.get(route.id, now, backend), place);
    case 'patch':
      return patch(context, route, body, now);
    case 'delete':
      caches.remove(route.id, now, backend);
      return {};
  }
}

function create(context: Context, place: Place, body: JsonObject, now: number): JsonObject {
  const unknown = Object.keys(body).find((name) => !knownFields.has(name));
  if (unknown !== undefined) throw unknownField(unknown, 'cached_content');
  const model = modelOf(body);
  const isFull = textField(body, 'model')?.startsWith(`${place.parent}/publishers/google/`);
  if (!model || (place.parent !== '' && !isFull))
    throw invalidArgument('* CreateCachedContentRequest.model: unexpected model name format');
  if (!supports(context, model, 'createCachedContent'))
    throw modelNotFound(model, place, 'createCachedContent', reasonsNotServed(context, model));
  const displayName = textField(body, 'displayName') ?? '';
  if ([...displayName].length > maxDisplayNameLength) {
    throw invalidArgument(`display_name is longer than ${maxDisplayNameLength} characters.`);
  }
  const expires = expirationOf(body, now) ?? now + 3600_000;
  const contents = pickContentFields(body);
  const tokens = new Meter(context.checker, model).input(contents);
  checkContentFields(context, model, contents, tokens);
  if (context.options.freeTier) throw cacheQuotaExceeded(model, tokens);
  const times = { created: now, updated: now, expires };
  const cache = { model, body: contents, tokens, displayName, ...times };
  return toResource(context.caches.add(cache), place);
}

function pickContentFields(body: JsonObject): JsonObject {
  const entries = contentFields.map((name) => [name, field(body, name)] as const);
  return Object.fromEntries(entries.filter((entry) => entry[1] !== undefined)) as JsonObject;
}

/** Applies the rules of cachedContents.create, and those of a request that uses the cache. */
function checkContentFields(
  context: Context,
  model: string,
  body: JsonObject,
  tokens: number,
): void {
  const { checker, service } = context;
  const failure = failureOf(
    checker.lint({ ttl: '300s', ...body }, { model, ...service, wire: 'generateContent' }),
  );
  if (failure) throw failure;
  const use = {
    cachedContent: 'cachedContents/new',
    contents: [{ role: 'user', parts: [{ text: 'Go on.' }] }],
  };
  const useFailure = failureOf(checker.lint(use, { model, ...service, cache: { model, tokens } }));
  if (useFailure) throw useFailure;
}

function list(
  { caches }: Context,
  { query, place }: { query: URLSearchParams; place: Place },
  now: number,
): JsonObject {
  const { entries, next } = pageOf(caches.list(now), query, pageSizes);
  const cachedContents = entries.map((cache) => toResource(cache, place));
  return { ...(cachedContents.length > 0 && { cachedContents }), ...next };
}

/** Updates the expiration, the only field that can change, with or without `updateMask`. */
function patch(
  context: Context,
  route: { id: string; place: Place; query: URLSearchParams },
  body: JsonObject,
  now: number,
): JsonObject {
  const cache = context.caches.get(route.id, now, context.backend);
  const mask = (route.query.get('updateMask') ?? '').split(',').filter((name) => name !== '');
  const other = mask.find((name) => !['ttl', 'expireTime', 'expire_time'].includes(name));
  const expires = expirationOf(body, now);
  if (other !== undefined || expires === undefined) {
    throw invalidArgument(
      'Only the expiration (ttl or expire_time) of CachedContent can be updated.',
    );
  }
  cache.expires = expires;
  cache.updated = now;
  return toResource(cache, route.place);
}
