// The right pane: what a cache saves, and the request at one message: its layers, what changed, and its body.
import { LayerBar, type BarPiece } from '../../ui/layer-bar.js';
import { Folded, Select, SeverityMark, withCode } from '../../ui/elements.js';
import { amount, count } from '../../ui/format.js';
import type { Diagnostic, Manifest } from '../../index.js';
import { spansOf, type Span } from '../engine/layers.js';
import type { ShownRequest } from '../engine/prompt-result.js';
import { BodyView, LayerRows, type RequestProps } from './layers.js';
import type { PromptModel } from './prompt-model.js';
import { Savings } from './savings.js';

/** The request. One that a template's error has spoiled is folded away behind that error. */
export function RequestPane({ model }: { model: PromptModel }) {
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

function TemplateFailures({ model }: { model: PromptModel }) {
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

function RequestView({ model, request }: { model: PromptModel; request: ShownRequest }) {
  const { body, manifest, diagnostics } = request;
  const { change } = model.analysis.value ?? {};
  const shown = { model, request, change, spans: spansOf(body, manifest) };
  // Problems of templates are shown above, and a broken prefix is explained in words.
  const findings = diagnostics.filter(
    ({ code }) => !code.startsWith('template.') && code !== 'cache.prefix_broken',
  );
  return (
    <section class="stack" aria-label="The request">
      <h2>The request</h2>
      <History model={model} />
      <h3>Layers by tokens</h3>
      <LayersBar {...shown} />
      <LayerRows {...shown} />
      <h3>Compared with the request before</h3>
      <Change {...shown} />
      <Findings findings={findings} />
      <h3>The body, exactly as it is sent</h3>
      <BodyView {...shown} />
    </section>
  );
}

// Which conversation the request continues.
function History({ model }: { model: PromptModel }) {
  const simulated = 'a simulated conversation';
  const hasChat = model.chat.value !== '';
  return (
    <div class="row">
      <Select
        id="history"
        label="History"
        value={hasChat ? model.source.value : 'simulated'}
        options={hasChat ? { simulated, chat: 'your chat' } : { simulated }}
        change={(source) => (model.source.value = source)}
      />
    </div>
  );
}

// Returns the layers and tools in the order of the body. What is no layer has the rest of the tokens.
function piecesOf({ layers, promptTokens }: Manifest, spans: Span[]): BarPiece[] {
  const sizes = new Map<string, number>(layers.map(({ layer, tokens }) => [layer, tokens]));
  const others = layers.reduce((rest, { tokens }) => rest - tokens, promptTokens);
  const sizeOf = (layer: string) => sizes.get(layer) ?? others;
  return [...new Set(spans.map(({ layer }) => layer))]
    .map((layer) => ({ layer, name: layer.replace('fields', 'tools'), size: sizeOf(layer) }))
    .filter(({ size }) => size > 0);
}

function LayersBar({ model, request: { manifest }, spans }: RequestProps) {
  const { stablePrefixTokens, promptTokens } = manifest;
  const minimum = model.analysis.value?.implicitCacheMinimum ?? 0;
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

function Change({ change, request: { body } }: RequestProps) {
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
