// Serves files.get, files.list and files.delete.
import type { Context } from './context.js';
import { toFileResource } from './file-store.js';
import { pageOf } from './pages.js';
import type { Route } from '../server/match-route.js';
import type { JsonObject } from './types.js';

/**
 * Serves one request of the Files API. A file that is processed is in its final state from the second question on.
 *
 * @throws Failure
 */
export function files(
  { files: store, now }: Context,
  route: Route & { kind: 'files' },
  origin: string,
): JsonObject {
  const time = now();
  if (route.action === 'delete') {
    store.remove(route.id, time);
    return {};
  }
  if (route.action === 'list') {
    const { entries, next } = pageOf(store.list(time), route.query, { default: 10, max: 100 });
    const resources = entries.map((file) => toFileResource(file, origin));
    return { ...(resources.length > 0 && { files: resources }), ...next };
  }
  const file = store.get(route.id, time);
  const resource = toFileResource(file, origin);
  if (file.state === 'PROCESSING') file.state = file.next;
  return resource;
}
