// Shows one request of the conversation: its properties, the findings, the experiments, its layers and the raw answer.
import { useState } from 'preact/hooks';
import type { Diagnostic, LayerName, Manifest } from '../../index.js';
import { Button, CopyButton, Facts, Folded, LongText, Switch } from '../../ui/elements.js';
import { amount, count } from '../../ui/format.js';
import { LayerBar } from '../../ui/layer-bar.js';
import { formats } from '../engine/export/formats.js';
import { layerMeanings, readable, spansOf, type Span } from '../engine/layers.js';
import { countsOf } from '../engine/lint-verdict.js';
import { splitSignatures } from '../engine/signatures.js';
import { BreakIt } from './break-it.js';
import { Signature } from './call-view.js';
import type { Chat } from './chat.js';
import { FindingList, isProblem, newFindings } from './findings.js';
import type { RawAnswer, ChatRequest, NumberedRequest } from './requests.js';

function prefixFact({ body, manifest }: ChatRequest): string {
  const { stablePrefixBytes } = manifest;
  if (stablePrefixBytes === 0)
    return 'None: no earlier answered request starts with the same bytes.';
  const share = Math.round((100 * stablePrefixBytes) / body.length);
  return `The first ${amount(stablePrefixBytes, 'byte')} (${share} %) match the last answered request.`;
}

// The API may still refuse a request without findings.
function lintWords(findings: readonly Diagnostic[]): string {
  const number = (severity: Diagnostic['severity']) =>
    findings.filter((finding) => finding.severity === severity).length;
  return countsOf({ errors: number('error'), warnings: number('warning'), notes: number('info') });
}

// The numbers of the reasons have commas as all others.
const withCommas = (text: string) => text.replace(/\d{4,}/g, (digits) => count(Number(digits)));

const origins = {
  same: 'Made again from the saved turns, byte for byte as it was sent.',
  other:
    'Made again from the saved turns. Its bytes differ from what was sent: the prompt, the settings or the time are not the same.',
};

interface RequestProps {
  request: NumberedRequest;
  bytes: ChatRequest;
}

function RequestFacts({
  request,
  bytes,
  findings,
}: RequestProps & { findings: readonly Diagnostic[] }) {
  const { body, manifest, model, service, wire, again } = bytes;
  const { decision, reason } = manifest.cache;
  const estimate = manifest.layers.reduce((sum, { tokens }) => sum + tokens, 0);
  const counted = request.counted.value;
  const problem = findings.some(({ severity }) => severity === 'error') ? 'bad' : 'warn';
  const api = wire === 'interactions' ? 'the Interactions API' : 'generateContent';
  const total = counted === undefined ? '' : `; ${service} counted ${count(counted)} in total`;
  const tone = findings.some(isProblem) ? problem : 'good';
  const word = <span class={tone}>{lintWords(findings)}</span>;
  return (
    <Facts
      rows={[
        ['Body', `${amount(body.length, 'byte')} for ${api} of ${service}, ${model}`],
        ...(again ? [['Origin', origins[again]] as [string, string]] : []),
        ['Tokens', `about ${count(estimate)} in the layers${total}`],
        ['Stable prefix', prefixFact(bytes)],
        ['Cache', withCommas(`${decision.replaceAll('_', ' ')}: ${reason}`)],
        ['Lint', word],
      ]}
    />
  );
}

function Raw({ answer }: { answer: RawAnswer }) {
  const text = answer.text.value;
  const end = answer.isCut ? ' The rest was too long to be kept.' : '';
  return (
    <section class="stack raw-answer" aria-label="The raw answer">
      <h3>
        The raw answer <small>{answer.status.value}</small>
      </h3>
      <p class="note">
        {text === '' ? 'Nothing has come yet.' : amount(text.length, 'character') + end}
      </p>
      <LongText text={text} label="The answer as it came from the network" />
    </section>
  );
}

// Returns the findings of the assembly, followed by those of lint.
function findingsOf(chat: Chat, { json, manifest, model }: ChatRequest): Diagnostic[] {
  const diagnostics = chat.lint(json, model);
  return [...newFindings(manifest.diagnostics, diagnostics), ...diagnostics];
}

// The request as a program, with one click.
function Code({ chat, bytes: { json, model, wire } }: { chat: Chat; bytes: ChatRequest }) {
  const { backend } = chat.settings;
  return (
    <div class="actions" role="group" aria-label="Copy the request">
      Copy as
      {formats.map(({ name, write }) => (
        <CopyButton
          label={name}
          name={`Copy as ${name}`}
          text={() => write({ model, backend, wire, body: json })}
        />
      ))}
    </div>
  );
}

const barPieces = (spans: readonly Span[]) =>
  spans.map(({ layer, name, start, end }) => ({ layer, name, size: end - start }));

function Request({ chat, request, bytes }: RequestProps & { chat: Chat }) {
  const { body, json, manifest, answer, wire } = bytes;
  // Neither changes with the request.
  const [spans] = useState(() => spansOf(body, manifest));
  const [findings] = useState(() => findingsOf(chat, bytes));
  const list = findings.length > 0 && <FindingList findings={findings} json={json} />;
  return (
    <div class="stack request">
      <LayerBar pieces={barPieces(spans)} reusable={manifest.stablePrefixBytes} unit="byte" />
      <RequestFacts request={request} bytes={bytes} findings={findings} />
      {findings.some(isProblem) || findings.length === 0 ? (
        list
      ) : (
        <Folded title={amount(findings.length, 'note')}>{list}</Folded>
      )}
      {wire === 'generateContent' && <BreakIt chat={chat} bytes={bytes} />}
      <LayerList spans={spans} manifest={manifest} />
      <Code chat={chat} bytes={bytes} />
      {answer && <Raw answer={answer} />}
    </div>
  );
}

