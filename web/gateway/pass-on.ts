// Passes requests on unchanged, after the models that they name were checked.
import { decodeDocument } from '../sdk/internal/bytes.js';
import { GatewayError, readBounded } from './gateway-error.js';
import { checkModel, sendUpstream, type Pipeline, type Call } from './call.js';
import { readBody } from '../server/body.js';
import { answerHeaders } from './headers.js';
import { answerBroke } from './tracked-body.js';
import { readJsonBody, boundedBody } from './body.js';
import type { GoogleRoute } from './route.js';

/** The places of a model's name: of a cache, a count, an interaction, one embedding, and of each embedding of a list. */
interface NamingBody {
  model?: unknown;
  agent?: unknown;
  generateContentRequest?: { model?: unknown };
  generate_content_request?: { model?: unknown };
  requests?: unknown;
}

const bareName = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

function namesIn(body: unknown): string[] {
  const { model, agent, requests, ...counted } = Object(body) as NamingBody;
  // ProtoJSON takes a single value for a list of one.
  const listed: unknown[] = Array.isArray(requests) ? requests : [requests];
  const { generateContentRequest, generate_content_request } = counted;
  const below = [generateContentRequest, generate_content_request, ...listed];
  const names = [model, agent, ...below.map((each) => (Object(each) as NamingBody).model)];
  return names.flatMap((name) => (typeof name === 'string' ? [bareName(name)] : []));
}

// The names `model` and `agent` as JSON may write them. Within a string their quotes would be escaped.
const namingKey =
  /"(?:(?:m|\\u006[dD])(?:o|\\u006[fF])(?:d|\\u0064)(?:e|\\u0065)(?:l|\\u006[cC])|(?:a|\\u0061)(?:g|\\u0067)(?:e|\\u0065)(?:n|\\u006[eE])(?:t|\\u0074))"\s*:/g;

/** Returns whether an object has the member `model` or `agent` twice, of which parsers choose different ones. */
function namesTwice(text: string): boolean {
  const written = text.match(namingKey)?.length ?? 0;
  if (written < 2) return false;
  let read = 0;
  JSON.parse(text, (name, value: unknown) => {
    if (name === 'model' || name === 'agent') read++;
    return value;
  });
  return read < written;
}

/**
 * Refuses a body that names a model which the gateway does not offer. Google's parser takes some bodies that are not
 * JSON; such a one must not speak of models.
 *
 * @throws GatewayError with the status 404, or 400 for a body that is not JSON
 */
export function checkNamedModels(pipeline: Pipeline, bytes: Uint8Array | undefined): void {
  if (!pipeline.options.models || !bytes || bytes.length === 0) return;
  const text = decodeDocument(bytes);
  let body: unknown;
  // Google's parser takes names without quotes, too.
  let isClear = !/model|agent|\\u/.test(text);
  try {
    body = JSON.parse(text);
    isClear = !namesTwice(text);
  } catch {
    // Not JSON.
  }
  if (!isClear) {
    const message =
      'The body is not JSON, or has a "model" or "agent" twice, so that this gateway, which offers certain models only, cannot check which one it names.';
    throw new GatewayError(400, 'json.invalid', message);
  }
  for (const name of namesIn(body)) checkModel(pipeline, name);
}

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
  // To cancel an interaction is to post nothing.
  if (kind === 'interactions') return undefined;
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
