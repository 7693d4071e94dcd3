// Generates the published traces for the cache simulation. A trace lists the requests of a conversation: the time, the
// number of tokens, and how many of them are cacheable. Traces are seeded and identical on every machine.

/** The models with known prices, in the order in which traces use them. */
const models = [
  'gemini-3.8-flash',
  'gemini-2.5-flash',
  'gemini-3.1-pro',
  'gemini-2.5-pro',
  'gemini-3.6-flash',
  'gemini-3.5-flash-lite',
];

// How often a repeated prefix hits the implicit cache of the service: from never (1 of 138 was measured for one model)
// to almost always.
const implicitRates = [0, 0.05, 0.5, 0.85];
const implicitSeconds = 300;
const dynamicTokens = 120;
const answerSeconds = 2;
const tracesPerKind = 12;

/** Returns a generator of numbers from 0 to 1 that is determined by the seed (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const between = (next, low, high) => Math.round(low + next() * (high - low));
const times = (count, make) => Array.from({ length: count }, (_, i) => make(i));

const chatTurn = (next, wait) => ({
  wait,
  user: between(next, 20, 300),
  steps: [],
  answer: between(next, 100, 800),
});

const step = (next) => ({
  wait: between(next, 1, 10),
  call: between(next, 60, 250),
  result: between(next, 200, 3000),
});

const agentTurn = (next) => ({
  wait: between(next, 40, 400),
  user: between(next, 30, 600),
  answer: between(next, 100, 600),
  steps: times(between(next, 8, 40), () => step(next)),
});

function switching(next, model, n) {
  const other = models[(models.indexOf(model) + 1 + (n % 4)) % models.length];
  let current = model;
  let remaining = between(next, 3, 10);
  return () => {
    if (remaining-- === 0) {
      current = current === model ? other : model;
      remaining = between(next, 3, 10);
    }
    return { ...chatTurn(next, between(next, 20, 150)), model: current };
  };
}

const makers = {
  'short chat': (next) => ({
    fixed: between(next, 1500, 9000),
    turns: times(between(next, 2, 6), () => chatTurn(next, between(next, 20, 150))),
  }),
  'long chat': (next) => ({
    fixed: between(next, 3000, 12_000),
    turns: times(between(next, 40, 120), () => chatTurn(next, between(next, 20, 200))),
  }),
  'quick agent': (next) => ({
    fixed: between(next, 6000, 20_000),
    turns: times(between(next, 3, 8), () => agentTurn(next)),
  }),
  'sparse use': (next) => ({
    fixed: between(next, 5000, 40_000),
    turns: times(between(next, 6, 20), () => chatTurn(next, between(next, 1800, 20_000))),
  }),
  bursts: (next) => ({
    fixed: between(next, 5000, 20_000),
    turns: times(between(next, 4, 8), () =>
      times(between(next, 5, 12), (i) =>
        chatTurn(next, i === 0 ? between(next, 3600, 30_000) : between(next, 10, 60)),
      ),
    ).flat(),
  }),
  'model switches': (next, model, n) => ({
    fixed: between(next, 5000, 15_000),
    turns: times(between(next, 30, 70), switching(next, model, n)),
  }),
};

/** The kinds of traces, in the order of the table. */
export const kinds = Object.keys(makers);

/**
 * Returns the requests of a conversation. The history can only be split before the newest answered turn: a cache can
 * contain all turns before the current one after its first answer, and one turn less before that.
 */
export function requestsOf({ model, rate, fixed, turns, seed, placement }) {
  const next = random(seed * 7919 + 17);
  const before = new Map();
  const requests = [];
  let at = 0;
  let history = 0;
  let cut = 0;
  for (const turn of turns) {
    at += turn.wait;
    let inTurn = turn.user;
    const name = turn.model ?? model;
    const rounds = [{ wait: 0 }, ...turn.steps];
    rounds.forEach(({ wait }, round) => {
      at += wait;
      const last = before.get(name);
      const hit = next() < rate && last !== undefined && at - last.at < implicitSeconds;
      const shared =
        placement === 'before-current-turn' ? Math.min(history, last?.history ?? 0) : 0;
      requests.push({
        at,
        // A message, not a further round of tools.
        opens: round === 0,
        model: name,
        prompt: fixed + dynamicTokens + history + inTurn,
        fixed,
        cacheable: fixed + cut,
        implicit: hit ? fixed + shared : 0,
      });
      before.set(name, { at, history });
      at += answerSeconds;
      cut = history;
      const { call = turn.answer, result = 0 } = turn.steps[round] ?? {};
      inTurn += call + result;
    });
    history += inTurn;
  }
  return requests;
}

/**
 * Returns the published set: twelve traces of each kind.
 * @param {'after-static' | 'before-current-turn'} placement of the dynamic text; before all history, two requests
 *   share only the static text
 */
export function traces(placement = 'after-static') {
  return kinds.flatMap((kind, k) =>
    times(tracesPerKind, (n) => {
      const seed = k * 100 + n + 1;
      const model = models[n % models.length];
      const rate = implicitRates[(n + Math.floor(n / 6)) % implicitRates.length];
      const shape = makers[kind](random(seed), model, n);
      const requests = requestsOf({ ...shape, model, rate, seed, placement });
      return { name: `${kind} ${n + 1}`, kind, model, rate, requests };
    }),
  );
}

/** Returns a random trace, for bounds that must also hold outside the published set. */
export function randomTrace(seed) {
  const next = random(seed);
  const tokens = 10 ** (1 + next() * 3);
  const seconds = 10 ** (next() * 4.5);
  const rate = implicitRates[Math.floor(next() * implicitRates.length)];
  const turns = times(1 + Math.floor(next() ** 2 * 60), () => ({
    wait: next() * seconds * (next() < 0.1 ? 30 : 1),
    user: Math.round(next() * tokens),
    answer: Math.round(next() * tokens),
    steps: times(next() < 0.3 ? Math.floor(next() * 20) : 0, () => ({
      ...step(next),
      result: Math.round(next() * tokens),
    })),
  }));
  const model = models[Math.floor(next() * models.length)];
  const fixed = Math.round(10 ** (2.5 + next() * 2.3));
  const placement = seed % 2 === 0 ? 'after-static' : 'before-current-turn';
  const requests = requestsOf({ model, rate, fixed, turns, seed, placement });
  return { name: `any ${seed}`, kind: 'any', model, rate, requests };
}
