// Draws the four layers and the fields of the request that they become, as an SVG for light and dark pages.
const layers = [
  {
    name: 'static',
    holds: 'Instructions: your text or a template',
    field: 'systemInstruction',
    note: 'or in a CachedContent',
  },
  {
    name: 'dynamic',
    holds: 'The state that changes: time, open files, tasks',
    field: 'contents[0]',
    note: 'one JSON text',
  },
  {
    name: 'buffered',
    holds: 'The turns so far, with their signatures',
    field: 'contents[1…n]',
    note: 'byte for byte',
  },
  {
    name: 'trigger',
    holds: 'The new message, or tool results',
    field: 'contents[n + 1]',
    note: 'ends the request',
  },
];

const size = { width: 760, head: 44, row: 66, gap: 12, margin: 16, left: 360, right: 304 };
const height = size.head + layers.length * (size.row + size.gap) - size.gap + size.margin;

const style = `
  text { font: 14px system-ui, sans-serif; fill: #1f2430; }
  .head { font-size: 13px; fill: #57606a; }
  .name { font-weight: 600; font-size: 16px; }
  .field { font: 600 14px ui-monospace, monospace; }
  .note { font-size: 13px; fill: #57606a; }
  rect { fill: #eef2ff; stroke: #4f5d95; }
  .request { fill: none; stroke-dasharray: 5 4; }
  path { stroke: #4f5d95; stroke-width: 1.5; fill: none; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .head, .note { fill: #b1bac4; }
    .page { fill: #0d1117; }
    rect { fill: #1c2440; stroke: #94a3e8; }
    path { stroke: #94a3e8; }
  }
  .page { stroke: none; }
  @media (prefers-color-scheme: light) { .page { fill: #ffffff; } }`;

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const textAt = (x, y, kind, text) =>
  `<text class="${kind}" x="${x}" y="${y}">${escaped(text)}</text>`;
const box = (x, y, width, boxHeight, kind = 'box') =>
  `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${boxHeight}" rx="8"/>`;

function rowOf({ name, holds, field, note }, index) {
  const y = size.head + index * (size.row + size.gap);
  const right = size.width - size.margin - size.right;
  const middle = y + size.row / 2;
  const end = right + 10;
  return [
    box(size.margin, y, size.left, size.row),
    textAt(size.margin + 14, y + 28, 'name', name),
    textAt(size.margin + 14, y + 50, 'holds', holds),
    `<path d="M${size.margin + size.left + 6} ${middle}H${end}M${end - 8} ${middle - 5}L${end} ${middle}L${end - 8} ${middle + 5}"/>`,
    box(right + 16, y + 4, size.right - 32, size.row - 8),
    textAt(right + 30, y + 29, 'field', field),
    textAt(right + 30, y + 49, 'note', note),
  ].join('\n  ');
}

/** Returns the picture, an SVG document. */
export function layersPicture() {
  const right = size.width - size.margin - size.right;
  const requestHeight = height - size.head - size.margin + 12;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" width="${size.width}" height="${height}" role="img" aria-labelledby="title description">
  <title id="title">The four layers of a request</title>
  <desc id="description">${layers.map(({ name, field, note }) => escaped(`${name} becomes ${field}, ${note}.`)).join(' ')}</desc>
  <style>${style}
  </style>
  <rect class="page" width="${size.width}" height="${height}"/>
  ${textAt(size.margin, 26, 'head', 'Layer')}
  ${textAt(right, 26, 'head', 'Body of the request')}
  ${box(right, size.head - 6, size.right, requestHeight, 'request')}
  ${layers.map(rowOf).join('\n  ')}
</svg>
`;
}
