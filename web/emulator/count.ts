// Serves countTokens for both forms of its body: `contents` and `generateContentRequest`.
import type { Context } from './context.js';
import { invalidArgument, unknownField } from './errors.js';
import { checkModel, checkRequest, findCache } from './requests.js';
import type { Backend } from '../sdk/types/model.js';
import type { Route } from '../server/match-route.js';
import { Meter, tokenCount } from './tokens.js';
import type { JsonObject } from './types.js';
import { field, objectField } from './wire.js';
import { modelOf } from './prompt.js';

/**
 * Counts the tokens of `contents` or of a whole `generateContentRequest`.
 *
 * @throws Failure
 */
export function countTokens(
  context: Context,
  { model, place }: Route & { kind: 'countTokens' },
  body: JsonObject,
): JsonObject {
  checkModel(context, model, place, 'countTokens');
  if (context.options.unknownFields !== 'accept') checkFields(body, place.backend);
  const nested = objectField(body, 'generateContentRequest');
  if (nested && field(body, 'contents') !== undefined) {
    throw invalidArgument('Only one of contents and generate_content_request can be set.');
  }
  if (nested && modelOf(nested) !== model) {
    throw invalidArgument(
      '* CountTokensRequest.generate_content_request.model: unexpected model name format',
    );
  }
  // Only countTokens of Vertex AI has this field.
  const { instances: _, ...whole } = body;
  const request = nested ?? whole;
  const cache = findCache(context, request);
  checkRequest(context, model, { source: request, body: request, cache }, true);
  const cached = cache?.tokens ?? 0;
  return tokenCount(new Meter(context.strata, model).input(request) + cached, cached);
}

// The fields of each service's message.
const fields = {
  gemini: /^(?:model|contents|generateContentRequest|generate_content_request)$/,
  vertex:
    /^(?:model|instances|contents|systemInstruction|system_instruction|tools|generationConfig|generation_config)$/,
};

function checkFields(body: JsonObject, backend: Backend): void {
  const unknown = Object.keys(body).find((name) => !fields[backend].test(name));
  if (unknown !== undefined) throw unknownField(unknown, '');
}
