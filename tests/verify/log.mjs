// Keeps the results of a part as JSON Lines, so that an interrupted run loses at most one case.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

// The last line may be cut off.
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function readLines(path) {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8').split('\n').map(parse).filter(Boolean);
}

/**
 * Opens a log. `last` returns the newest result of a case for a key, `all` returns all of a case,
 * `results` those of all cases.
 */
export function openLog(path) {
  mkdirSync(dirname(path), { recursive: true });
  const results = readLines(path);
  return {
    results: () => results,
    all: (name) => results.filter((each) => each.name === name),
    last: (name, key) => results.findLast((each) => each.name === name && each.key === key),
    append(result) {
      results.push(result);
      appendFileSync(path, `${JSON.stringify(result)}\n`);
    },
  };
}
