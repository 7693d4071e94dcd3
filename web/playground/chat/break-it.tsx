// Breaks a request as clients break them: shows what lint predicts, what the service answers, and the repair.
import { GeminiError, type Content, type Part, type Diagnostic } from '../../index.js';
import { signaturesIn, withoutSignatures } from '../engine/signatures.js';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import { Button, FoldedCode } from '../../ui/elements.js';
import type { Chat } from './chat.js';
import { FindingList, newFindings } from './findings.js';
import type { ChatRequest } from './requests.js';

type Loose = Omit<Content, 'parts'> & { parts?: Part[] };

interface Break {
  label: string;
  mistake: string;
  /** Why a request without findings may still be wrong. */
  unseen: string;
  /** What models do that accept it in `unsignedCall`. */
  tolerated?: string;
  /** What a request must have, for a request that lacks it. */
  missing: string;
  /** How the mistake is undone if `repair` of the core cannot know: the original request is sent. */
  remedy?: string;
  /** Returns the broken body; undefined if the request has nothing to break. */
  apply: (json: string) => string | undefined;
}

const responsesOf = ({ parts = [] }: Loose) =>
  parts.filter(({ functionResponse }) => functionResponse);
const hasTwo = (content: Loose) => responsesOf(content).length > 1;
const hasCall = ({ parts = [] }: Loose) => parts.some(({ functionCall }) => functionCall);

// Changes the Contents of a body. `change` returns undefined if there is nothing to break.
const inContents =
  (change: (contents: Loose[]) => Loose[] | undefined) =>
  (json: string): string | undefined => {
    const body: { contents?: Loose[] } = JSON.parse(json);
    const contents = change(body.contents ?? []);
    return contents && JSON.stringify({ ...body, contents });
  };

function swapped(contents: Loose[]): Loose[] | undefined {
  const index = contents.findLastIndex(hasTwo);
  const content = contents[index];
  const [first, second] = responsesOf(content ?? {});
  if (!content || !first || !second) return undefined;
  const other = (part: Part) => (part === first ? second : part === second ? first : part);
  return contents.with(index, { ...content, parts: (content.parts ?? []).map(other) });
}

// Joins the model's calls with the results that answer them, or else a message with the answer before it.
function merged(contents: Loose[]): Loose[] | undefined {
  const results = contents.findLastIndex(
    (content, at) => responsesOf(content).length > 0 && hasCall(contents[at - 1] ?? {}),
  );
  const index = results > 0 ? results : contents.length - 1;
  const [before, after] = [contents[index - 1], contents[index]];
  if (!before || !after) return undefined;
  const parts = [...(before.parts ?? []), ...(after.parts ?? [])];
  return contents.toSpliced(index - 1, 2, { ...after, parts });
}

function emptied(contents: Loose[]): Loose[] | undefined {
  const index = contents.findLastIndex(({ role }) => role === 'model');
  return index < 0 ? undefined : contents.with(index, { role: 'model', parts: [] });
}

function split(contents: Loose[]): Loose[] | undefined {
  const index = contents.findLastIndex(hasTwo);
  const content = contents[index];
  const single = (content?.parts ?? []).map((part) => ({ ...content, parts: [part] }));
  return content && contents.toSpliced(index, 1, ...single);
}

// A cache holds what the request then may not repeat.
function withExpiredCache(json: string): string {
  const body: { [field: string]: unknown } = JSON.parse(json);
  for (const field of ['systemInstruction', 'tools', 'toolConfig']) delete body[field];
  return JSON.stringify({ ...body, cachedContent: 'cachedContents/expired000000' });
}

const needsTwo = 'it has no turn with two results. Ask for two things at once.';

