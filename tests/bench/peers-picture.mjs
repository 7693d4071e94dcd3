// Draws how the time of a turn grows with the conversation, for each client, as an SVG for light and dark pages.
import { ms } from '../support/table.mjs';

const size = { width: 810, height: 440 };
const plot = { left: 82, top: 64, right: 540, bottom: 380 };

/** The lines of the picture, by the keys of the clients, with their colors on light and dark pages. */
const lines = {
  thread: { label: 'prompt-strata, thread', light: '#3d4db8', dark: '#9db0ff', own: true },
  'prompt-strata': { label: 'prompt-strata', light: '#6d28d9', dark: '#c8a6ff', own: true },
  plain: { label: 'JSON.stringify + encode', light: '#57606a', dark: '#b1bac4' },
  firebase: { label: '@firebase/ai', light: '#9a6700', dark: '#d9a441' },
  'ai-sdk': { label: 'AI SDK 7', light: '#0b6e4f', dark: '#4fc3a1' },
  'google-genai-models': { label: '@google/genai models', light: '#0969a2', dark: '#6cb6ff' },
  'google-genai-chats': { label: '@google/genai chats', light: '#b42318', dark: '#ff8f85' },
  langchain: { label: '@langchain/google', light: '#8a3b12', dark: '#e29a6b' },
  genkit: { label: 'Genkit', light: '#a3195b', dark: '#f58fbf' },
};

const colors = (kind) =>
  Object.entries(lines).map(
    ([key, color]) =>
      `.${key} { stroke: ${color[kind]}; } text.${key}, circle.${key} { fill: ${color[kind]}; stroke: none; }`,
  );

const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2430; }
  .title { font-weight: 600; font-size: 15px; }
  .axis { fill: #57606a; }
  .own { font-weight: 600; }
  .grid { stroke: #d0d7de; stroke-width: 1; }
  polyline { fill: none; stroke-width: 1.75; }
  polyline.own { stroke-width: 3.25; }
  .leader { stroke-width: 0.75; fill: none; opacity: 0.6; }
  .page { fill: #ffffff; }
  ${colors('light').join('\n  ')}
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .axis { fill: #b1bac4; }
    .grid { stroke: #30363d; }
    .page { fill: #0d1117; }
    ${colors('dark').join('\n    ')}
  }`;

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const number = (value) => value.toLocaleString('en-US');

/** Returns a function from values to pixels on a logarithmic scale. */
function logScale([from, to], [begin, end]) {
  const [low, high] = [Math.log10(from), Math.log10(to)];
  return (value) => begin + ((Math.log10(value) - low) / (high - low)) * (end - begin);
}

/** Returns the powers of ten around the values. */
function decadesOf(values) {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.ceil(Math.log10(Math.max(...values)));
  return Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
}

// Moves the names of lines that end close together apart, without changing their order.
function spreadOut(labels, distance) {
  const sorted = labels.toSorted((a, b) => a.y - b.y);
  for (let i = 1; i < sorted.length; i++)
    sorted[i].y = Math.max(sorted[i].y, sorted[i - 1].y + distance);
  for (let i = sorted.length - 1; i >= 0; i--) {
    const lowest = i === sorted.length - 1 ? plot.bottom : sorted[i + 1].y - distance;
    sorted[i].y = Math.min(sorted[i].y, lowest);
  }
  return sorted;
}

function gridOf({ x, y, sizes, decades }) {
  return [
    ...decades.flatMap((value) => [
      `<path class="grid" d="M${plot.left} ${y(value).toFixed(1)}H${plot.right}"/>`,
      `<text class="axis" x="${plot.left - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${timeText(value)}</text>`,
    ]),
    ...sizes.map(
      (turns) =>
        `<text class="axis" x="${x(turns).toFixed(1)}" y="${plot.bottom + 20}" text-anchor="middle">${number(turns)}</text>`,
    ),
  ];
}

const timeText = (value) => `${number(value)} ms`;

function lineOf({ key, points, own }) {
  const kind = own ? `${key} own` : key;
  const path = points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(' ');
  const dots = points.map(
    ([px, py]) => `<circle class="${key}" cx="${px.toFixed(1)}" cy="${py.toFixed(1)}" r="3"/>`,
  );
  return [`<polyline class="${kind}" points="${path}"/>`, ...dots];
}

function labelOf({ key, own, y, end, last }) {
  const [px, py] = end;
  return [
    `<path class="${key} leader" d="M${px.toFixed(1)} ${py.toFixed(1)}L${plot.right + 14} ${y.toFixed(1)}"/>`,
    `<text class="${key}${own ? ' own' : ''}" x="${plot.right + 18}" y="${(y + 4).toFixed(1)}">${escaped(lines[key].label)} ${ms(last)}</text>`,
  ];
}

/**
 * Returns the picture of the turns in build/bench/peers.json, an SVG document.
 * @param {{ turns: { measured: { key: string, turns: number, whole: { median: number } }[] } }} peers
 */
export function peersPicture({ turns: { measured } }) {
  const shown = measured.filter(({ key }) => key in lines);
  const sizes = [...new Set(shown.map(({ turns }) => turns))].toSorted((a, b) => a - b);
  const decades = decadesOf(shown.map(({ whole }) => whole.median));
  const x = logScale([sizes[0], sizes.at(-1)], [plot.left + 16, plot.right]);
  const y = logScale([decades[0], decades.at(-1)], [plot.bottom, plot.top]);
  const drawn = Object.entries(lines).map(([key, { own = false }]) => {
    const measurements = shown.filter((each) => each.key === key);
    const points = measurements.map(({ turns, whole }) => [x(turns), y(whole.median)]);
    const last = measurements.at(-1).whole.median;
    return { key, own, points, last, end: points.at(-1), y: points.at(-1)[1] };
  });
  const words = drawn.map(
    ({ key, last }) => `${lines[key].label}: ${ms(last)} at ${number(sizes.at(-1))} turns.`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img" aria-labelledby="title description">
  <title id="title">Time of a turn as the conversation grows</title>
  <desc id="description">Both scales are logarithmic. ${escaped(words.join(' '))}</desc>
  <style>${style}
  </style>
  <rect class="page" width="${size.width}" height="${size.height}"/>
  <text class="title" x="16" y="26">Time of a turn as the conversation grows</text>
  <text class="axis" x="16" y="46">From the message until the answer is in the history, without the network. Both scales are logarithmic.</text>
  ${gridOf({ x, y, sizes, decades }).join('\n  ')}
  <text class="axis" x="${(plot.left + plot.right) / 2}" y="${plot.bottom + 42}" text-anchor="middle">turns in the history</text>
  ${drawn.toReversed().flatMap(lineOf).join('\n  ')}
  ${spreadOut(drawn, 19).flatMap(labelOf).join('\n  ')}
</svg>
`;
}
