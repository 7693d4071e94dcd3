// Says what the catalogue knows about a model that the API answers 404 for: its end, its API, or the name that a typing
// error means.
import { modelNames, unservedModels } from '#generated/model-names';

const digitsOf = (name: string) => name.replace(/\D/g, '');

// Returns whether at most one edit, or two swapped characters, turns `a` into `b`.
function isOneEdit(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [c, d] = [a.slice(start), b.slice(start)];
  const isSwapped = c[0] === d[1] && c[1] === d[0] && c.slice(2) === d.slice(2);
  return (
    isSwapped ||
    c.slice(1) === d ||
    c === d.slice(1) ||
    (c.slice(1) === d.slice(1) && c.length === d.length)
  );
}

// src/base/near_name.cpp decides the same.
function isNear(given: string, name: string): boolean {
  const [a, b] = [given.split('-'), name.split('-')];
  return (
    isOneEdit(given, name) ||
    (a.length === b.length && a.every((segment, i) => isOneEdit(segment, b[i] ?? '')))
  );
}

// The name that a wrong one most likely means: one with a typing error, the preview of it, or another version.
function nearestName(model: string): string | undefined {
  const given = model.toLowerCase();
  const near = modelNames.filter((name) => isNear(given, name));
  return (
    near.find((name) => digitsOf(name) === digitsOf(given)) ??
    modelNames.find((name) => name.startsWith(`${given}-`)) ??
    near[0]
  );
}

const apis: Readonly<Record<string, string>> = {
  live: 'the Live API',
  interactions: 'the Interactions API',
  embedContent: 'embedContent',
};

/**
 * Returns a sentence about a model that the API does not have, or has for another method; undefined if the catalogue
 * knows nothing about it.
 */
export function modelHint(model: string): string | undefined {
  const [, end] = unservedModels
    .filter(([id]) => model.startsWith(id))
    .reduce((best, row) => (row[0].length > best[0].length ? row : best), ['', '']);
  if (apis[end]) return `${model} is served by ${apis[end]}.`;
  if (end) return `${model} was shut down on ${end}.`;
  if (modelNames.includes(model.replace(/-\d{3}$/, ''))) return undefined;
  const name = nearestName(model);
  return name && `Did you mean ${name}?`;
}