const breaks: readonly Break[] = [
  {
    label: 'Drop the signatures',
    missing: 'it has no signatures. They come with the answers of models that think.',
    mistake: 'Clients that store only text and calls lose the signatures.',
    unseen: 'Only the calls of the current turn must be signed.',
    tolerated: 'accepts calls without signatures. Gemini 3 and later reject them.',
    apply: (json) => (signaturesIn(json).length > 0 ? withoutSignatures(json) : undefined),
  },
  {
    label: 'Swap two results',
    missing: needsTwo,
    mistake: 'Clients that run calls in parallel add the results as they finish.',
    unseen: 'If the names and ids still match, the model may read one result as the other.',
    remedy: 'Send the results in the order of the calls.',
    apply: inContents(swapped),
  },
  {
    label: 'Merge two turns',
    missing: 'it has only one turn.',
    mistake: 'Clients that write one message for a call and its result merge two turns.',
    unseen: 'The API accepts this, but the model reads its own words as those of the user.',
    remedy: 'Keep the Contents of the model and of the user apart.',
    apply: inContents(merged),
  },
  {
    label: 'Empty a turn',
    missing: 'it has no turn of the model.',
    mistake: 'Clients that remove thoughts or media can leave a turn without parts.',
    unseen: 'Nothing requires this turn.',
    remedy: 'Remove the turn, or keep its parts.',
    apply: inContents(emptied),
  },
  {
    label: 'Split the results',
    missing: needsTwo,
    mistake: 'Clients that send each result as a message of its own split one turn.',
    unseen: 'This model accepts results in several turns.',
    remedy: 'Put all results of one answer into one turn.',
    apply: inContents(split),
  },
  {
    label: 'Expire the cache',
    missing: 'it has no content.',
    mistake: 'Clients that keep the name of a cache for too long name one that has expired.',
    unseen:
      'A request does not tell whether its cache exists: no check before sending can find this.',
    remedy: 'Send the content itself again, or create a new cache.',
    apply: withExpiredCache,
  },
];

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

const isRefused = (findings: readonly Diagnostic[]) =>
  findings.some(({ severity }) => severity === 'error');

function Step({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="stack step">
      <h4 class="note">{title}</h4>
      {children}
    </div>
  );
}

// What the broken body has been found to have, and the original body has not.
function Prediction({ one, json, chat, bytes }: Experiment & { one: Break; json: string }) {
  const { model, json: original } = bytes;
  const findings = newFindings(chat.lint(json, model), chat.lint(original, model));
  const isTolerated = one.tolerated !== undefined && !isRefused(chat.lint(unsignedCall, model));
  return (
    <Step title="Prediction">
      {findings.length > 0 && <FindingList findings={findings} json={json} />}
      {!isRefused(findings) && (
        <p>No errors. {isTolerated ? `${model} ${one.tolerated}` : one.unseen}</p>
      )}
    </Step>
  );
}

async function send({ chat, bytes }: Experiment, json: string): Promise<[boolean, string]> {
  try {
    const session = await chat.ready();
    const response = await session.resend(bytes.model, new TextEncoder().encode(json));
    await response.body?.cancel();
    return [true, `HTTP ${response.status}: accepted.`];
  } catch (error) {
    if (!(error instanceof GeminiError)) return [false, String(error)];
    const { status, rpcStatus, code, message } = error;
    return [false, `${status > 0 ? `HTTP ${status} ` : ''}${rpcStatus ?? code}: ${message}`];
  }
}

function Send({ label, json, ...experiment }: Experiment & { label: string; json: string }) {
  const [answer, setAnswer] = useState<[boolean, string]>();
  const [isBusy, setIsBusy] = useState(false);
  const start = () => {
    setIsBusy(true);
    void send(experiment, json)
      .then(setAnswer)
      .finally(() => setIsBusy(false));
  };
  const service = experiment.chat.context.service.name;
  return (
    <div>
      <Button label={`${label} to ${service}`} isDisabled={isBusy} action={start} />
      <p class={answer?.[0] ? 'answer accepted good' : 'answer bad'} role="status">
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
  const { chat, bytes } = experiment;
  const options = { ...chat.target(bytes.model), dummySignatures: true };
  const repaired = chat.checker?.repair(json, options);
  const done = repaired?.ok ? repaired.diagnostics.filter((finding) => finding.repaired) : [];
  if (!repaired || done.length === 0)
    return (
      <Step title="Repair">
        <p>{`Only you can know what belongs here. ${one.remedy ?? 'Send what the API returned, unchanged.'}`}</p>
        <Send {...experiment} label="Send the original request" json={bytes.json} />
      </Step>
    );
  const body = decodeUtf8(repaired.body);
  return (
    <Step title="Repair">
      {[...new Set(done.map(({ fix = '' }) => repairWords(fix)))].map((text) => (
        <p>{text}</p>
      ))}
      <FoldedCode title="The repaired body" code={body} />
      <Send {...experiment} label="Send the repaired request" json={body} />
    </Step>
  );
}

function Result({ one, ...experiment }: Experiment & { one: Break }) {
  const json = one.apply(experiment.bytes.json);
  return (
    <div class="stack result">
      <p class="note">{one.mistake}</p>
      {json === undefined ? (
        <p>{`Nothing to break here: ${one.missing}`}</p>
      ) : (
        <>
          <Prediction {...experiment} one={one} json={json} />
          <Step title="What really happens">
            <Send {...experiment} label="Send it anyway" json={json} />
          </Step>
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
    <section class="stack break-it">
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
