// Reads a response body as text. Chromium's Response.text() replaces every stream error with a TypeError; a reader
// does not.

/**
 * Returns the body as text, without a leading byte order mark.
 *
 * @throws the error of the body's stream: a GeminiError, or the reason of an abort
 */
export async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: false });
  let text = '';
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    text += decoder.decode(read.value, { stream: true });
  }
  return text + decoder.decode();
}
