// Measures that appending a turn costs the same for every length of the conversation.
import { conversation, encode, model, next } from './conversation.mjs';
import { interleave } from './measure.mjs';
import { ms, times } from '../support/table.mjs';

const sizes = [10, 1000, 5000];
const mostTimes = 1.5;

function appendTo(strata, turns) {
  const thread = strata.thread({ model });
  for (const content of conversation(turns)) thread.append(encode(content));
  const turn = encode(next(turns));
  return () => {
    thread.append(turn);
    thread.rewind(turns);
  };
}

/** @param {object} pkg the package */
export async function run(pkg) {
  const strata = await pkg.load();
  const candidates = Object.fromEntries(
    sizes.map((turns) => [`${turns} turns`, appendTo(strata, turns)]),
  );
  const medians = interleave(candidates, { rounds: 100, repeat: 50 });
  const [short] = Object.values(medians);
  const [name, long] = Object.entries(medians).at(-1);
  return {
    title: 'Appending a turn',
    about:
      'Appends one Content of about 1.2 KB and removes it again, on threads of different length. ' +
      'Each append validates the Content from the last checkpoint and hashes it.',
    head: ['thread', 'append + rewind', 'ratio to 10 turns'],
    rows: Object.entries(medians).map(([size, time]) => [size, ms(time), times(time / short)]),
    verdicts: [
      {
        ok: long / short <= mostTimes,
        text: `${name}: ${times(long / short)} the time of the shortest thread, at most ${mostTimes}`,
      },
    ],
  };
}
