// Why this file exists: what checking a whole request costs, against only reading it.
import { conversation, encode, fields, model, next } from './conversation.mjs';
import { interleave } from './measure.mjs';
import { bytes, ms, times } from './table.mjs';

const turns = 1000;
const mostTimes = 0.8;

/** @param {object} pkg the package */
export async function run(pkg) {
  const strata = await pkg.load();
  const body = encode({ ...fields, contents: [...conversation(turns), next(turns)] });
  const { ok, diagnostics } = strata.lint(body, { model });
  if (!ok) throw new Error(`lint refuses what is measured: ${JSON.stringify(diagnostics[0])}`);
  const { linted, parsed } = interleave(
    {
      linted: () => strata.lint(body, { model }),
      parsed: () => JSON.parse(new TextDecoder().decode(body)),
    },
    { rounds: 100 },
  );
  return {
    title: 'Checking a request',
    about:
      '`lint` of a whole body (grammar, UTF-8, duplicate keys, every rule), its bytes copied into ' +
      'WebAssembly, against `TextDecoder` and `JSON.parse` alone.',
    head: ['turns', 'body', 'lint', 'decode + JSON.parse', 'of that'],
    rows: [
      [
        ...[turns.toLocaleString('en-US'), bytes(body.length)],
        ...[ms(linted), ms(parsed), times(linted / parsed)],
      ],
    ],
    verdicts: [
      {
        ok: linted / parsed <= mostTimes,
        text: `${times(linted / parsed)} decoding and parsing, at most ${mostTimes}`,
      },
    ],
  };
}
