// Assertions for the portable tests, which also run without node:assert: in workerd, Deno, and browsers.

/** @param {unknown} value */
function show(value) {
  if (value instanceof Uint8Array) return `bytes [${value}]`;
  return typeof value === 'string'
    ? JSON.stringify(value)
    : (JSON.stringify(value) ?? String(value));
}

function fail(message, found) {
  throw new Error(message === undefined ? found : `${message}: ${found}`);
}

export function ok(value, message) {
  if (!value) fail(message, `${show(value)} is not truthy`);
}

export function equal(actual, expected, message) {
  if (!Object.is(actual, expected)) fail(message, `${show(actual)} is not ${show(expected)}`);
}

function sameValue(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key], b[key]));
}

/** Compares prototypes and own enumerable values recursively; the order of keys does not matter. */
export function deepEqual(actual, expected, message) {
  if (!sameValue(actual, expected)) fail(message, `${show(actual)} is not ${show(expected)}`);
}

export function match(text, pattern, message) {
  if (!pattern.test(text)) fail(message, `${show(text)} does not match ${pattern}`);
}

function checkError(error, expected, message) {
  for (const [key, value] of Object.entries(expected)) {
    if (value instanceof RegExp) match(String(error[key]), value, message ?? key);
    else deepEqual(error[key], value, message ?? `${key} of ${error}`);
  }
  return error;
}

/** Calls `work` and returns the error it throws; its fields must match `expected`. */
export function throws(work, expected = {}, message) {
  let result;
  try {
    result = work();
  } catch (error) {
    return checkError(error, expected, message);
  }
  return fail(message, `nothing was thrown, the result is ${show(result)}`);
}

/** Awaits a promise or the result of a function, and returns the error it rejects with. */
export async function rejects(work, expected = {}, message) {
  let result;
  try {
    result = await (typeof work === 'function' ? work() : work);
  } catch (error) {
    return checkError(error, expected, message);
  }
  return fail(message, `nothing was thrown, the result is ${show(result)}`);
}
