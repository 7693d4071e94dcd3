// Decides which pages may call a server (CORS): those whose origins it lists.

const requestedMethod = 'access-control-request-method';

/**
 * Returns whether the request is a CORS preflight.
 *
 * @internal
 */
export function isPreflight({ headers, method }: Request): boolean {
  return method === 'OPTIONS' && headers.has('origin') && headers.has(requestedMethod);
}

/**
 * Returns the response to a preflight whose origin may call.
 *
 * @internal
 */
export function preflightResponse(methods: string, headers: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': methods,
      'access-control-allow-headers': headers,
      'access-control-max-age': '86400',
    },
  });
}

/**
 * An origin as browsers send it.
 *
 * @internal
 */
export const originForm = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#*,]+$/;

/**
 * The origins whose pages may call. Entries without "://" match nothing: any sandboxed frame sends the origin "null",
 * and "*" is not supported.
 *
 * @internal
 */
export class AllowedOrigins {
  readonly #origins: ReadonlySet<string>;

  /** `origins` as browsers send them: `https://app.example`. */
  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins.filter((origin) => origin.includes('://')));
  }

  /** Returns the listed origin that the request comes from, if any. */
  of(request: Request): string | undefined {
    const origin = request.headers.get('origin');
    return origin !== null && this.#origins.has(origin) ? origin : undefined;
  }

  /** Returns a copy of the response with CORS headers, so that pages of listed origins can read it. */
  withCors(response: Response, request: Request, exposed = ''): Response {
    const allowed = new Response(response.body, response);
    const origin = this.of(request);
    if (origin !== undefined) {
      allowed.headers.set('access-control-allow-origin', origin);
      if (exposed !== '') allowed.headers.set('access-control-expose-headers', exposed);
    }
    allowed.headers.set('vary', 'origin');
    return allowed;
  }
}
