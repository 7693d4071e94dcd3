// The right pane: what a cache saves, and the request at one message: its layers, what changed, and its body.
import { LayerBar, type BarPiece } from '../../ui/layer-bar.js';
import { Folded, SeverityMark, withCode } from '../../ui/elements.js';
import { amount, count } from '../../ui/format.js';
import type { Diagnostic, Manifest } from '../../index.js';
import { spansOf, type Span } from '../engine/layers.js';
import type { PromptAnalysis, RequestChange, ShownRequest } from '../engine/prompt-result.js';
import { BodyView, LayerRows } from './layers.js';
import type { PromptModel } from './prompt-model.js';
import { Savings } from './savings.js';

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

function TemplateFailures({ model }: PaneProps) {
  return (
    <section class="stack" role="alert" aria-label="Templates that fail">
      <h2 class="bad">A template fails</h2>
      <ul>
        {model.failures.value.map((finding) => (
          <li>
            <SeverityMark severity="error" />
            {`The ${finding.path.split('/')[1]} template: ${finding.message}`}
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
    <section class="stack" aria-label="The request">
      <h2>The request</h2>
      <History model={model} />
      <h3>Layers by tokens</h3>
      <LayersBar model={model} manifest={manifest} spans={spans} analysis={analysis} />
      <LayerRows
        model={model}
        manifest={manifest}
        spans={spans}
        stableBytes={analysis.change?.firstByte}
      />
      <h3>Compared with the request before</h3>
      <Change change={analysis.change} body={body} />
      <Findings findings={findings} />
      <h3>The body, exactly as it is sent</h3>
      <BodyView model={model} request={request} spans={spans} change={analysis.change} />
    </section>
  );
}

// Which conversation the request continues.
function History({ model }: PaneProps) {
  const canUseChat = model.chat.value !== '';
  return (
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
  const { stablePrefixTokens, promptTokens } = manifest;
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
      </p>
    </>
  );
}

function Change({ change, body }: { change: RequestChange | undefined; body: Uint8Array }) {
  if (!change) return <p class="empty">There is nothing to compare: this is the first request.</p>;
  const { firstByte, reason } = change;
  const share = Math.floor((100 * firstByte) / body.length);
  return (
    <p>
      <b>First change:</b> {withCode(reason)} The {amount(firstByte, 'byte')} before it ({share} %)
      are the same.
    </p>
  );
}

function Findings({ findings }: { findings: readonly Diagnostic[] }) {
  if (findings.length === 0) return null;
  return (
    <ul class="stack problems" aria-label="Findings">
      {findings.map(({ severity, message, code, path }) => (
        <li class="row">
          <SeverityMark severity={severity} />
          <span>
            {message} <code>{code}</code> at <code>{path || 'the body'}</code>
          </span>
        </li>
      ))}
    </ul>
  );
}
