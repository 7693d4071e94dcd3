// Why this file exists: Gemini takes fewer characters in a name than MCP does, and fewer names for different
// tools than there are.
import { shortHash } from '../base/short-hash.js';

const longest = 64;

function taken(name: string): string {
  const named = name.replace(/[^A-Za-z0-9_.:-]/g, '_').slice(0, longest);
  return /^[A-Za-z_]/.test(named) ? named : `_${named}`.slice(0, longest);
}

/** A name that Gemini takes; `marked` if it was given to another one without a mark. */
export interface DeclaredName {
  name: string;
  marked: boolean;
}

/**
 * Says under which name a tool of a server with these names is declared. Where two would be one, those that
 * are not called so themselves get a mark, always the same.
 */
export function declarer(names: readonly string[]): (name: string) => DeclaredName {
  const wanted = names.map(taken);
  return (own) => {
    const name = taken(own);
    const isShared = wanted.indexOf(name) !== wanted.lastIndexOf(name);
    if (own === name || !isShared) return { name, marked: false };
    const mark = `_${shortHash(own)}`;
    return { name: name.slice(0, longest - mark.length) + mark, marked: true };
  };
}
