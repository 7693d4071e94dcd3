// Parses Prometheus' text form strictly: https://prometheus.io/docs/instrumenting/exposition_formats/
import assert from 'node:assert/strict';

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const label = '[a-zA-Z_][a-zA-Z0-9_]*';
const labelPair = new RegExp(`^(${label})="((?:[^"\\\\\\n]|\\\\["\\\\n])*)"(,|$)`);
const sampleForm = new RegExp(`^(${name})(?:\\{(.*)\\})? ([+-]?(?:[\\d.]+(?:e[+-]?\\d+)?))$`);
const commentForm = new RegExp(`^# (HELP|TYPE) (${name}) (.+)$`);
const unescaped = (text) => text.replace(/\\(.)/g, (_, sign) => (sign === 'n' ? '\n' : sign));

function labelsOf(text) {
  const labels = {};
  for (let rest = text; rest !== '';) {
    const [whole, key, value, end] = labelPair.exec(rest) ?? assert.fail(`labels: ${text}`);
    assert.ok(!(key in labels), `${key} twice: ${text}`);
    labels[key] = unescaped(value);
    rest = rest.slice(whole.length);
    assert.ok(end === '' || rest !== '', `a comma at the end: ${text}`);
  }
  return labels;
}

/** Returns the sample of a line that is no comment. */
function sampleOf(line) {
  const [, sample, labels = '', value] = sampleForm.exec(line) ?? assert.fail(`sample: ${line}`);
  assert.ok(Number.isFinite(Number(value)), line);
  return { name: sample, labels: labelsOf(labels), value: Number(value) };
}

const suffixes = { histogram: ['_bucket', '_sum', '_count'] };

function checkHistogram({ name: family, samples }) {
  const valuesOf = (suffix) => samples.filter(({ name: each }) => each === family + suffix);
  const buckets = valuesOf('_bucket').map(({ labels: { le }, value }) => {
    assert.match(le ?? '', /^(\+Inf|[\d.]+)$/);
    return [le === '+Inf' ? Infinity : Number(le), value];
  });
  const [count, ...others] = valuesOf('_count').map(({ value }) => value);
  assert.deepEqual([others, valuesOf('_sum').length], [[], 1]);
  assert.deepEqual(buckets.at(-1), [Infinity, count]);
  buckets.reduce(([bound, total], [nextBound, nextTotal]) => {
    assert.ok(nextBound > bound && nextTotal >= total, `${family}: ${JSON.stringify(buckets)}`);
    return [nextBound, nextTotal];
  });
}

/** Takes a comment: HELP comes once, then TYPE once, before the samples. */
function comment(families, line) {
  const [, kind, family, text] = commentForm.exec(line) ?? assert.fail(`comment: ${line}`);
  if (kind === 'HELP') {
    assert.ok(!families.has(family), `HELP twice: ${family}`);
    families.set(family, { name: family, help: text, samples: [] });
    return;
  }
  const known = families.get(family);
  assert.ok(known && !known.type && known.samples.length === 0, line);
  assert.match(text, /^(counter|gauge|histogram)$/);
  assert.equal([...families.keys()].at(-1), family, `not together: ${family}`);
  known.type = text;
}

/**
 * Returns the families of a text by name, each with its type and samples. Throws for anything that Prometheus would
 * refuse or misread.
 */
export function parsePrometheus(text) {
  assert.ok(text.endsWith('\n'), 'the last line has no line feed');
  const families = new Map();
  const seen = new Set();
  for (const line of text.slice(0, -1).split('\n')) {
    if (line.startsWith('#')) {
      comment(families, line);
      continue;
    }
    const sample = sampleOf(line);
    const family = [...families.values()].at(-1);
    assert.ok(family?.type, `no TYPE before ${line}`);
    const names = (suffixes[family.type] ?? ['']).map((suffix) => family.name + suffix);
    assert.ok(names.includes(sample.name), `${line} is not of ${family.name}`);
    const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
    assert.ok(!seen.has(key), `twice: ${line}`);
    seen.add(key);
    if (family.type !== 'gauge') assert.ok(sample.value >= 0, line);
    if (family.type === 'counter') assert.match(family.name, /_total$/);
    family.samples.push(sample);
  }
  for (const family of families.values()) if (family.type === 'histogram') checkHistogram(family);
  return families;
}

/** Returns the value of the sample with exactly these labels, 0 if there is none. */
export function valueOf(text, sample, labels = {}) {
  const isAsked = (each) =>
    each.name === sample &&
    JSON.stringify(Object.entries(each.labels).sort()) ===
      JSON.stringify(Object.entries(labels).sort());
  const samples = [...parsePrometheus(text).values()].flatMap((family) => family.samples);
  return samples.find(isAsked)?.value ?? 0;
}
