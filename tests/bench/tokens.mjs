// Compares token estimates with the counts in recorded answers of the live API, before and after calibration. Nothing
// is timed.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { missingFrom, sharedPath } from '../support/shared-folder.mjs';

const folder = sharedPath('fixtures');
const model = 'gemini-3-pro-preview';

/** Returns the parts and the token count of a recorded answer at each chunk that reports a new count. */
function growthOf(file) {
  const text = readFileSync(join(folder, file), 'utf8');
  const chunks = (file.endsWith('.txt') ? text.trim().split('\n') : [text]).map((chunk) =>
    JSON.parse(chunk),
  );
  const parts = [];
  const grown = [];
  for (const { candidates, usageMetadata } of chunks) {
    parts.push(...(candidates?.[0]?.content?.parts ?? []));
    const counted = usageMetadata?.candidatesTokenCount;
    const visible = parts.filter((part) => !part.thought && part.text !== '');
    if (counted > 0 && visible.length > 0)
      grown.push({ counted, content: { role: 'model', parts: [...visible] } });
  }
  // Of chunks with the same count, only the last is used.
  return grown.filter(({ counted }, i) => counted !== grown[i + 1]?.counted);
}

const mean = (numbers) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;
const percent = (share) => `${(100 * share).toFixed(0)} %`;

function errorOf(strata, { content, counted }, calibration) {
  return Math.abs(strata.estimateTokens(content, { model, calibration }) - counted) / counted;
}

/** Estimates each recording with a calibration from the other recordings. */
function compare(strata, recordings) {
  return recordings.map(({ file, grown }) => {
    let calibration;
    for (const other of recordings.filter((one) => one.file !== file)) {
      for (const { content, counted } of other.grown) {
        calibration = strata.calibrate(content, counted, { model, calibration });
      }
    }
    return {
      file,
      before: grown.map((one) => errorOf(strata, one)),
      after: grown.map((one) => errorOf(strata, one, calibration)),
    };
  });
}

export async function run({ load }) {
  const title = 'Token estimates on recorded answers';
  const missing = missingFrom('recorded answers', 'fixtures');
  if (missing) return { title, about: `Skipped: ${missing}.` };
  const strata = await load();
  const files = readdirSync(folder).filter((file) => /^google-(?!429|stream-tool)/.test(file));
  const recordings = files.map((file) => ({ file, grown: growthOf(file) }));
  const compared = compare(strata, recordings);
  const rows = compared.map(({ file, before, after }) => [
    file.replace(/^google-|\.(chunks\.txt|json)$/g, ''),
    ...[String(before.length), percent(mean(before)), percent(mean(after))],
  ]);
  const before = mean(compared.flatMap((one) => one.before));
  const after = mean(compared.flatMap((one) => one.after));
  return {
    title,
    about:
      'The mean absolute error of the estimate, relative to `candidatesTokenCount`. Each ' +
      'recording is estimated after calibration with the others. Streams are measured at each ' +
      'chunk that contains a new count.',
    head: ['recording', 'counts', 'before calibration', 'after calibration'],
    rows: [
      ...rows,
      [
        'all',
        String(compared.flatMap((one) => one.before).length),
        percent(before),
        percent(after),
      ],
    ],
    verdicts: [
      {
        ok: after < before,
        text: `calibration reduces the error from ${percent(before)} to ${percent(after)}`,
      },
    ],
  };
}
