// Draws the turns of a history and the pairs of calls and responses, beside the list of its Contents.
import type { TimelineContent } from './analysis-result.js';

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

// An arc from a call to its response, or to nothing.
function pairShapes(from: number, to: number | undefined): SVGElement[] {
  const start = (from + 0.5) * row;
  const dot = shape('circle', { cx: 9, cy: start, r: 0.8, class: 'pair-dot' });
  if (to === undefined) {
    const d = `M 9 ${start} H 5.6 M 5.6 ${start - 1.4} V ${start + 1.4}`;
    return [shape('path', { d, class: 'pair-line open' }), dot];
  }
  const end = (to + 0.5) * row;
  const d = `M 9 ${start} C 4 ${start} 4 ${end} 9 ${end}`;
  const arrival = shape('circle', { cx: 9, cy: end, r: 0.8, class: 'pair-dot' });
  return [shape('path', { d, class: 'pair-line' }), dot, arrival];
}

/** Draws the brackets, steps and pairs of these Contents. Its height is that of the list. */
export function historyDrawing(contents: readonly TimelineContent[]): SVGElement {
  const height = contents.length * row;
  const drawing = shape('svg', {
    viewBox: `0 0 ${width} ${Math.max(height, row)}`,
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
    class: 'history-drawing',
  });
  const rowOf = new Map(contents.map(({ index }, i) => [index, i]));
  for (const { first, last } of runsOf(contents, ({ turn }) => turn))
    drawing.append(turnShape(first, last, contents[first]?.isCurrentTurn ?? false));
  for (const { first, last } of runsOf(contents, ({ turn, step }) => `${turn}.${step}`))
    drawing.append(stepShape(first, last));
  contents.forEach(({ calls }, i) => {
    const targets = new Set(calls.map(({ response }) => response?.index));
    for (const target of targets)
      drawing.append(...pairShapes(i, target === undefined ? undefined : rowOf.get(target)));
  });
  return drawing;
}
