// Finds the models that a body names, which the option `models` binds like the one in the path.
import { decodeDocument } from '../sdk/internal/bytes.js';
import { GatewayError } from './gateway-error.js';
import { checkModel } from './send-upstream.js';
import type { Pipeline } from './call.js';

/** The places of a model's name: of a cache, of a count, of one embedding, and of each embedding of a list. */
interface NamingBody {
  model?: unknown;
  generateContentRequest?: { model?: unknown };
  generate_content_request?: { model?: unknown };
  requests?: unknown;
}

const bareName = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

function namesIn(body: unknown): string[] {
  const { model, requests, ...counted } = Object(body) as NamingBody;
  // ProtoJSON takes a single value for a list of one.
  const listed: unknown[] = Array.isArray(requests) ? requests : [requests];
  const { generateContentRequest, generate_content_request } = counted;
  const below = [generateContentRequest, generate_content_request, ...listed];
  const names = [model, ...below.map((each) => (Object(each) as NamingBody).model)];
  return names.flatMap((name) => (typeof name === 'string' ? [bareName(name)] : []));
}

// The name `model` as JSON may write it. Within a string its quotes would be escaped.
const modelKey =
  /"(?:m|\\u006[dD])(?:o|\\u006[fF])(?:d|\\u0064)(?:e|\\u0065)(?:l|\\u006[cC])"\s*:/g;

/** Returns whether an object has the member `model` twice, of which parsers choose different ones. */
function hasTwoModels(text: string): boolean {
  const written = text.match(modelKey)?.length ?? 0;
  if (written < 2) return false;
  let read = 0;
  JSON.parse(text, (name, value: unknown) => {
    if (name === 'model') read++;
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
  let isClear = !/model|\\u/.test(text);
  try {
    body = JSON.parse(text);
    isClear = !hasTwoModels(text);
  } catch {
    // Not JSON.
  }
  if (!isClear) {
    const message =
      'The body is not JSON, or has a "model" twice, so that this gateway, which offers certain models only, cannot check which one it names.';
    throw new GatewayError(400, 'json.invalid', message);
  }
  for (const name of namesIn(body)) checkModel(pipeline, name);
}
