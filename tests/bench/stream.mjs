// Measures reading an answer of 2,000 chunks into events and one Content, compared with splitting the same bytes into
// lines and JSON.parse.
import { interleave } from './measure.mjs';
import { chunkCount, reads } from './streamed-answer.mjs';
import { bytes, ms, times } from '../support/table.mjs';

function assemble(strata, pieces) {
  const response = strata.response();
  let events = 0;
  for (const piece of pieces) events += response.push(piece).length;
  const { content } = response.finish();
  response[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
  return { events, content };
}

// Does what simple clients do: split lines, parse objects, and concatenate the text.
function splitAndParse(pieces) {
  const decoder = new TextDecoder();
  let rest = '';
  let text = '';
  for (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\r\n');
    rest = lines.pop();
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      for (const part of JSON.parse(line.slice(6)).candidates[0].content.parts) text += part.text;
    }
  }
  return text;
}

/** @param {object} pkg the package */
export async function run(pkg) {
  const strata = await pkg.load();
  const pieces = reads();
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const { parts } = JSON.parse(new TextDecoder().decode(assemble(strata, pieces).content));
  if (parts.length !== 1 || parts[0].text !== splitAndParse(pieces))
    throw new Error('the texts differ');
  const { assembled, parsed } = interleave(
    { assembled: () => assemble(strata, pieces), parsed: () => splitAndParse(pieces) },
    { rounds: 60 },
  );
  return {
    title: 'Reading a streamed answer',
    about:
      `Reads ${chunkCount.toLocaleString('en-US')} chunks in ${pieces.length} reads ` +
      'with `response().push` and `finish`, which check every byte, return events, and build one ' +
      'Content from the original bytes. This is compared with splitting at line ends and ' +
      '`JSON.parse`, which keeps the text only.',
    head: ['chunks', 'bytes', 'response', 'split + JSON.parse', 'ratio'],
    rows: [
      [
        ...[chunkCount.toLocaleString('en-US'), bytes(size)],
        ...[ms(assembled), ms(parsed), times(assembled / parsed)],
      ],
    ],
    verdicts: [
      {
        ok: assembled <= 2 * parsed,
        text: `${times(assembled / parsed)} the time of splitting and JSON.parse, at most 2`,
      },
    ],
  };
}
