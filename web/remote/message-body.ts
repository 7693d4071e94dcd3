// Writes the body of a request that sends a message.
import { invalidOption } from '../sdk/internal/options.js';
import { valuePart } from '../sdk/internal/json-input.js';
import { decodeValidUtf8 } from '../sdk/internal/bytes.js';
import { contentOf, type ConversationInput } from '../sdk/chat/conversation-input.js';

// The bytes of a Content are sent as they are. They must be one JSON value, because text surrounds them.
function contentText(bytes: Uint8Array): string {
  try {
    const text = decodeValidUtf8(bytes);
    JSON.parse(text);
    return text;
  } catch {
    throw invalidOption('/input', 'a Content as JSON in UTF-8, if it is bytes');
  }
}

/**
 * Returns the body that sends a message. Bytes and Blobs in it are base64.
 *
 * @throws StrataError `field.invalid` or `json.invalid` for an input that is no message
 */
export async function messageBody(
  input: ConversationInput,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const message = Array.isArray(input) ? await contentOf(input, signal) : input;
  const text = message instanceof Uint8Array ? contentText(message) : valuePart(message, '/input');
  if (text === undefined) throw invalidOption('/input', 'a text, a list of parts, or a Content');
  return new TextEncoder().encode(`{"message":${text}}`);
}
