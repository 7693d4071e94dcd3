// Defines the types of the runtime that public signatures name. The compiler knows them from lib.dom, @types/node,
// @types/bun, Deno or @cloudflare/workers-types, each with its own members. The declarations below merge with those, so
// that the package's types compile with any of them, and with none; then the interfaces are empty. Public signatures
// must not name other global types that lib.es2022 lacks: tests/js/types.test.mjs compiles them without any.

/* eslint-disable @typescript-eslint/no-empty-object-type, @typescript-eslint/no-namespace -- They merge with the
   runtime's own. */
declare global {
  interface AbortSignal {}
  interface Response {}
  interface URL {}
  namespace WebAssembly {
    interface Module {}
  }

  // As in @types/node: `using`, and `[Symbol.dispose]` where lib.esnext.disposable is missing.
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
  interface Disposable {
    [Symbol.dispose](): void;
  }
}
/* eslint-enable @typescript-eslint/no-empty-object-type, @typescript-eslint/no-namespace */

/**
 * A function like the runtime's `fetch`. Where the compiler knows none: a function from a URL to a Response.
 *
 * @example
 * const logged: Fetch = (input, init) => {
 *   console.log(String(input));
 *   return fetch(input, init);
 * };
 */
export type Fetch = typeof globalThis extends {
  fetch: (...args: infer Arguments) => infer Result;
}
  ? (...args: Arguments) => Result
  : (input: string, init?: object) => Promise<Response>;

/** The runtime's Request. Where the compiler knows none: any object. */
export type PlatformRequest = typeof globalThis extends {
  Request: new (...args: never) => infer Request;
}
  ? Request
  : object;

/**
 * A function from a Request to a Response, as servers call it: Bun.serve, Deno.serve, Hono, srvx, Workers, and `serve` of
 * `prompt-strata/node`.
 *
 * @example
 * const handler: FetchHandler = async (request) => new Response(`You asked for ${request.url}`);
 */
export type FetchHandler = (request: PlatformRequest, ...context: unknown[]) => Promise<Response>;
