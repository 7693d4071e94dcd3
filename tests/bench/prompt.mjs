// Measures compiling a prompt, compared with computing the hashes of its manifest.
import { interleave } from './measure.mjs';
import { bytes, ms, times } from '../support/table.mjs';

const limit = 1.5;
const encode = (text) => new TextEncoder().encode(text);

/** Returns `count` sections with `chars` characters in total; the last third is dynamic. */
function prompt(count, chars, letter) {
  const line = `Section text with "quotes", a tab\t and ${letter} now and then.\n`;
  const each = Math.floor(chars / count);
  const text = line.repeat(Math.ceil(each / line.length)).slice(0, each);
  const stability = (i) => (i < (count * 2) / 3 ? 'stable' : 'dynamic');
  const sections = Array.from({ length: count }, (_, i) => ({
    ...{ id: `section_${i}`, stability: stability(i), text },
  }));
  return { sections };
}

// Returns the bytes of all texts with a fingerprint in the manifest: each section, both halves, and the full text.
// Encoding and decoding count as cost of compile only.
function hashedTexts({ stable, dynamic, full }) {
  const sections = [stable, dynamic].flatMap((half) => half.split(/\n\n(?=## )/));
  return [...sections, stable, dynamic, full].map(encode);
}

function measure(templates, input, rounds) {
  const compiled = templates.compile(input);
  const texts = hashedTexts(compiled);
  const actual = texts.map((text) => templates.fingerprint(text));
  const { sections, fingerprints } = compiled.manifest;
  const expected = [...sections.map(({ fingerprint }) => fingerprint)];
  expected.push(fingerprints.stable, fingerprints.dynamic, fingerprints.full);
  if (actual.join() !== expected.join()) throw new Error('the fingerprints do not match');
  // The hash of the full text continues the hash of the stable half, which compile computes only once.
  const once = [...texts.slice(0, -1), encode(compiled.full.slice(compiled.stable.length))];
  const hash = (inputs) => () => inputs.map((text) => templates.fingerprint(text));
  const timed = interleave(
    { compile: () => templates.compile(input), all: hash(texts), once: hash(once) },
    { rounds },
  );
  return { ...timed, size: encode(compiled.full).length };
}

const row = (name, { size, compile, all, once }) => [
  ...[name, bytes(size), ms(compile), ms(all), times(compile / all)],
  ...[ms(once), times(compile / once)],
];

/** @param {object} pkg the package */
export async function run(pkg) {
  const templates = await pkg.templates.loadTemplates();
  const shapes = [
    ['12 sections, 150,000 characters, ASCII', prompt(12, 150_000, 'e'), 100, true],
    ['12 sections, 150,000 characters, some é and 日', prompt(12, 150_000, 'é 日'), 100, true],
    ['twelve times the file budget', prompt(12, 1_800_000, 'e'), 20, false],
  ];
  const rows = [];
  const verdicts = [];
  for (const [name, input, rounds, isLimited] of shapes) {
    const result = measure(templates, input, rounds);
    rows.push(row(name, result));
    const ratio = result.compile / result.all;
    const text = `${name}: ${times(ratio)} the time of all hashes, at most ${limit}`;
    if (isLimited) verdicts.push({ ok: ratio <= limit, text });
  }
  return {
    title: 'Compiling a prompt',
    about:
      'Compiles sections that are given as text: a JavaScript object goes in, the halves, the ' +
      'full text and the manifest come out. This is compared with the hashes only: ' +
      '`fingerprint`, the same SHA-256 in the same WebAssembly, of each section, each half and ' +
      'the full text. The last two columns compare with the bytes that `compile` actually ' +
      'hashes, because the hash of the full text continues that of the stable half.',
    head: ['prompt', 'full text', 'compile', 'all hashes', 'ratio', 'hashed once', 'ratio'],
    rows,
    verdicts,
  };
}
