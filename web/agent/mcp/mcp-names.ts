// Assigns Gemini function names to MCP tools. Gemini allows fewer characters in a name than MCP, so that
// different MCP names may need a suffix to stay different.
import { shortHash } from '../../sdk/internal/bytes.js';

// The limits of FunctionDeclaration.name: https://ai.google.dev/api/caching#FunctionDeclaration
const maxLength = 64;

function sanitize(name: string): string {
  const allowed = name.replace(/[^A-Za-z0-9_.:-]/g, '_').slice(0, maxLength);
  return /^[A-Za-z_]/.test(allowed) ? allowed : `_${allowed}`.slice(0, maxLength);
}

/** A name that Gemini accepts; `suffixed` if a suffix makes it unique. */
export interface DeclaredName {
  name: string;
  suffixed: boolean;
}

/**
 * Returns a function that maps each of a server's tool names to the name to declare. If two tools would get
 * the same name, those whose original name differs from it get a suffix, a hash of the original name.
 */
export function nameAssigner(names: readonly string[]): (name: string) => DeclaredName {
  const wanted = names.map(sanitize);
  return (original) => {
    const name = sanitize(original);
    const isShared = wanted.indexOf(name) !== wanted.lastIndexOf(name);
    if (original === name || !isShared) return { name, suffixed: false };
    const suffix = `_${shortHash(original)}`;
    return { name: name.slice(0, maxLength - suffix.length) + suffix, suffixed: true };
  };
}
