// Writes the events of a thread, and what callers see of them.
import type {
  ConversationEvent,
  ToolCall,
  Manifest,
  RequestEvent,
  Thread,
  ToolResponse,
} from '../index.js';
import { hidden, upstreamMessage, visibleDiagnostic, type ErrorBody } from './error-body.js';
import { parseExact } from '../sdk/internal/json-text.js';
import { decodeUtf8 } from '../sdk/internal/bytes.js';
import { showsRequests, type Env } from './env.js';

/** A call that waits for the result of a caller's tool. */
export interface OpenCall {
  /** `<send>.<index of the model turn>.<index of the call in it>`. */
  callId: string;
  name: string;
  args: ToolCall['args'];
}

/** What the events `toolCall` and `toolResult` have besides those of a conversation. */
interface CallPlace {
  callId: string;
  /** Who runs the tool: the deployment, or the caller, who posts the result. */
  runsAt: 'deployment' | 'caller';
}

type OwnType = 'toolCall' | 'toolResult' | 'waiting';

type WithPlace<Type extends OwnType> = Extract<ConversationEvent, { type: Type }> & CallPlace;

/** An event of a send. The first is `sent` or `resumed`, the last `stored` or `waiting`. */
export type ThreadEvent =
  | Exclude<ConversationEvent, { type: OwnType }>
  | WithPlace<'toolCall'>
  | WithPlace<'toolResult'>
  /** The send was accepted. */
  | { type: 'sent'; send: number; thread: string }
  /** The send continues after its process ended. Discard the text of the unfinished answer before this event. */
  | { type: 'resumed'; attempt: number }
  /** The send continues when these calls have results. */
  | { type: 'waiting'; calls: OpenCall[] }
  /** The error that ended the send. */
  | { type: 'failed'; error: ErrorBody }
  /** The send ended. The thread has this many turns. */
  | { type: 'stored'; turns: number };

/** An event as a caller receives it. A `request` has its body only with SHOW_REQUESTS. */
export type VisibleEvent = ThreadEvent | Omit<RequestEvent, 'body'>;

/** Returns whether callers may not see the results of the function with this name. */
type HidesResult = (name: string) => boolean;

/** What is visible: the settings of the deployment, and which results the thread's configuration hides. */
export interface Visibility {
  env: Env;
  hides: HidesResult;
  /** Returns whether the function with this name is the caller's. */
  isCallers: (name: string) => boolean;
}

// Copies fields by name, so that fields of later versions stay hidden until they are reviewed.
function withoutTexts(manifest: Manifest, env: Env): Manifest {
  const { version, compiler, model, fingerprints, layers } = manifest;
  const { stablePrefixBytes, stablePrefixTokens, promptTokens } = manifest;
  const { decision, key } = manifest.cache;
  return {
    ...{ version, compiler, model, fingerprints, layers },
    ...{ stablePrefixBytes, stablePrefixTokens, promptTokens },
    pieces: manifest.pieces,
    // The names of sections are private. `layers` has the sizes.
    sections: [],
    cache: { decision, key, reason: hidden },
    diagnostics: manifest.diagnostics.map((diagnostic) => visibleDiagnostic(diagnostic, env)),
  };
}

const hiddenResult = 'Hidden: hideToolResults is on';

const hiddenResponse = (response: ToolResponse): ToolResponse =>
  response.error === undefined ? { output: hiddenResult } : { error: hiddenResult };

/** Returns the event as callers of this deployment may see it. */
export function visibleEvent(event: ThreadEvent, visibility: Visibility): VisibleEvent {
  const { env, hides, isCallers } = visibility;
  if (showsRequests(env)) return event;
  switch (event.type) {
    case 'request': {
      const { type, purpose, model, manifest } = event;
      return { type, purpose, model, manifest: withoutTexts(manifest, env) };
    }
    case 'diagnostics': {
      const diagnostics = event.diagnostics.map((diagnostic) => visibleDiagnostic(diagnostic, env));
      return { type: 'diagnostics', diagnostics };
    }
    case 'error': {
      const message = upstreamMessage('api.', event.error.message, env);
      return { type: 'error', error: { ...event.error, message } };
    }
    case 'fault':
      return { ...event, message: upstreamMessage(event.code, event.message, env) };
    case 'fieldRefused':
      return { ...event, message: hidden };
    case 'compressionFailed':
      return { ...event, reason: hidden };
    case 'masked':
      return event.reason === undefined ? event : { ...event, reason: hidden };
    case 'cache':
      return event.action === 'refused' ? { ...event, reason: hidden } : event;
    case 'turn':
      return { ...event, content: visibleContent(event.content, hides) };
    // The words of a validator quote the schema.
    case 'invalidArguments': {
      if (isCallers(event.call.name)) return event;
      return { ...event, issues: event.issues.map(({ path }) => ({ path, message: hidden })) };
    }
    case 'toolResult':
      if (!hides(event.call.name)) return event;
      return { ...event, response: hiddenResponse(event.response) };
    default:
      return event;
  }
}

