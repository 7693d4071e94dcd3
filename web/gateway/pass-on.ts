// Passes the other methods of Google's API on: token counts, models, caches, files and embeddings.
import { readBody } from '../server/body.js';
import { answerHeaders } from './answer-headers.js';
import { answerBroke } from './broken-answer.js';
import { readJsonBody } from './body.js';
import type { Call, Pipeline } from './call.js';
import { GatewayError } from './gateway-error.js';
import { checkNamedModels } from './named-models.js';
import type { GoogleRoute } from './route.js';
import { sendUpstream } from './send-upstream.js';
import { readBounded } from './upstream-refusal.js';
import { boundedBody } from './bounded-body.js';

// One chunk of an upload. Google's SDKs send 8 MiB at once.
const maxChunkBytes = 64 * 1024 * 1024;

/**
 * Sends a request as it is, and returns the answer as it comes.
 *
 * @throws GatewayError or HttpError for a request that is refused or gets no response; the reason of an abort
 */
export async function passOn(
  pipeline: Pipeline,
  call: Call,
  route: GoogleRoute,
): Promise<Response> {
  const { request, url } = call;
  const { method } = request;
  const target = pipeline.upstream.target(route, url.searchParams);
  const body = await bodyOf(pipeline, call, route);
  if (route.kind !== 'upload') checkNamedModels(pipeline, body);
  const response = await sendUpstream(pipeline, call, { route, target, method, body });
  const { status } = response;
  const headers = answerHeaders(response, route);
  if (route.kind === 'upload') await addUploadUrl(response, headers, publicOrigin(request, url));
  if (!response.ok)
    return new Response(new Uint8Array(await readBounded(response)), { status, headers });
  // A response without a body, such as a 204, cannot be given one.
  const { secrets } = pipeline.upstream;
  const broken = (reason: unknown) => answerBroke(pipeline, call, reason);
  const passed = response.body && boundedBody(response, { secrets, broken });
  return new Response(passed, { status, headers });
}

async function bodyOf(
  { options }: Pipeline,
  { request }: Call,
  { kind }: GoogleRoute,
): Promise<Uint8Array | undefined> {
  if (request.method === 'GET' || request.method === 'DELETE') return undefined;
  if (kind !== 'upload') return readJsonBody(request, options);
  const { bodyTimeoutMs: ms = 60_000 } = options;
  return readBody(request, { bytes: maxChunkBytes, ms });
}

// Where a proxy in front ends TLS, only it knows how the client came. A client that lies about it misleads itself.
function publicOrigin({ headers }: Request, { protocol, host }: URL): string {
  const forwarded = headers.get('x-forwarded-proto') ?? '';
  const isEncrypted = protocol === 'https:' || /^https\b/i.test(forwarded);
  return `${isEncrypted ? 'https' : 'http'}://${host}`;
}

// The next chunks of a file come here, too: only the gateway has the key.
async function addUploadUrl(response: Response, headers: Headers, origin: string): Promise<void> {
  const location = response.headers.get('x-goog-upload-url');
  if (location === null) return;
  const given = webAddress(location, origin);
  if (!given) {
    await response.body?.cancel().catch(() => {});
    throw new GatewayError(
      502,
      'upstream.invalid',
      'The upstream named no valid address for the upload.',
    );
  }
  const { pathname, searchParams } = given;
  const known = ['upload_id', 'upload_protocol'].flatMap((name) =>
    searchParams.getAll(name).map((value) => [name, value]),
  );
  headers.set('x-goog-upload-url', `${origin}${pathname}?${new URLSearchParams(known)}`);
}

function webAddress(location: string, base: string): URL | undefined {
  try {
    const url = new URL(location, base);
    return /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}
