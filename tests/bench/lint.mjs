// Measures lint of a whole request, compared with only parsing it.
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
  if (!ok) throw new Error(`lint rejects the measured body: ${JSON.stringify(diagnostics[0])}`);
  const { linted, parsed } = interleave(
    {
      linted: () => strata.lint(body, { model }),
      parsed: () => JSON.parse(new TextDecoder().decode(body)),
    },
    { rounds: 100 },
  );
  return {
    title: 'Linting a request',
    about:
      'Lints a whole body: grammar, UTF-8, duplicate keys and every rule, including the copy of ' +
      'its bytes into WebAssembly. This is compared with `TextDecoder` and `JSON.parse` only.',
    head: ['turns', 'body', 'lint', 'decode + JSON.parse', 'ratio'],
    rows: [
      [
        ...[turns.toLocaleString('en-US'), bytes(body.length)],
        ...[ms(linted), ms(parsed), times(linted / parsed)],
      ],
    ],
    verdicts: [
      {
        ok: linted / parsed <= mostTimes,
        text: `${times(linted / parsed)} the time of decoding and parsing, at most ${mostTimes}`,
      },
    ],
  };
}
