// Breaks a request on purpose: shows what lint predicts, what the service answers, and the repair.
import { useState } from 'preact/hooks';
import { GeminiError, type Diagnostic } from '../../index.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import { Button, Folded } from '../../ui/elements.js';
import { breaks, dropSignatures, type Break } from './breaks.js';
import type { Chat } from './chat.js';
import { FindingList, newFindings } from './findings.js';
import type { ChatRequest } from './requests.js';

interface Experiment {
  chat: Chat;
  bytes: ChatRequest;
}

// A minimal request that only models with required signatures reject.
const unsignedCall = JSON.stringify({
  contents: [
    { role: 'user', parts: [{ text: 'Go' }] },
    { role: 'model', parts: [{ functionCall: { name: 'go', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'go', response: { ok: true } } }] },
  ],
});

const encoder = new TextEncoder();

const isRefused = (findings: readonly Diagnostic[]) =>
  findings.some(({ severity }) => severity === 'error');

const target = ({ chat, bytes: { model } }: Experiment) => ({
  ...{ model, backend: chat.settings.backend, now: new Date().toISOString() },
});

const lint = (experiment: Experiment, json: string): Diagnostic[] =>
  experiment.chat.checker?.lint(json, target(experiment)).diagnostics ?? [];

function unseenWords(one: Break, experiment: Experiment): string {
  if (one !== dropSignatures || isRefused(lint(experiment, unsignedCall))) return one.unseen;
  return `${experiment.bytes.model} accepts calls without signatures. Gemini 3 and later reject them.`;
}

// What the broken body has been found to have, and the original body has not.
function Prediction({ one, json, ...experiment }: Experiment & { one: Break; json: string }) {
  const findings = newFindings(lint(experiment, json), lint(experiment, experiment.bytes.json));
  return (
    <div class="step">
      <h4>Prediction</h4>
      {findings.length > 0 && <FindingList findings={findings} json={json} />}
      {!isRefused(findings) && <p>{`No errors. ${unseenWords(one, experiment)}`}</p>}
    </div>
  );
}

async function send({ chat, bytes }: Experiment, body: Uint8Array): Promise<[boolean, string]> {
  try {
    const session = await chat.ready();
    const response = await session.resend(bytes.model, body);
    await response.body?.cancel();
    return [true, `HTTP ${response.status}: accepted.`];
  } catch (error) {
    if (!(error instanceof GeminiError)) return [false, String(error)];
    const { status, rpcStatus, code, message } = error;
    return [false, `${status > 0 ? `HTTP ${status} ` : ''}${rpcStatus ?? code}: ${message}`];
  }
}

function Send({ label, body, ...experiment }: Experiment & { label: string; body: Uint8Array }) {
  const [answer, setAnswer] = useState<[boolean, string]>();
  const [isBusy, setIsBusy] = useState(false);
  const start = () => {
    setIsBusy(true);
    void send(experiment, body)
      .then(setAnswer)
      .finally(() => setIsBusy(false));
  };
  const service = experiment.chat.context.service.name;
  return (
    <div>
      <Button label={`${label} to ${service}`} isDisabled={isBusy} action={start} />
      <p class={answer?.[0] ? 'answer accepted' : 'answer'} role="status">
        {answer?.[1]}
      </p>
    </div>
  );
}

const placeholderOption = / \(only with dummySignatures\)$/;

// What a repair did, as a sentence. A placeholder is no equal of what was lost.
function repairWords(fix: string): string {
  const text = fix.charAt(0).toUpperCase() + fix.slice(1);
  return placeholderOption.test(text)
    ? `${text.replace(placeholderOption, '')}. Answers may be worse than with the real signature.`
    : `${text.replace(/\.$/, '')}.`;
}

// What the repair of the core does, or else the original request.
function Repair({ one, json, ...experiment }: Experiment & { one: Break; json: string }) {
  const { checker } = experiment.chat;
  const repaired = checker?.repair(json, { ...target(experiment), dummySignatures: true });
  const done = (repaired?.diagnostics ?? []).filter((finding) => finding.repaired);
  if (!repaired?.ok || done.length === 0)
    return (
      <div class="step">
        <h4>Repair</h4>
        <p>{`Only you can know what belongs here. ${one.remedy ?? 'Send what the API returned, unchanged.'}`}</p>
        <Send
          {...experiment}
          label="Send the original request"
          body={encoder.encode(experiment.bytes.json)}
        />
      </div>
    );
  return (
    <div class="step">
      <h4>Repair</h4>
      {[...new Set(done.map(({ fix = '' }) => fix))].map((fix) => (
        <p>{repairWords(fix)}</p>
      ))}
      <Folded title="The repaired body">
        <pre>{decodeUtf8(repaired.body)}</pre>
      </Folded>
      <Send {...experiment} label="Send the repaired request" body={repaired.body} />
    </div>
  );
}

function Result({ one, ...experiment }: Experiment & { one: Break }) {
  const json = one.apply(experiment.bytes.json);
  return (
    <div class="result">
      <p class="note">{one.mistake}</p>
      {json === undefined ? (
        <p>{`Nothing to break here: ${one.missing}`}</p>
      ) : (
        <>
          <Prediction {...experiment} one={one} json={json} />
          <div class="step">
            <h4>What really happens</h4>
            <Send {...experiment} label="Send it anyway" body={encoder.encode(json)} />
          </div>
          <Repair {...experiment} one={one} json={json} />
        </>
      )}
    </div>
  );
}

/** The section that breaks a request. Nothing is sent without a click, and the conversation is not changed. */
export function BreakIt(experiment: Experiment) {
  const [one, choose] = useState<Break>();
  return (
    <section class="break-it">
      <h3>Break it</h3>
      <p class="note">
        Make a mistake that clients make: see what lint predicts, send it, and repair it. The
        conversation is not changed.
      </p>
      <div class="actions" role="group" aria-label="Ways to break the request">
        {breaks.map((each) => (
          <Button label={each.label} aria-pressed={each === one} action={() => choose(each)} />
        ))}
      </div>
      {one && <Result key={one.label} {...experiment} one={one} />}
    </section>
  );
}
