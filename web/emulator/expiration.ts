// Reads the expiration of a cache: `ttl` or `expireTime`, never both.
import { invalidArgument } from './errors.js';
import type { JsonObject } from './types.js';
import { field } from './wire.js';

const protobuf = 'type.googleapis.com/google.protobuf.';

// https://protobuf.dev/reference/protobuf/google.protobuf/#duration: about 10,000 years.
const maxSeconds = 315_576_000_000;

/**
 * Returns the expiration in milliseconds since the Unix epoch; undefined if the body sets none.
 *
 * @throws Failure if both fields are set, or one is malformed or in the past
 */
export function expirationOf(body: JsonObject, now: number): number | undefined {
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
