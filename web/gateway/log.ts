// Writes one line of JSON for each request, and keeps the last ones: ids, codes and numbers, never a text, a key or a
// query.

/** What a line says about one request. Codes and names only; texts of callers have no field. */
export interface LogEntry {
  /** The id that the response has as `x-strata-request-id`. */
  id: string;
  /** The id of the caller; absent before it is known. */
  caller?: string;
  method: string;
  /** The name of the route, never the path. */
  route: string;
  model?: string;
  status: number;
  /** The status of the upstream, if it answered. */
  upstream?: number;
  ms: number;
  /** The code of the refusal or failure. */
  error?: string;
  findings?: readonly string[];
  repaired?: readonly string[];
  restored?: number;
  removed?: number;
  placeholder?: number;
  inputTokens?: number;
  cachedTokens?: number;
  outputTokens?: number;
}

/** What was logged about a request, with its time. */
export type LoggedRequest = LogEntry & { time: string };

/** Writes log lines. */
export interface Log {
  write(entry: LogEntry): void;
  /** The last requests, the newest first, without those for health and metrics. */
  readonly recent: readonly LoggedRequest[];
}

/** How many requests are kept. */
const maxRecent = 50;

// Codes, ids and names of routes and models. A text of a caller that reaches a field does not look like this.
const isName = (value: unknown): boolean =>
  typeof value === 'string' && /^[\w.:@+/-]{1,128}$/.test(value);

// A model's name comes from the caller, who may have put a key or a text in its place.
const isModel = (name: string): boolean =>
  /^(?:gemini|gemma|imagen|learnlm|veo|lyria|(?:text-)?embedding)-[\w.-]{1,60}$/.test(name);

const maxCodes = 20;

function safeValue(name: keyof LogEntry, value: unknown): unknown {
  if (name === 'model') return isModel(String(value)) ? value : '?';
  if (typeof value === 'number') return Math.round(value * 1000) / 1000;
  if (Array.isArray(value)) return value.filter(isName).slice(0, maxCodes);
  return isName(value) ? value : '?';
}

const fields = [
  'id',
  'caller',
  'method',
  'route',
  'model',
  'status',
  'upstream',
  'ms',
  'error',
  'findings',
  'repaired',
  'restored',
  'removed',
  'placeholder',
  'inputTokens',
  'cachedTokens',
  'outputTokens',
] as const satisfies readonly (keyof LogEntry)[];

// The entry with nothing but what may be logged.
function safeEntry(entry: LogEntry): LogEntry {
  const known = fields.filter((name) => entry[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, safeValue(name, entry[name])])) as never;
}

/**
 * Creates a log. `write` receives each line without a line feed; undefined: no line is written. What `write` throws is
 * ignored: a full disk must not end requests.
 */
export function createLog(write: ((line: string) => void) | undefined, now = Date.now): Log {
  let recent: readonly LoggedRequest[] = [];
  return {
    get recent() {
      return recent;
    },
    write(entry) {
      const line = { time: new Date(now()).toISOString(), ...safeEntry(entry) };
      if (entry.route !== 'metrics' && entry.route !== 'health')
        recent = [line, ...recent].slice(0, maxRecent);
      try {
        write?.(JSON.stringify(line));
      } catch {
        // Nobody can be told.
      }
    },
  };
}
