// The right pane: what a cache saves, and the request at one message: its layers, what changed, and its body.
import { LayerBar, type BarPiece } from '../../ui/layer-bar.js';
import { Folded, SeverityMark, WithCode } from '../../ui/elements.js';
import { amount, count } from '../../ui/format.js';
import type { Diagnostic, Manifest } from '../../index.js';
import { spansOf, type Span } from '../engine/layers.js';
import type { PromptAnalysis, RequestChange, ShownRequest } from '../engine/prompt-result.js';
import type { PromptDraft } from '../state/playground-document.js';
import { BodyView } from './body-view.js';
import { LayerRows } from './layer-rows.js';
import type { PromptModel } from './prompt-model.js';
import { Savings } from './savings.js';

// The core writes numbers without separators.
const withCommas = (text: string) => text.replace(/\d{4,}/g, (digits) => count(Number(digits)));

interface PaneProps {
  model: PromptModel;
}

/** The request. One that a template's error has spoiled is folded away behind that error. */
export function RequestPane({ model }: PaneProps) {
  const { request, failure } = model.analysis.value ?? {};
  const message = model.failure.value ?? failure;
  if (message !== undefined) return <p role="alert">There is no request: {message}</p>;
  if (!request) return <p class="empty">The request is being made.</p>;
  if (model.failures.value.length === 0)
    return (
      <>
        <Savings model={model} />
        <RequestView model={model} request={request} />
      </>
    );
  return (
    <>
      <TemplateFailures model={model} />
      <Folded title="The request that would be sent">
        <RequestView model={model} request={request} />
      </Folded>
    </>
  );
}

// Names the template of a finding.
function placeOf({ path }: Diagnostic, { sections }: PromptDraft): string {
  const [, place = '', index = ''] = path.split('/');
  return place === 'sections'
    ? `The section ${sections[Number(index)]?.name ?? index}`
    : `The ${place} template`;
}

function TemplateFailures({ model }: PaneProps) {
  return (
    <section class="failed" role="alert" aria-label="Templates that fail">
      <h2 class="bad">A template fails</h2>
      <ul>
        {model.failures.value.map((finding) => (
          <li>
            <SeverityMark severity="error" />
            {placeOf(finding, model.prompt.value)}: {finding.message}
          </li>
        ))}
      </ul>
      <p>
        A conversation would send the source of a static template, and the variables of a dynamic
        one, instead of the text that you mean.
      </p>
    </section>
  );
}

function RequestView({ model, request }: PaneProps & { request: ShownRequest }) {
  const analysis = model.analysis.value;
  if (!analysis) return null;
  const { body, manifest, diagnostics } = request;
  const spans = spansOf(body, manifest);
  // Problems of templates are shown above, and a broken prefix is explained in words.
  const findings = diagnostics.filter(
    ({ code }) => !code.startsWith('template.') && code !== 'cache.prefix_broken',
  );
  return (
    <section aria-label="The request">
      <h2>The request</h2>
      <Choices model={model} analysis={analysis} />
      <h3>Layers by tokens</h3>
      <LayersBar model={model} manifest={manifest} spans={spans} analysis={analysis} />
      <LayerRows
        model={model}
        manifest={manifest}
        spans={spans}
        stableBytes={analysis.change?.firstByte}
      />
      <h3>Compared with the request before</h3>
      <Change change={analysis.change} request={request} />
      <Findings findings={findings} />
      <h3>The body, exactly as it is sent</h3>
      <BodyView model={model} request={request} spans={spans} change={analysis.change} />
    </section>
  );
}

function Choices({ model, analysis }: PaneProps & { analysis: PromptAnalysis }) {
  const { turn, turns } = analysis;
  const canUseChat = model.chat.value !== '';
  return (
    <div class="choices">
      <label>
        History{' '}
        <select
          value={canUseChat ? model.source.value : 'simulated'}
          onChange={({ currentTarget: { value } }) =>
            (model.source.value = value === 'chat' ? 'chat' : 'simulated')
          }
        >
          <option value="simulated">a simulated conversation</option>
          <option value="chat" disabled={!canUseChat}>
            your chat
          </option>
        </select>
      </label>
      <label>
        Newest message{' '}
        <input
          type="range"
          min={1}
          max={turns}
          value={turn + 1}
          disabled={turns < 2}
          onInput={({ currentTarget: { value } }) => (model.turn.value = Number(value) - 1)}
        />
      </label>
      <output>
        {turn + 1} of {turns}
      </output>
    </div>
  );
}

interface BarProps extends PaneProps {
  manifest: Manifest;
  spans: Span[];
  analysis: PromptAnalysis;
}

// Returns the layers and tools in the order of the body. What is no layer has the rest of the tokens.
function piecesOf({ layers, promptTokens }: Manifest, spans: Span[]): BarPiece[] {
  const sum = layers.reduce((total, { tokens }) => total + tokens, 0);
  const sizes = new Map<string, number>(layers.map(({ layer, tokens }) => [layer, tokens]));
  sizes.set('fields', Math.max(0, promptTokens - sum));
  const order = [...new Set(spans.map(({ layer }) => layer))];
  return order
    .map((layer) => ({
      layer,
      name: layer === 'fields' ? 'tools' : layer,
      size: sizes.get(layer) ?? 0,
    }))
    .filter(({ size }) => size > 0);
}

function LayersBar({ model, manifest, spans, analysis }: BarProps) {
  const { stablePrefixTokens, promptTokens, cache } = manifest;
  const minimum = analysis.implicitCacheMinimum;
  const isServed = minimum > 0 && stablePrefixTokens >= minimum;
  const share = Math.round((100 * stablePrefixTokens) / Math.max(1, promptTokens));
  const start = `Reusable start: about ${count(stablePrefixTokens)} of ${amount(promptTokens, 'token')} (${share} %). `;
  const below =
    minimum === 0
      ? 'No implicit cache is known for this model.'
      : `An implicit cache of this model begins at ${amount(minimum, 'token')}.`;
  return (
    <>
      <LayerBar
        pieces={piecesOf(manifest, spans)}
        reusable={stablePrefixTokens}
        unit="token"
        isServed={isServed}
        marked={model.marked.value}
        point={(layer) => model.point(layer)}
      />
      <p class="note">
        {start}
        {isServed ? 'It can be read from the implicit cache.' : below}
        {model.settings.value.caching && ` Explicit cache: ${withCommas(cache.reason)}.`}
      </p>
    </>
  );
}

interface ChangeProps {
  change: RequestChange | undefined;
  request: ShownRequest;
}

function Change({ change, request: { body } }: ChangeProps) {
  if (!change) return <p class="empty">There is nothing to compare: this is the first request.</p>;
  const { firstByte, reason } = change;
  const share = Math.floor((100 * firstByte) / body.length);
  return (
    <>
      <p>
        <b>First change:</b> <WithCode text={reason} /> The {amount(firstByte, 'byte')} before it (
        {share} %) are the same.
      </p>
    </>
  );
}

function Findings({ findings }: { findings: readonly Diagnostic[] }) {
  if (findings.length === 0) return null;
  return (
    <ul class="problems" aria-label="Findings">
      {findings.map(({ severity, message, code, path }) => (
        <li>
          <SeverityMark severity={severity} />
          <span>
            {message} <code>{code}</code> at <code>{path || 'the body'}</code>
          </span>
        </li>
      ))}
    </ul>
  );
}
