// Shows one request of the conversation: its properties, the findings, the experiments, its layers and the raw answer.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Diagnostic } from '../../index.js';
import { Button, CopyButton, Folded, LongText } from '../../ui/elements.js';
import { amount, count } from '../../ui/format.js';
import { LayerBar } from '../../ui/layer-bar.js';
import { formats } from '../engine/export/formats.js';
import { layerMeanings, spansOf, type Span } from '../engine/layers.js';
import { countsOf } from '../engine/lint-verdict.js';
import { BreakIt } from './break-it.js';
import type { Chat } from './chat.js';
import { FindingList, isProblem, newFindings } from './findings.js';
import { LayerList } from './layer-list.js';
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

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

interface RequestProps {
  request: NumberedRequest;
  bytes: ChatRequest;
}

function Facts({ request, bytes, findings }: RequestProps & { findings: readonly Diagnostic[] }) {
  const { body, manifest, model, service, wire, again } = bytes;
  const { decision, reason } = manifest.cache;
  const estimate = manifest.layers.reduce((sum, { tokens }) => sum + tokens, 0);
  const counted = request.counted.value;
  const problem = findings.some(({ severity }) => severity === 'error') ? 'bad' : 'warn';
  const api = wire === 'interactions' ? 'the Interactions API' : 'generateContent';
  return (
    <dl>
      <Fact name="Body">{`${amount(body.length, 'byte')} for ${api} of ${service}, ${model}`}</Fact>
      {again && <Fact name="Origin">{origins[again]}</Fact>}
      <Fact name="Tokens">
        {`about ${count(estimate)} in the layers`}
        {counted !== undefined && `; ${service} counted ${count(counted)} in total`}
      </Fact>
      <Fact name="Stable prefix">{prefixFact(bytes)}</Fact>
      <Fact name="Cache">{withCommas(`${decision.replaceAll('_', ' ')}: ${reason}`)}</Fact>
      <Fact name="Lint">
        <span class={findings.some(isProblem) ? problem : 'good'}>{lintWords(findings)}</span>
      </Fact>
    </dl>
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
  const { backend } = chat.settings;
  const options = { model, backend, now: new Date().toISOString() };
  const diagnostics = chat.checker?.lint(json, options).diagnostics ?? [];
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
      <Facts request={request} bytes={bytes} findings={findings} />
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

/** The pane with the requests. */
export function RequestPane({ chat }: { chat: Chat }) {
  const { all, selected } = chat.requests;
  return (
    <section class="requests" aria-label="Requests">
      <div class="row pane-head">
        <h2>Requests</h2>
        <nav id="tabs" class="row tabs" aria-label="Requests by number">
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
