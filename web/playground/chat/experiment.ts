// Demonstrates why signatures matter: removes them from a request, lints the result, and sends it on demand.
import { GeminiError, type Diagnostic } from '../../index.js';
import { findingsView, without } from './diagnostics-view.js';
import { button, element } from '../dom.js';
import { signaturesIn, withoutSignatures } from './signatures.js';
import type { SentRequest } from './session.js';

const introduction = 'Clients that store only text and calls lose the signatures.';

// Returns the findings about the changed body that the original body does not have.
function newFindings(request: SentRequest, json: string): Diagnostic[] {
  return without(request.lint(json).diagnostics, request.lint(request.json).diagnostics);
}

// A minimal request that only models with required signatures reject.
const unsignedCall = JSON.stringify({
  contents: [
    { role: 'user', parts: [{ text: 'Go' }] },
    { role: 'model', parts: [{ functionCall: { name: 'go', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'go', response: { ok: true } } }] },
  ],
});

function reasonOf({ lint, manifest }: SentRequest): string {
  return lint(unsignedCall).ok
    ? `${manifest.model} accepts calls without signatures. Gemini 3 and later reject them.`
    : 'Only the calls of the current turn must be signed.';
}

function verdictOf(request: SentRequest, json: string): HTMLElement {
  const findings = newFindings(request, json);
  if (findings.length > 0) return findingsView(findings, json);
  return element('p', {}, `No errors. ${reasonOf(request)}`);
}

async function sendAnyway(request: SentRequest, json: string): Promise<string> {
  try {
    const response = await request.resend(new TextEncoder().encode(json));
    await response.body?.cancel();
    return `HTTP ${response.status}: accepted.`;
  } catch (error) {
    if (!(error instanceof GeminiError)) throw error;
    return `HTTP ${error.status} ${error.rpcStatus ?? error.code}: ${error.message}`;
  }
}

function resendView(request: SentRequest, json: string): HTMLElement {
  const answer = element('p', { className: 'answer', role: 'status' });
  const send = button(`Send it anyway to ${request.service}`, () => {
    send.disabled = true;
    void sendAnyway(request, json)
      .catch(String)
      .then((text) => (answer.textContent = text))
      .finally(() => (send.disabled = false));
  });
  return element('div', {}, send, answer);
}

/** Returns the experiment; undefined for a request without signatures. */
export function experimentView(request: SentRequest): HTMLElement | undefined {
  const signatures = signaturesIn(request.json).length;
  if (signatures === 0) return undefined;
  const result = element('div', { className: 'result' });
  const label = signatures === 1 ? 'Drop the signature' : `Drop the ${signatures} signatures`;
  const drop = button(label, () => {
    const json = withoutSignatures(request.json);
    result.replaceChildren(verdictOf(request, json), resendView(request, json));
  });
  const heading = element('h3', {}, 'What if a signature gets lost?');
  const text = element('div', {}, heading, element('p', { className: 'note' }, introduction));
  return element('section', { className: 'experiment' }, text, drop, result);
}
