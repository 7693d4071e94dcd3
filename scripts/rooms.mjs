// Reads the table of rooms and arrows, and finds circles in any graph of names.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup/run.mjs';

/** The rooms of src/ and web/, each with what it holds and which rooms it uses: scripts/rooms.json. */
export const rooms = JSON.parse(readFileSync(join(root, 'scripts', 'rooms.json'), 'utf8'));

/**
 * Finds one circle in a graph.
 * @param {Map<string, string[]>} arrows from each name to the names that it uses
 * @returns {string[] | undefined} the names of the circle in order, the first one repeated at the end
 */
export function circleIn(arrows) {
  const done = new Set();
  const path = [];
  const visit = (name) => {
    if (done.has(name)) return undefined;
    const at = path.indexOf(name);
    if (at >= 0) return [...path.slice(at), name];
    path.push(name);
    for (const next of arrows.get(name) ?? []) {
      const circle = visit(next);
      if (circle) return circle;
    }
    path.pop();
    done.add(name);
    return undefined;
  };
  for (const name of arrows.keys()) {
    const circle = visit(name);
    if (circle) return circle;
  }
  return undefined;
}
