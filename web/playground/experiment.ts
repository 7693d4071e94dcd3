// Why this file exists: why signatures matter, to be seen: the same request without them, what lint finds,
// and what the API answers to it.
import { GeminiError, type Diagnostic } from '../index.js';
import { findingsView, without } from './diagnostics-view.js';
import { button, element } from './dom.js';
import { signaturesIn, withoutSignatures } from './signatures.js';
import type { SentRequest } from './session.js';

const introduction = 'A client that keeps nothing but text and calls drops signatures.';

// What lint says of the changed body and did not say of the one that was sent.
function newFindings(request: SentRequest, json: string): Diagnostic[] {
  return without(request.lint(json).diagnostics, request.lint(request.json).diagnostics);
}

// As short as a request can be that only models with signatures refuse.
const unsignedCall = JSON.stringify({
  contents: [
    { role: 'user', parts: [{ text: 'Go' }] },
    { role: 'model', parts: [{ functionCall: { name: 'go', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'go', response: { ok: true } } }] },
  ],
});

function reasonOf({ lint, manifest }: SentRequest): string {
  return lint(unsignedCall).ok
    ? `${manifest.model} takes calls without their signatures. Gemini 3 and later refuse them.`
    : 'only the calls of the turn that is under way need theirs.';
}

function verdictOf(request: SentRequest, json: string): HTMLElement {
  const findings = newFindings(request, json);
  if (findings.length > 0) return findingsView(findings, json);
  return element('p', {}, `Nothing is missed: ${reasonOf(request)}`);
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
  const send = button(`Send it anyway, to ${request.service}`, () => {
    send.disabled = true;
    void sendAnyway(request, json)
      .catch(String)
      .then((text) => (answer.textContent = text))
      .finally(() => (send.disabled = false));
  });
  return element('div', {}, send, answer);
}

/** Offered for a request that holds signatures. */
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
  const words = element('div', {}, heading, element('p', { className: 'note' }, introduction));
  return element('section', { className: 'experiment' }, words, drop, result);
}
