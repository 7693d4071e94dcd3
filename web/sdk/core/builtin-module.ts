// Gives the modules that Node, Deno and Bun have built in: a static import of one would break bundles for browsers.

/** Returns a built-in module, such as `node:fs/promises`; undefined where there is none. */
export function builtinModule<Module>(name: string): Module | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => Module | undefined };
  };
  return process?.getBuiltinModule?.(name);
}