function Nothing() {
  return (
    <div class="empty">
      <p>Each request appears here as it is sent, with its four layers:</p>
      <ol class="stack">
        {Object.entries(layerMeanings).map(([layer, meaning]) => (
          <li class={layer}>
            <b>{layer}</b> {meaning}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Selected({ chat }: { chat: Chat }) {
  const request = chat.requests.selected.value;
  const bytes = request?.bytes.value;
  if (!request) return <Nothing />;
  if (bytes) return <Request key={request.number} {...{ chat, request, bytes }} />;
  const problem = request.problem.value;
  if (problem === undefined) return <p class="empty">The request is being made again …</p>;
  return <p class="empty">{`This request cannot be made again: ${problem}`}</p>;
}

export function RequestPane({ chat }: { chat: Chat }) {
  const { all, selected } = chat.requests;
  return (
    <section class="column requests" aria-label="Requests">
      <div class="row pane-head">
        <h2>Requests</h2>
        <nav id="tabs" class="row tabs push" aria-label="Requests by number">
          {all.value.map((request) => (
            <Button
              label={String(request.number)}
              aria-label={`Request ${request.number}`}
              aria-current={request === selected.value ? 'true' : undefined}
              action={() => chat.requests.select(request)}
            />
          ))}
        </nav>
      </div>
      <div id="request" class="place">
        <Selected chat={chat} />
      </div>
    </section>
  );
}

const empty: Partial<Record<LayerName, string>> = {
  buffered: 'Empty: there are no earlier turns.',
  static: 'Empty: the template rendered no text.',
};

const withSignatures = (text: string) =>
  splitSignatures(text).map((piece, index) =>
    index % 2 === 1 ? <Signature text={piece} /> : piece,
  );

function SpanView({ span, isIndented }: { span: Span; isIndented: boolean }) {
  const { name, start, end } = span;
  const place = `${name}: bytes ${count(start)} to ${count(end)} of the body`;
  const text = isIndented ? readable(span) : span.text;
  return (
    <figure>
      <figcaption class="row between note">
        <span>{place}</span>
        <CopyButton text={() => text} name={`Copy ${name}`} />
      </figcaption>
      <LongText text={text} label={place} draw={withSignatures} />
    </figure>
  );
}

interface Run {
  layer: Span['layer'];
  spans: Span[];
  /** Whether an earlier run is of the same layer. */
  isContinued: boolean;
}

// Returns the neighbors of one layer together. The dynamic layer may stand between two parts of the history. Layers
// without bytes stand behind the layer before them.
function runsOf(spans: readonly Span[], { layers }: Manifest): Run[] {
  const runs: Run[] = [];
  for (const span of spans) {
    const { layer } = span;
    const last = runs.at(-1);
    if (last?.layer === layer) last.spans.push(span);
    else runs.push({ layer, spans: [span], isContinued: runs.some((run) => run.layer === layer) });
  }
  for (const [index, { layer }] of layers.entries()) {
    if (runs.some((run) => run.layer === layer)) continue;
    const before = layers[index - 1]?.layer;
    const place = runs.findLastIndex((run) => run.layer === before) + 1;
    runs.splice(place, 0, { layer, spans: [], isContinued: false });
  }
  return runs;
}

interface RunProps {
  run: Run;
  manifest: Manifest;
  isIndented: boolean;
}

function RunView({ run, manifest, isIndented }: RunProps) {
  const { layer, spans, isContinued } = run;
  const row = manifest.layers.find((one) => one.layer === layer);
  const views = spans.map((span) => <SpanView span={span} isIndented={isIndented} />);
  if (!row)
    return (
      <div class="layer fields">
        <Folded title={`Other fields: ${spans.map(({ name }) => name).join(', ')}`}>{views}</Folded>
      </div>
    );
  const whole = `${amount(row.bytes, 'byte')}, about ${amount(row.tokens, 'token')}`;
  return (
    <section
      class={`stack layer ${layer}`}
      aria-label={isContinued ? `${layer}, continued` : layer}
    >
      <h3 class="row">
        <i class={layer} />
        {layer}
        <small class="push">{isContinued ? 'continued' : whole}</small>
      </h3>
      <p class="note">{layerMeanings[row.layer]}</p>
      {views.length > 0 ? views : <p class="empty">{empty[row.layer] ?? ''}</p>}
    </section>
  );
}

function LayerList({ spans, manifest }: { spans: readonly Span[]; manifest: Manifest }) {
  const [isIndented, setIsIndented] = useState(false);
  return (
    <div class="stack layers">
      <div class="row between">
        <h3>The layers</h3>
        <Switch label="indent for reading" isOn={isIndented} change={setIsIndented} />
      </div>
      {runsOf(spans, manifest).map((run) => (
        <RunView run={run} manifest={manifest} isIndented={isIndented} />
      ))}
    </div>
  );
}
