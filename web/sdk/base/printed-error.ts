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
  const { stack, message } = error;
  if (typeof stack !== 'string') return;
  const end = stack.indexOf('\n', stack.indexOf(message) + message.length);
  if (end < 0) return;
  const frames = withoutOwnFrames(stack.slice(end + 1).split('\n')).slice(0, limit);
  // A class sets its name after its base class has run.
  const get = () => [`${error.name}: ${message}`, ...frames].join('\n');
  const set = (value: unknown) =>
    Object.defineProperty(error, 'stack', { value, writable: true, configurable: true });
  Object.defineProperty(error, 'stack', { get, set, configurable: true });
}

/** Makes properties invisible to console.log and JSON.stringify. They can be read as before. */
export function hide<Value extends object>(value: Value, ...names: (keyof Value)[]): void {
  for (const name of names) Object.defineProperty(value, name, { enumerable: false });
}
