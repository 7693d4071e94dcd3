// Takes out of events and stored threads what is the deployment's own: request bodies and the texts of
// manifests. Sizes and fingerprints stay.
import type { ConversationEvent, Manifest, Thread } from '../index.js';
import { showsRequests, type Env } from './env.js';
import { hidden, upstreamMessage, visibleDiagnostic, type ErrorBody } from './error-body.js';

/**
 * An event of a send. `failed` tells why a send broke off. The last one is `saved` with the thread, or `kept`
 * with the number of turns where the Worker stores the thread itself.
 */
export type ChatEvent =
  | ConversationEvent
  | { type: 'failed'; error: ErrorBody }
  | { type: 'saved'; thread: string }
  | { type: 'kept'; turns: number };

/** What a caller gets: a `request` has its body only with SHOW_REQUESTS. */
export type VisibleEvent = ChatEvent | { type: 'request'; manifest: Manifest };

// Named one by one: what a later version adds stays hidden until someone looks at it.
function withoutTexts(manifest: Manifest, env: Env): Manifest {
  const { version, compiler, model, fingerprints, layers, stablePrefixBytes } = manifest;
  const { decision, key } = manifest.cache;
  return {
    ...{ version, compiler, model, fingerprints, layers, stablePrefixBytes },
    pieces: manifest.pieces,
    // Their names are the deployment's; the layers have the sizes.
    sections: [],
    cache: { decision, key, reason: hidden },
    diagnostics: manifest.diagnostics.map((diagnostic) => visibleDiagnostic(diagnostic, env)),
  };
}

/** The event as callers of this deployment may see it. */
export function visibleEvent(event: ChatEvent, env: Env): VisibleEvent {
  if (showsRequests(env)) return event;
  switch (event.type) {
    case 'request':
      return { type: 'request', manifest: withoutTexts(event.manifest, env) };
    case 'diagnostics': {
      const diagnostics = event.diagnostics.map((found) => visibleDiagnostic(found, env));
      return { type: 'diagnostics', diagnostics };
    }
    case 'error': {
      const message = upstreamMessage('api.', event.error.message, env);
      return { type: 'error', error: { ...event.error, message } };
    }
    case 'fault':
      return { ...event, message: upstreamMessage(event.code, event.message, env) };
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

/** The thread as `Thread.save` writes it, with the manifests that callers may see. */
export function visibleThread(thread: Thread, env: Env): string {
  const saved = new TextDecoder('utf-8', { ignoreBOM: true }).decode(thread.save());
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
  // The Content keeps its bytes: it is never written anew.
  const bytes = new TextDecoder('utf-8', { ignoreBOM: true }).decode(thread.content(index));
  return `${head.slice(0, -1)},"content":${bytes}}`;
}
