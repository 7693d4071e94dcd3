// Checks includes and imports against the arrows of scripts/rooms.json: none that is not in the table, none in the
// table that nothing uses, and no circle between files or rooms, type imports included. `loads` are the arrows of import().
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { includesOf } from './setup/cpp-includes.mjs';
import { circleIn, rooms } from './rooms.mjs';
import { SetupError, root } from './setup/run.mjs';
import { filesBelow } from './setup/stamp.mjs';

// The core does no I/O, has no clock, no randomness, and does not know that WebAssembly exists.
const forbiddenInCore =
  /^(emscripten.*|iostream|fstream|filesystem|cstdio|stdio\.h|chrono|ctime|time\.h|random|thread|mutex)$/;

// The package has no run-time dependencies: these files reach what only one runtime has, or an optional peer.
const outside = [
  // Tables that the build makes: rows of the catalogue, and the version.
  [/^web\//, /^#generated\//],
  [/^web\/sdk\/core\/wasm\//, /./],
  [/^web\/gateway\/memory\/file-memory\.ts$/, /^node:/],
  [/^web\/server\/(file-store|folder-recordings|serve)\.ts$/, /^node:/],
  [/^web\/agent\/mcp\/mcp-connection\.ts$/, /^@modelcontextprotocol\/sdk\//],
  // Only its types.
  [/^web\/adapters\/ai-sdk\//, /^@ai-sdk\/provider$/],
  [/^web\/adapters\/react\/index/, /^react$/],
  [/^web\/cli\//, /^node:/],
  [/^web\/telemetry\//, /^@opentelemetry\/api$/],
  [/^web\/cli\/mcp\/server\.ts$/, /^@modelcontextprotocol\/server(\/stdio)?$/],
  [/^web\/(worker|playground|ui|dashboard)\//, /^(?!\.|#|web\/)/],
];

/** The room of a file below src/ or web/: of the rooms whose file or folder it is in, the innermost. */
function roomOf(file) {
  const [top, ...names] = file.replace(/\.[jt]sx?$/, '').split('/');
  const paths = names.map((_, i) => names.slice(0, i + 1).join('/'));
  return paths.findLast((path) => path in rooms[top]) ?? paths[0];
}

/** What a C++ file includes, as files of src/. */
function cppTargets(file) {
  return includesOf(file).flatMap(({ quoted }) => (quoted ? [{ target: `src/${quoted}` }] : []));
}

function webTarget(file, specifier) {
  if (specifier === 'prompt-strata') return 'web/index.ts';
  if (!specifier.startsWith('.')) return specifier;
  const path = join(file, '..', specifier);
  const sources = ['.ts', '.tsx'].map((end) => path.replace(/\.js$/, end));
  return sources.find((source) => existsSync(join(root, source))) ?? path;
}

// What a file needs, and what it loads on use with import().
function webTargets(typescript, file) {
  const text = readFileSync(join(root, file), 'utf8');
  const { importedFiles } = typescript.preProcessFile(text);
  return importedFiles.map(({ fileName, pos }) => ({
    target: webTarget(file, fileName),
    onUse: /\bimport\($/.test(text.slice(0, pos).trimEnd()),
  }));
}

const isOutside = (file, target) =>
  outside.some(([files, targets]) => files.test(file) && targets.test(target));

// An arrow to `sdk`, which is no room, is one to each of its rooms.
const covers = (arrow, room, table) =>
  arrow === room || (!(arrow in table) && room.startsWith(`${arrow}/`));

// The arrow of a room that allows a file's target, if one does.
function arrowFor({ uses, loads = [] }, { to, onUse }, table) {
  const allowed = onUse ? [...loads, ...uses] : uses;
  return allowed.find((each) => covers(each, to, table));
}

/** Findings of one tree; `targetsOf` says what a file includes, and what it loads on use. */
function treeFindings(tree, files, targetsOf) {
  const table = rooms[tree];
  const findings = [];
  const used = new Set();
  const graph = new Map();
  for (const file of files) {
    const room = roomOf(file);
    if (!table[room]) findings.push(`${file}: scripts/rooms.json has no room "${room}"`);
    const targets = targetsOf(file).filter(({ target }) => !isOutside(file, target));
    // What is loaded on use may use what loads it.
    const needed = targets.filter(({ onUse }) => !onUse);
    graph.set(
      file,
      needed.map(({ target }) => target),
    );
    for (const { target, onUse } of targets) {
      const to = target.startsWith(`${tree}/`) ? roomOf(target) : target;
      if (to === room) continue;
      const arrow = arrowFor(table[room] ?? { uses: [] }, { to, onUse }, table);
      if (arrow) used.add(`${room} ${arrow}`);
      else findings.push(`${file}: ${target} (${room} may not use ${to})`);
    }
  }
  for (const [room, { uses, loads = [] }] of Object.entries(table)) {
    const unused = [...uses, ...loads].filter((arrow) => !used.has(`${room} ${arrow}`));
    for (const arrow of unused) findings.push(`${room}: nothing in it uses ${arrow}`);
  }
  const circle =
    circleIn(graph) ??
    circleIn(new Map(Object.entries(table).map(([room, { uses }]) => [room, uses])));
  if (circle) findings.push(`A circle: ${circle.join(' -> ')}`);
  return findings;
}

function forbiddenIncludes(file) {
  return includesOf(file)
    .filter(({ system }) => system !== undefined && forbiddenInCore.test(system))
    .map(({ system }) => `${file}: <${system}> has no place in the core`);
}

/** Throws with every include and import that scripts/rooms.json does not allow. */
export async function checkIncludes() {
  const { default: typescript } = await import('typescript');
  const cpp = filesBelow('src', ['.cpp', '.h']);
  const web = filesBelow('web', ['.ts', '.tsx']).filter((file) => !file.endsWith('.d.ts'));
  const findings = [
    ...cpp.flatMap(forbiddenIncludes),
    ...treeFindings('src', cpp, cppTargets),
    ...treeFindings('web', web, (file) => webTargets(typescript, file)),
  ];
  if (findings.length > 0) throw new SetupError(findings.join('\n'));
}
