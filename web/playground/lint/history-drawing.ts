// Draws the turns of a history and the pairs of calls and responses, beside the list of its Contents.
import type { TimelineContent } from '../engine/lint-result.js';

/** The height of a row of the list in units of the drawing. */
const row = 10;
const width = 10;
const namespace = 'http://www.w3.org/2000/svg';

function shape(tag: string, attributes: Record<string, string | number>): SVGElement {
  const created = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, `${value}`);
  return created;
}

/** Returns runs of rows with the same value: the first and the last row of each. */
function runsOf<Value>(
  contents: readonly TimelineContent[],
  valueOf: (content: TimelineContent) => Value,
): { first: number; last: number; value: Value }[] {
  const runs: { first: number; last: number; value: Value }[] = [];
  contents.forEach((content, index) => {
    const value = valueOf(content);
    const run = runs.at(-1);
    if (run && run.value === value) run.last = index;
    else runs.push({ first: index, last: index, value });
  });
  return runs;
}

// A bracket along the rows of one turn.
function turnShape(first: number, last: number, isCurrent: boolean): SVGElement {
  const [top, bottom] = [first * row + 1.5, (last + 1) * row - 1.5];
  const d = `M 2.4 ${top} H 1 V ${bottom} H 2.4`;
  return shape('path', { d, class: isCurrent ? 'turn-line current' : 'turn-line' });
}

// A line along the rows of one step of a turn.
function stepShape(first: number, last: number): SVGElement {
  return shape('line', {
    x1: 3.4,
    x2: 3.4,
    y1: first * row + 2.5,
    y2: (last + 1) * row - 2.5,
    class: 'step-line',
  });
}

const at = (position: number) => (position + 0.5) * row;
const dot = (position: number) =>
  shape('circle', { cx: 9, cy: at(position), r: 0.8, class: 'pair-dot' });

// An arc from a call to its response. Its end may be beyond the drawn rows.
function pairShapes(from: number, to: number): SVGElement[] {
  const d = `M 9 ${at(from)} C 4 ${at(from)} 4 ${at(to)} 9 ${at(to)}`;
  return [shape('path', { d, class: 'pair-line' }), dot(from), dot(to)];
}

// A line from a call to nothing.
function openShapes(from: number): SVGElement[] {
  const y = at(from);
  const d = `M 9 ${y} H 5.6 M 5.6 ${y - 1.4} V ${y + 1.4}`;
  return [shape('path', { d, class: 'pair-line open' }), dot(from)];
}

/** Draws the brackets, steps and pairs of consecutive Contents. Its height is that of their list. */
export function historyDrawing(contents: readonly TimelineContent[]): SVGElement {
  const drawing = shape('svg', {
    viewBox: `0 0 ${width} ${Math.max(contents.length, 1) * row}`,
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
    class: 'history-drawing',
  });
  const offset = contents[0]?.index ?? 0;
  for (const { first, last } of runsOf(contents, ({ turn }) => turn))
    drawing.append(turnShape(first, last, contents[first]?.isCurrentTurn ?? false));
  for (const { first, last } of runsOf(contents, ({ turn, step }) => `${turn}.${step}`))
    drawing.append(stepShape(first, last));
  contents.forEach(({ calls }, i) => {
    for (const target of new Set(calls.map(({ response }) => response?.index)))
      drawing.append(...(target === undefined ? openShapes(i) : pairShapes(i, target - offset)));
  });
  return drawing;
}
