// Tests what is made of the figures of `npm run bench -- peers`: the picture, and a sentence of the README.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { names } from '../bench/peers/candidates.mjs';
import { peersPicture } from '../bench/peers-picture.mjs';

const sizes = [10, 100, 1000, 5000];
const spreadOf = (median) => ({ median, low: median, high: median });

/** Returns figures in which the clients differ little, so that their names would overlap. */
function figures() {
  const keys = Object.keys(names);
  const measured = keys.flatMap((key, i) =>
    sizes.map((turns) => ({ key, turns, whole: spreadOf((turns / 1000) * (1 + i / 100)) })),
  );
  return { turns: { measured } };
}

const numbers = (text, pattern) => [...text.matchAll(pattern)].map(([, value]) => Number(value));

test('draws equal ratios as equal distances', () => {
  const [, line] = /<polyline class="plain" points="([^"]+)"/.exec(peersPicture(figures()));
  const points = line.split(' ').map((point) => point.split(',').map(Number));
  assert.equal(points.length, sizes.length);
  const [[x1, y1], [x2, y2], [x3, y3]] = points;
  assert.ok(Math.abs(x2 - x1 - (x3 - x2)) < 0.3, line);
  assert.ok(Math.abs(y2 - y1 - (y3 - y2)) < 0.3, line);
  assert.ok(y1 > y2, line);
});

test('keeps the names of lines apart, and within the picture', () => {
  const picture = peersPicture(figures());
  const [, height] = /viewBox="0 0 \d+ (\d+)"/.exec(picture);
  const places = numbers(picture, /<text class="[\w-]+(?: own)?" x="558" y="([\d.]+)"/g);
  assert.equal(places.length, [...picture.matchAll(/<polyline /g)].length);
  const sorted = places.toSorted((a, b) => a - b);
  for (const [i, y] of sorted.slice(1).entries()) assert.ok(y - sorted[i] > 14, places.join());
  assert.ok(sorted[0] > 0 && sorted.at(-1) < Number(height), places.join());
});

test('has a description with the figures, and colors for dark pages', () => {
  const picture = peersPicture(figures());
  const [, description] = /<desc id="description">([^<]+)</.exec(picture);
  assert.match(description, /logarithmic/);
  assert.match(description, /@google\/genai chats: 5\.\d+ ms at 5,000 turns\./);
  const [, dark] = picture.split('prefers-color-scheme: dark');
  const [light] = picture.split('prefers-color-scheme: dark');
  for (const [, key] of picture.matchAll(/<polyline class="([\w-]+)/g)) {
    assert.ok(light.includes(`.${key} {`), key);
    assert.ok(dark.includes(`.${key} {`), key);
  }
});

test('the README says the figures of the recorded run', () => {
  const read = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
  const [, section] = read('docs/benchmarks.md').split('## Peers: a turn\n');
  const mediansOf = (client) => {
    const cells = section.split('\n').find((line) => line.startsWith(`| ${client} `));
    const [ten, , thousand] = [...cells.matchAll(/([\d.]+ [µm]s) \(/g)].map(([, median]) => median);
    return { ten, thousand };
  };
  const own = mediansOf('prompt-strata, Conversation');
  const chats = mediansOf('`@google/genai`, chats');
  const said =
    `At 1,000 turns, a turn of a Conversation takes ${own.thousand}, the chats of \`@google/genai\` ` +
    `${chats.thousand}; at ten turns ${own.ten} and ${chats.ten}`;
  assert.ok(read('README.md').replace(/\s+/g, ' ').includes(said), said);
});
