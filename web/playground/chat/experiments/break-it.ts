// Breaks a request on purpose: shows what lint predicts, what the service answers, and the repair.
import type { Repaired } from '../../../check/index.js';
import { GeminiError, type Diagnostic } from '../../../index.js';
import { findingsView, without } from '../../engine/diagnostics-view.js';
import { button, element } from '../../../ui/dom.js';
import { decodeUtf8 } from '../../../sdk/internal/bytes.js';
import { breaks, dropSignatures, type Break } from './breaks.js';
import './break-it.css';

/** What the experiments need of a request that was sent. */
export interface BreakableRequest {
  /** The body as text. */
  json: string;
  model: string;
  /** The name of the service that answers. */
  service: string;
  lint: (json: string) => { diagnostics: Diagnostic[] };
  repair: (json: string) => Repaired;
  /** Sends another body to the same service. */
  resend: (body: Uint8Array) => Promise<Response>;
}

const introduction =
  'Make a mistake that clients make: see what lint predicts, send it, and repair it. The conversation is not changed.';

// A minimal request that only models with required signatures reject.
const unsignedCall = JSON.stringify({
  contents: [
    { role: 'user', parts: [{ text: 'Go' }] },
    { role: 'model', parts: [{ functionCall: { name: 'go', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'go', response: { ok: true } } }] },
  ],
});

const isRefused = ({ diagnostics }: { diagnostics: Diagnostic[] }) =>
  diagnostics.some(({ severity }) => severity === 'error');

function unseenText(one: Break, { lint, model }: BreakableRequest): string {
  if (one !== dropSignatures || isRefused(lint(unsignedCall))) return one.unseen;
  return `${model} accepts calls without signatures. Gemini 3 and later reject them.`;
}

// Shows the findings about the broken body that the original body does not have.
function predictionView(one: Break, request: BreakableRequest, json: string): HTMLElement {
  const findings = without(request.lint(json).diagnostics, request.lint(request.json).diagnostics);
  const view = element('div', { className: 'step' }, element('h4', {}, 'Prediction'));
  if (findings.length > 0) view.append(findingsView(findings, json));
  if (!isRefused({ diagnostics: findings }))
    view.append(element('p', {}, `Lint finds no errors. ${unseenText(one, request)}`));
  return view;
}

interface Verdict {
  isAccepted: boolean;
  text: string;
}

async function send({ resend }: BreakableRequest, body: Uint8Array): Promise<Verdict> {
  try {
    const response = await resend(body);
    await response.body?.cancel();
    return { isAccepted: true, text: `HTTP ${response.status}: accepted.` };
  } catch (error) {
    if (!(error instanceof GeminiError)) return { isAccepted: false, text: String(error) };
    const { status, rpcStatus, code, message } = error;
    const answered = status > 0 ? `HTTP ${status} ` : '';
    return { isAccepted: false, text: `${answered}${rpcStatus ?? code}: ${message}` };
  }
}

function sendView(label: string, request: BreakableRequest, body: () => Uint8Array): HTMLElement {
  const answer = element('p', { className: 'answer', role: 'status' });
  const start = button(`${label} to ${request.service}`, () => {
    if (start.ariaDisabled === 'true') return;
    start.ariaDisabled = 'true';
    void send(request, body()).then(({ isAccepted, text }) => {
      answer.textContent = text;
      answer.classList.toggle('accepted', isAccepted);
      start.ariaDisabled = null;
    });
  });
  return element('div', {}, start, answer);
}

const encoder = new TextEncoder();

interface Remedy {
  body: Uint8Array;
  label: string;
  texts: string[];
}

// What `repair` of the core does, or else the original request.
function remedyFor(one: Break, request: BreakableRequest, json: string): Remedy {
  const repaired = request.repair(json);
  const fixes = repaired.diagnostics.flatMap(({ repaired: isRepaired, fix }) =>
    isRepaired && fix ? [fix] : [],
  );
  if (repaired.ok && fixes.length > 0)
    return {
      body: repaired.body,
      label: 'Send the repaired request',
      texts: [...new Set(fixes)].map((fix) => `Fix: ${fix}.`),
    };
  return {
    body: encoder.encode(request.json),
    label: 'Send the original request',
    texts: [
      `Repair does not guess here. ${one.remedy ?? 'Send what the API returned, unchanged.'}`,
    ],
  };
}

function repairView(one: Break, request: BreakableRequest, json: string): HTMLElement {
  const { body, label, texts } = remedyFor(one, request, json);
  const view = element('div', { className: 'step' }, element('h4', {}, 'Repair'));
  view.append(...texts.map((text) => element('p', {}, text)));
  const contents = decodeUtf8(body);
  if (contents !== request.json) {
    const shown = element('pre', {}, contents);
    view.append(element('details', {}, element('summary', {}, 'The repaired body'), shown));
  }
  view.append(sendView(label, request, () => body));
  return view;
}

function resultOf(one: Break, request: BreakableRequest): HTMLElement[] {
  const about = element('p', { className: 'note' }, one.mistake);
  const json = one.apply(request.json);
  if (json === undefined) return [about, element('p', {}, `Nothing to break here: ${one.missing}`)];
  const sent = element('div', { className: 'step' }, element('h4', {}, 'What really happens'));
  sent.append(sendView('Send it anyway', request, () => encoder.encode(json)));
  const prediction = predictionView(one, request, json);
  return [about, prediction, sent, repairView(one, request, json)];
}

/** Returns the section that breaks a request. Nothing is sent without a click. */
export function breakItView(request: BreakableRequest): HTMLElement {
  const result = element('div', { className: 'result' });
  const buttons = breaks.map((one) => {
    const start = button(one.label, () => {
      for (const other of buttons) other.ariaPressed = String(other === start);
      result.replaceChildren(...resultOf(one, request));
    });
    start.ariaPressed = 'false';
    return start;
  });
  const actions = element('div', { className: 'actions', role: 'group' }, ...buttons);
  actions.ariaLabel = 'Ways to break the request';
  const note = element('p', { className: 'note' }, introduction);
  const section = element('section', { className: 'break-it' });
  section.append(element('h3', {}, 'Break it'), note, actions, result);
  return section;
}
