// Why this file exists: Chromium's Response.text() hides what a body failed of behind a TypeError; its
// reader does not.

/** The body as text, without the byte order mark that may open it. Rejects with what the body failed of: a GeminiError, or an abort's reason. */
export async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: false });
  let text = '';
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    text += decoder.decode(read.value, { stream: true });
  }
  return text + decoder.decode();
}
