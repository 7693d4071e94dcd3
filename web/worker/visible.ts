// Removes the deployment's private data from events and threads: request bodies, texts of manifests and messages of
// the API. Sizes and fingerprints remain.
import type { ConversationEvent, Manifest, Thread } from '../index.js';
import { decodeUtf8 } from '../sdk/base/utf8.js';
import { showsRequests, type Env } from './env.js';
import { hidden, upstreamMessage, visibleDiagnostic, type ErrorBody } from './error-body.js';

/**
 * An event of a send. `failed` holds the error that ended the send. The last event is `saved` with the thread
 * (`/chat`) or `stored` with the number of turns of the stored thread (`/chat/<name>`).
 */
export type ChatEvent =
  | ConversationEvent
  | { type: 'failed'; error: ErrorBody }
  | { type: 'saved'; thread: string }
  | { type: 'stored'; turns: number };

/** An event as a caller receives it. A `request` has its body only with SHOW_REQUESTS. */
export type VisibleEvent = ChatEvent | { type: 'request'; manifest: Manifest };

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

/** Returns the event as callers of this deployment may see it. */
export function visibleEvent(event: ChatEvent, env: Env): VisibleEvent {
  if (showsRequests(env)) return event;
  switch (event.type) {
    case 'request':
      return { type: 'request', manifest: withoutTexts(event.manifest, env) };
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
    default:
      return event;
  }
}

/** Returns the thread as `Thread.save` writes it, with manifests that callers may see. */
export function visibleThread(thread: Thread, env: Env): string {
  const saved = decodeUtf8(thread.save());
  if (showsRequests(env)) return saved;
  const lines = saved.split('\n').slice(0, -1);
  return lines.map((line, index) => `${visibleLine(line, index, thread, env)}\n`).join('');
}

function visibleLine(line: string, index: number, thread: Thread, env: Env): string {
  const { content, ...turn } = JSON.parse(line);
  if (!turn.meta?.manifest) return line;
  turn.meta.manifest = withoutTexts(turn.meta.manifest, env);
  const head = JSON.stringify(turn);
  if (content === undefined) return head;
  // The bytes of the Content are copied, because serializing it again could change them.
  const bytes = decodeUtf8(thread.content(index));
  return `${head.slice(0, -1)},"content":${bytes}}`;
}
