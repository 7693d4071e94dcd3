// Reads the state of a thread from a response.
import type { Json } from '../sdk/types/json.js';
import { notUnderstood } from './remote-error.js';
import type { RemoteState } from './remote-state.js';

/**
 * Returns the state that a response holds.
 *
 * @throws RemoteError `answer.invalid` if it holds none
 */
export function stateIn(response: Json): RemoteState {
  const { id, turns } = Object(response);
  if (typeof id === 'string' && typeof turns === 'number') {
    return { openCalls: [], ...(response as object) } as unknown as RemoteState;
  }
  throw notUnderstood('The server at `url` answered without the state of a thread');
}
