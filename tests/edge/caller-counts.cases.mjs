// Cases of what a caller's object counts, run inside a Durable Object: new threads a day, and claims to run sends.
import { CallerCounts, CallerObject } from '../../web/worker/caller-limits.ts';
import { deepEqual, equal, ok } from '../js/portable/assert.mjs';

const dayMs = 86_400_000;
const noon = 20_000 * dayMs + dayMs / 2;

/** Returns counts whose clock `clock.now` sets. */
function countsAt(storage, now = noon) {
  const clock = { now };
  return { clock, counts: new CallerCounts(storage, () => clock.now) };
}

const thread = (id, most) => ({ thread: id, most });
const claim = (thread, ms = 1000, most = 2) => ({ thread, ms, most });

export default [
  {
    name: 'counts new threads until midnight UTC, also in a new process',
    run(storage) {
      const { clock, counts } = countsAt(storage);
      deepEqual(counts.countThread(thread('a', 2)), {});
      deepEqual(countsAt(storage).counts.countThread(thread('b', 2)), {});
      deepEqual(counts.countThread(thread('c', 2)), { retryAfterMs: dayMs / 2 });
      clock.now = noon + dayMs / 2 - 1;
      deepEqual(counts.countThread(thread('c', 2)), { retryAfterMs: 1 });
      clock.now++;
      deepEqual(counts.countThread(thread('c', 2)), {});
      // A limit that was raised holds at once.
      deepEqual(counts.countThread(thread('d', 1)), { retryAfterMs: dayMs });
      deepEqual(counts.countThread(thread('d', 3)), {});
    },
  },
  {
    name: 'counts a thread once, and not one that was not created',
    run(storage) {
      const { counts } = countsAt(storage);
      for (let i = 0; i < 3; i++) deepEqual(counts.countThread(thread('a', 1)), {});
      deepEqual(counts.countThread(thread('b', 1)), { retryAfterMs: dayMs / 2 });
      counts.forgetThread('b');
      deepEqual(counts.countThread(thread('b', 1)), { retryAfterMs: dayMs / 2 });
      counts.forgetThread('a');
      counts.forgetThread('a');
      deepEqual(counts.countThread(thread('b', 1)), {});
      deepEqual(counts.countThread(thread('c', 1)), { retryAfterMs: dayMs / 2 });
    },
  },
  {
    name: 'claims are limited, extended, released, and end by themselves',
    run(storage) {
      const { clock, counts } = countsAt(storage);
      deepEqual(counts.claim(claim('a')), {});
      deepEqual(counts.claim(claim('b', 400)), {});
      deepEqual(counts.claim(claim('c')), { retryAfterMs: 400 });
      deepEqual(counts.claim(claim('a', 5000)), {});
      counts.release('unknown');
      counts.release('a');
      deepEqual(counts.claim(claim('c')), {});
      clock.now += 399;
      deepEqual(countsAt(storage, clock.now).counts.claim(claim('d')), { retryAfterMs: 1 });
      clock.now++;
      deepEqual(counts.claim(claim('d')), {});
    },
  },
  {
    name: 'a thread that has a claim keeps it, where the limit was lowered or exceeded',
    run(storage) {
      const { counts } = countsAt(storage);
      for (const thread of ['a', 'b', 'c'])
        deepEqual(counts.claim(claim(thread, 1000, Number.MAX_SAFE_INTEGER)), {});
      deepEqual(counts.claim(claim('a', 1000, 1)), {});
      deepEqual(counts.claim(claim('d', 1000, 3)), { retryAfterMs: 1000 });
    },
  },
  {
    name: 'the object answers the four requests',
    async run(storage) {
      const object = new CallerObject({ storage });
      const ask = async (operation, body) => {
        const init = { method: 'POST', body: JSON.stringify(body) };
        const response = await object.fetch(new Request(`https://caller/${operation}`, init));
        equal(response.status, 200);
        return response.json();
      };
      deepEqual(await ask('thread', thread('a', 1)), {});
      ok((await ask('thread', thread('b', 1))).retryAfterMs > 0);
      deepEqual(await ask('forget', { thread: 'a' }), {});
      deepEqual(await ask('thread', thread('b', 1)), {});
      deepEqual(await ask('claim', claim('a', 60_000, 1)), {});
      ok((await ask('claim', claim('b', 60_000, 1))).retryAfterMs > 0);
      deepEqual(await ask('release', { thread: 'a' }), {});
      deepEqual(await ask('claim', claim('b', 60_000, 1)), {});
    },
  },
];
