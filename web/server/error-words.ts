// Names errors as the Interactions API does, whose errors have a word instead of a number.

// https://ai.google.dev/gemini-api/docs/api-errors
const words: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'authentication',
  402: 'payment_required',
  403: 'permission_denied',
  404: 'not_found',
  408: 'request_timeout',
  409: 'already_exists',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  416: 'out_of_range',
  429: 'rate_limit_exceeded',
  499: 'cancelled',
  500: 'api_error',
  501: 'unimplemented',
  502: 'bad_gateway',
  503: 'service_unavailable',
  504: 'deadline_exceeded',
};

/** Returns the word of an HTTP status. */
export const errorWord = (status: number): string =>
  words[status] ?? (status < 500 ? 'invalid_request' : 'api_error');
