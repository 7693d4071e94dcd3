// Finds the request that the open view is about.
import { decodeUtf8 } from '../../../sdk/internal/bytes.js';
import type { PlaygroundDocument } from '../../state/playground-document.js';
import type { LintChoice } from '../lint-choice.js';
import { LintClient } from '../lint-client.js';
import { PromptClient } from '../prompt-client.js';
import { sharedDocument, type SharingOptions } from './shared-document.js';
import type { DocumentStore } from '../../state/document-store.js';
import type { ExportedRequest } from './exported-request.js';

/** Says, as a sentence, why there is no request. */
export class NoRequestError extends Error {
  override name = 'NoRequestError';
}

/**
 * Returns the request: in Lint the chosen one of the text, in Prompt and Chat the one of the newest message. It holds no
 * credentials.
 *
 * @throws NoRequestError
 */
export function currentRequest(
  context: { document: DocumentStore; lintChoice: LintChoice },
  options: SharingOptions,
): Promise<ExportedRequest> {
  const document = sharedDocument(context.document.value, options);
  return document.view === 'lint'
    ? lintedRequest(document, context.lintChoice)
    : promptRequest(document);
}

// Its worker is its own: of the questions to the worker of the view, only the newest is answered.
async function lintedRequest(
  { lint, settings }: PlaygroundDocument,
  choice: LintChoice,
): Promise<ExportedRequest> {
  const { model, backend } = settings;
  const now = new Date().toISOString();
  const client = new LintClient();
  const analysis = await client
    .analyze(lint.text, { model, backend, now, ...choice.options })
    .finally(() => client.stop());
  const found = analysis?.requests[analysis.chosen];
  if (!found || analysis?.body === undefined)
    throw new NoRequestError('There is no request in the text yet.');
  return { model: found.model, backend: found.backend, body: readBody(analysis.body) };
}

function promptRequest(document: PlaygroundDocument): Promise<ExportedRequest> {
  const { prompt, settings, chat, view } = document;
  if (view === 'chat' && chat.saved === '')
    return Promise.reject(new NoRequestError('There is no message in the chat yet.'));
  return new Promise((resolve, reject) => {
    const fail = (message: string) => reject(new NoRequestError(message));
    const client = new PromptClient({
      analyzed: ({ request, failure }) => {
        client.stop();
        if (!request) return fail(failure ?? 'There is no request.');
        const { model, backend } = settings;
        resolve({ model, backend, body: readBody(decodeUtf8(request.body)) });
      },
      compared: () => {},
      failed: (message) => {
        client.stop();
        fail(message);
      },
    });
    const turn = Number.MAX_SAFE_INTEGER;
    const now = new Date().toISOString();
    client.ask({ prompt, settings, history: chat.saved, turn, now });
  });
}

// Returns the text of a body, if it is a JSON object.
function readBody(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new NoRequestError('The request is no valid JSON. Repair it first.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new NoRequestError('The request is no JSON object.');
  return text;
}
