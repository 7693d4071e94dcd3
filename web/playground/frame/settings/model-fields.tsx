// Selects the model, one of a list or any other name, and shows what the catalogue knows about it.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ModelLimits } from '../../../index.js';
import { messageOf } from '../../../sdk/internal/messages.js';
import { Facts, Select, useLoaded } from '../../../ui/elements.js';
import { count } from '../../../ui/format.js';
import type { CoreHolder } from '../../engine/core-holder.js';
import { defaultModel, type DocumentSettings } from '../../state/playground-document.js';

/** The models in the list. Any other name can be typed. */
const listedModels = [
  defaultModel,
  'gemini-4-argon',
  'gemini-3.5-flash-lite',
  'gemini-3.1-pro-preview',
  'gemini-2.5-pro',
  'gemini-2.5-flash',
];

const other = 'Another model';

function cachingOf({ cacheMinimum, explicitCache, implicitCacheMinimum }: ModelLimits): string {
  const byItself =
    implicitCacheMinimum > 0 ? `by itself from ${count(implicitCacheMinimum)} tokens` : '';
  const explicit = explicitCache ? `explicitly from ${count(cacheMinimum)} tokens` : '';
  return [byItself, explicit].filter(Boolean).join(', ') || 'none';
}

function pricesOf({ price }: ModelLimits): string {
  if (!price) return 'unknown: the catalogue has no row for this name';
  const { input, cacheRead, output } = price;
  return `$${input} input, $${cacheRead} cached, $${output} output, per million tokens`;
}

function rowsOf(model: string, known: ModelLimits): [string, string][] {
  const { servedBy, retired, contextTokens, outputTokens, thinkingLevels } = known;
  const rows: [string, string][] = [
    ['Context', `${count(contextTokens)} tokens`],
    ['Answer', `up to ${count(outputTokens)} tokens`],
    ['Thinking levels', thinkingLevels.join(', ') || 'none'],
    ['Caching', cachingOf(known)],
    ['Prices', pricesOf(known)],
  ];
  if (servedBy !== model) rows.unshift(['Served by', servedBy]);
  if (retired) rows.unshift(['Retired', 'the service no longer serves this model']);
  return rows;
}

interface ModelProps {
  settings: DocumentSettings;
  core: CoreHolder;
  /** Called with each model that the user selects or types. */
  change: (model: string) => void;
}

/** The list, a field for another name, and what is known about the model. */
export function ModelFields({ settings, core, change }: ModelProps) {
  const { model, backend } = settings;
  const { value: known, failure } = useLoaded(
    async () =>
      (await core.shared()).modelLimits(model, { backend, now: new Date().toISOString() }),
    [model, backend],
  );
  const rows = known ? rowsOf(model, known) : [];
  if (failure !== undefined) rows.push(['Unknown', messageOf(failure)]);
  const isListed = listedModels.includes(model);
  const [isTyping, setTyping] = useState(false);
  const name = useRef<HTMLInputElement>(null);
  const isOther = isTyping || !isListed;
  useEffect(() => {
    if (isTyping) name.current?.focus();
  }, [isTyping]);
  const select = (value: string) => {
    setTyping(value === other);
    if (value !== other) change(value);
  };
  const typed = (value: string) => {
    const changed = value.trim().replace(/^models\//, '');
    if (changed === '') return;
    setTyping(false);
    change(changed);
  };
  return (
    <div class="stack fields">
      <Select
        id="model"
        label="Model"
        value={isOther ? other : model}
        options={Object.fromEntries([...listedModels, other].map((name) => [name, name]))}
        change={select}
      />
      {isOther && (
        <input
          ref={name}
          id="model-name"
          aria-label="Name of the model"
          placeholder="gemini-…"
          autocomplete="off"
          spellcheck={false}
          value={isListed ? '' : model}
          onChange={(event) => typed(event.currentTarget.value)}
        />
      )}
      <Facts label="What is known about the model" rows={rows} />
    </div>
  );
}