/** A Part as far as results are hidden in it. */
interface ResponsePart {
  functionResponse?: { name?: unknown; response?: unknown; parts?: unknown };
}

function withoutResult(part: ResponsePart, hides: HidesResult): ResponsePart {
  const { functionResponse } = part;
  if (!functionResponse || !hides(String(functionResponse.name))) return part;
  const { parts, ...others } = functionResponse;
  void parts;
  return { ...part, functionResponse: { ...others, response: { output: hiddenResult } } };
}

// Content without hidden results keeps its bytes, because serializing it again could change them.
function visibleText(content: string, hides: HidesResult): string {
  if (!content.includes('functionResponse')) return content;
  const parsed = parseExact(content) as { parts?: ResponsePart[] };
  const parts = parsed.parts?.map((part) => withoutResult(part, hides));
  const isSame = parts?.every((part, index) => part === parsed.parts?.[index]) ?? true;
  return isSame ? content : JSON.stringify({ ...parsed, parts });
}

function visibleContent(content: Uint8Array, hides: HidesResult): Uint8Array {
  const text = decodeUtf8(content);
  const visible = visibleText(text, hides);
  return visible === text ? content : new TextEncoder().encode(visible);
}

/** Returns the thread as `Thread.save` writes it, with what callers may see. */
export const visibleThread = (thread: Thread, visibility: Visibility): string =>
  visibleLines(decodeUtf8(thread.save()), visibility);

/** Returns lines of a saved thread with what callers may see. The last line ends with a line feed, like all. */
export function visibleLines(saved: string, visibility: Visibility): string {
  if (showsRequests(visibility.env)) return saved;
  const lines = saved.split('\n').slice(0, -1);
  return lines.map((line) => `${visibleLine(line, visibility)}\n`).join('');
}

/** A line of a saved thread about a call of the last turn: that it has started, or its result. */
interface SavedRecord {
  index: number;
  result?: ToolResponse;
}

/** Returns the line of a record with what callers may see. `calls` are the open calls of the thread. */
export function visibleRecord(
  line: string,
  calls: readonly ToolCall[],
  { env, hides }: Visibility,
): string {
  const record = parseExact(line) as SavedRecord;
  const { index, result } = record;
  if (showsRequests(env) || !result || !hides(calls[index]?.name ?? '')) return line;
  return JSON.stringify({ ...record, result: hiddenResponse(result) });
}

/** The line of one turn of a saved thread. `contentText` holds Contents that have line feeds. */
interface SavedLine {
  meta?: { manifest?: Manifest };
  content?: unknown;
  contentText?: string;
}

function visibleLine(line: string, { env, hides }: Visibility): string {
  const { content, contentText, ...turn }: SavedLine = JSON.parse(line);
  const manifest = turn.meta?.manifest;
  if (turn.meta && manifest) turn.meta.manifest = withoutTexts(manifest, env);
  const head = JSON.stringify(turn).slice(0, -1);
  if (contentText !== undefined) {
    const text = visibleText(contentText, hides);
    if (!manifest && text === contentText) return line;
    return `${head},"contentText":${JSON.stringify(text)}}`;
  }
  if (content === undefined) return line;
  const bytes = contentOf(line);
  const visible = visibleText(bytes, hides);
  if (!manifest && visible === bytes) return line;
  return `${head},"content":${visible}}`;
}

// Returns the text of the member `content`, which is the last one of a line.
function contentOf(line: string): string {
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/g;
  let depth = 0;
  for (const { 0: token, index } of line.matchAll(tokens)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (depth === 1 && token === '"content"' && line[index + token.length] === ':')
      return line.slice(index + token.length + 1, -1);
  }
  return '';
}
