// Lists the operations of a thread.
import { unknownThread } from '../thread-id.js';
import { abort, rewind } from './change-thread.js';
import { isCreated } from './create-thread.js';
import { fork } from './fork-thread.js';
import type { Operation } from './operation.js';
import { messages } from './post-message.js';
import { results } from './post-results.js';
import { events } from './read-events.js';
import { exported, turns } from './read-thread.js';

type Operate = (operation: Operation) => Promise<Response>;

/** The operations by name. `create` and `delete` are those of the object. */
export const operations: { readonly [name: string]: Operate } = {
  state: ({ live }) => live.stateResponse(),
  created: async ({ live, call }) => {
    if (!isCreated(live, call)) throw unknownThread();
    return live.stateResponse();
  },
  ...{ turns, messages, events, results, abort, fork, rewind },
  export: exported,
};
