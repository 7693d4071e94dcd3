// Why this file exists: the calls under cachedContents, with what the API refuses there.
import { showCache } from './caches.js';
import { expirationOf } from './expiration.js';
import type { Context } from './context.js';
import { cacheQuotaExceeded, invalidArgument, modelNotFound, refusal } from './errors.js';
import { isServed } from './models.js';
import { modelOf, readContents } from './prompt.js';
import type { Route } from './routes.js';
import { Meter } from './tokens.js';
import type { JsonObject } from './types.js';
import { field, textField } from './wire.js';

const longestDisplayName = 128;
const largestPage = 1000;
const defaultPage = 100;

/** What a cache holds, and what else its body may say. */
const held = ['systemInstruction', 'tools', 'toolConfig', 'contents'];
const known = new Set(
  [...held, 'model', 'name', 'displayName', 'ttl', 'expireTime'].flatMap((name) => [
    name,
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ]),
);

/** Answers one call, or throws a Failure. */
export function cachedContents(
  context: Context,
  route: Route & { kind: 'caches' },
  body: JsonObject,
): JsonObject {
  const { caches } = context;
  const now = context.now();
  switch (route.action) {
    case 'create':
      return create(context, route.version, body, now);
    case 'list':
      return list(context, route.query, now);
    case 'get':
      return showCache(caches.get(route.id, now));
    case 'patch':
      return patch(context, route, body, now);
    case 'delete':
      caches.remove(route.id, now);
      return {};
  }
}

function create(context: Context, version: string, body: JsonObject, now: number): JsonObject {
  const unknown = Object.keys(body).find((name) => !known.has(name));
  if (unknown !== undefined) throw unknownField(unknown);
  const model = modelOf(body);
  if (!model)
    throw invalidArgument('* CreateCachedContentRequest.model: unexpected model name format');
  if (!isServed(model)) throw modelNotFound(model, version, 'createCachedContent');
  const displayName = textField(body, 'displayName') ?? '';
  if ([...displayName].length > longestDisplayName) {
    throw invalidArgument(`display_name is longer than ${longestDisplayName} characters.`);
  }
  const expires = expirationOf(body, now) ?? now + 3600_000;
  const contents = hold(body);
  const tokens = new Meter(context.strata, model).input(contents);
  checkHeld(context, model, contents, tokens);
  if (context.options.freeTier) throw cacheQuotaExceeded(model, tokens);
  const times = { created: now, updated: now, expires };
  return showCache(context.caches.add({ model, body: contents, tokens, displayName, ...times }));
}

function unknownField(name: string) {
  return invalidArgument(
    `Invalid JSON payload received. Unknown name "${name}" at 'cached_content': Cannot find field.`,
  );
}

function hold(body: JsonObject): JsonObject {
  const entries = held.map((name) => [name, field(body, name)] as const);
  return Object.fromEntries(entries.filter((entry) => entry[1] !== undefined)) as JsonObject;
}

/** The rules of a request hold for what is cached, and those of caches. Contents may be absent. */
function checkHeld(context: Context, model: string, body: JsonObject, tokens: number): void {
  const { strata, backend } = context;
  const contents = body['contents'] ?? [];
  const hasContents = Array.isArray(contents) && contents.length > 0;
  const plain = { role: 'user', parts: [{ text: 'Go on.' }] };
  const request = hasContents ? body : { ...body, contents: [plain] };
  const failure = refusal(strata.lint(request, { model, backend }));
  if (failure) throw failure;
  checkEnd(body);
  const use = { cachedContent: 'cachedContents/new', contents: [plain] };
  const unfit = refusal(strata.lint(use, { model, backend, cache: { model, tokens } }));
  if (unfit) throw unfit;
}

/** What is cached ends with a user's turn, neither a model's nor results of tools. */
function checkEnd(body: JsonObject): void {
  const last = readContents(body).at(-1);
  if (last?.role === 'model') {
    throw invalidArgument('Requests ending with a model turn are not supported.');
  }
  if (last?.parts.some((part) => field(part, 'functionResponse') !== undefined)) {
    throw invalidArgument('Request contains an invalid argument.');
  }
}

function list(context: Context, query: URLSearchParams, now: number): JsonObject {
  const asked = Number(query.get('pageSize') ?? 0) || defaultPage;
  const pageSize = Math.min(Math.max(1, Math.floor(asked)), largestPage);
  const from = Number(query.get('pageToken') ?? 0);
  if (!Number.isInteger(from) || from < 0) throw invalidArgument('Invalid page token.');
  const { caches, next } = context.caches.list(now, pageSize, from);
  return {
    ...(caches.length > 0 && { cachedContents: caches.map(showCache) }),
    ...(next !== undefined && { nextPageToken: String(next) }),
  };
}

/** Only the expiration can be changed, with or without `updateMask`. */
function patch(
  context: Context,
  route: { id: string; query: URLSearchParams },
  body: JsonObject,
  now: number,
): JsonObject {
  const cache = context.caches.get(route.id, now);
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
  return showCache(cache);
}
