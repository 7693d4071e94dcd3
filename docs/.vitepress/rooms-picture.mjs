// Draws the rooms of one tree of scripts/rooms.json as an SVG with Graphviz. An arrow that follows from other arrows
// is left out.
import { instance } from '@viz-js/viz';

// Arrows between rooms of this tree only; `sdk` means each of its rooms.
function arrowsOf(rooms) {
  const names = Object.keys(rooms);
  const roomsOf = (use) =>
    use in rooms ? [use] : names.filter((name) => name.startsWith(`${use}/`));
  return new Map(names.map((name) => [name, rooms[name].uses.flatMap(roomsOf)]));
}

/** All rooms that can be reached from `name`. */
function reachable(arrows, name, found = new Set()) {
  for (const next of arrows.get(name)) {
    if (!found.has(next)) reachable(arrows, next, found.add(next));
  }
  return found;
}

/** The arrows of a room that do not follow from another of its arrows. */
function directArrows(arrows, name) {
  const uses = arrows.get(name);
  return uses.filter((to) => !uses.some((via) => via !== to && reachable(arrows, via).has(to)));
}

const quoted = (text) => `"${text.replaceAll('"', '\\"')}"`;

/**
 * Draws the rooms of one tree.
 * @param rooms the rooms of one tree, as scripts/rooms.json has them
 * @returns {Promise<string>} an SVG document
 */
export async function roomsPicture(rooms) {
  const arrows = arrowsOf(rooms);
  const nodes = Object.entries(rooms).map(
    ([name, { holds }]) => `${quoted(name)} [tooltip=${quoted(holds)}];`,
  );
  const edges = [...arrows.keys()].flatMap((name) =>
    directArrows(arrows, name).map((to) => `${quoted(name)} -> ${quoted(to)};`),
  );
  const dot = `digraph {
    graph [bgcolor="#ffffff", pad=0.2, nodesep=0.3, ranksep=0.4];
    node [shape=box, style="rounded,filled", fillcolor="#eef2ff", color="#4f5d95", fontname="Helvetica", fontsize=13];
    edge [color="#7a86b8", arrowsize=0.7];
    ${nodes.join('\n')}
    ${edges.join('\n')}
  }`;
  return (await instance()).renderString(dot, { format: 'svg' });
}
