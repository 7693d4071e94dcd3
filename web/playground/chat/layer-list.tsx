// Shows the bytes of a request, layer by layer in the order of the body: as sent, or indented for reading.
import { useState } from 'preact/hooks';
import type { LayerName, Manifest } from '../../index.js';
import { CopyButton, Folded, LongText, Switch } from '../../ui/elements.js';
import { amount, count } from '../../ui/format.js';
import { splitSignatures } from '../engine/signatures.js';
import { layerMeanings, readable, type Span } from '../engine/layers.js';
import { Signature } from './call-view.js';

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
      <figcaption class="row between">
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

function RunView({
  run,
  manifest,
  isIndented,
}: {
  run: Run;
  manifest: Manifest;
  isIndented: boolean;
}) {
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
        <span class={layer} />
        {layer}
        <small>{isContinued ? 'continued' : whole}</small>
      </h3>
      <p class="meaning">{layerMeanings[row.layer]}</p>
      {views.length > 0 ? views : <p class="empty">{empty[row.layer] ?? ''}</p>}
    </section>
  );
}

/** The layers of a request. */
export function LayerList({ spans, manifest }: { spans: readonly Span[]; manifest: Manifest }) {
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
