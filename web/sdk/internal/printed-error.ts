// Keeps what a runtime prints of an uncaught error short: the caller's frames and the properties that fit a line.

interface V8Error {
  captureStackTrace?(error: object, above: unknown): void;
  stackTraceLimit?: number;
}

// With source maps, the code is in web/.
const isOwnFrame = (line: string) => /[/\\]prompt-strata[/\\](dist|web)[/\\]/.test(line);

// Leaves the last of the leading frames of this package: the function that the caller called.
function withoutOwnFrames(frames: string[]): string[] {
  const first = frames.findIndex((frame) => !isOwnFrame(frame));
  return first < 0 ? frames : frames.slice(Math.max(0, first - 1));
}

/** Returns the lines of a stack after the message; none if the runtime writes stacks in another form. */
function framesOf({ stack, message }: Error): string[] {
  if (typeof stack !== 'string') return [];
  const end = stack.indexOf('\n', stack.indexOf(message) + message.length);
  return end < 0 ? [] : stack.slice(end + 1).split('\n');
}

function setFrames(error: Error, frames: readonly string[]): void {
  // A class sets its name after its base class has run.
  const get = () => [`${error.name}: ${error.message}`, ...frames].join('\n');
  const set = (value: unknown) =>
    Object.defineProperty(error, 'stack', { value, writable: true, configurable: true });
  Object.defineProperty(error, 'stack', { get, set, configurable: true });
}

/**
 * Removes the frames inside of this package from the stack of a new error, where the runtime allows it. In a bundle,
 * they cannot be told from the caller's.
 */
export function shortenStack(error: Error, above: unknown): void {
  const v8 = Error as ErrorConstructor & V8Error;
  const limit = v8.stackTraceLimit;
  if (!v8.captureStackTrace || !limit) return;
  // The caller's frame is not among the first ten, if it is far away.
  Reflect.set(v8, 'stackTraceLimit', Math.max(limit, 50));
  v8.captureStackTrace(error, above);
  Reflect.set(v8, 'stackTraceLimit', limit);
  const frames = framesOf(error);
  if (frames.length > 0) setFrames(error, withoutOwnFrames(frames).slice(0, limit));
}

/**
 * Gives an error that was thrown while nobody waited for it the frames of the call that led to it. `call` is an error
 * that was created in that call.
 */
export function showCaller(error: Error, call: Error): void {
  const calling = framesOf(call);
  const isAnonymous = framesOf(error).every(isOwnFrame);
  if (isAnonymous && !calling.every(isOwnFrame)) setFrames(error, withoutOwnFrames(calling));
}

/** Makes properties invisible to console.log and JSON.stringify. They can be read as before. */
export function hide<Value extends object>(value: Value, ...names: (keyof Value)[]): void {
  for (const name of names) Object.defineProperty(value, name, { enumerable: false });
}

const isUnset = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && !value.length);

/** Hides the properties that hold nothing. */
export function hideUnset<Value extends object>(value: Value): void {
  const names = Object.keys(value) as (keyof Value)[];
  hide(value, ...names.filter((name) => isUnset(value[name])));
}
