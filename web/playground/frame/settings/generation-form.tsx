// Edits the generationConfig of the document, by form or as JSON.
import { useEffect, useState } from 'preact/hooks';
import type { Json } from '../../../index.js';
import { textOf } from '../../../sdk/internal/json.js';
import { Folded } from '../../../ui/elements.js';
import type { CoreHolder } from '../../engine/core-holder.js';
import type { DocumentSettings } from '../../state/playground-document.js';
import { fieldAt, parseFields, setField } from './generation-config.js';
import { useLimits } from './model-fields.js';

interface NumberField {
  name: string;
  label: string;
  min: number;
  max?: number;
  step: string;
}

const numberFields: NumberField[] = [
  { name: 'temperature', label: 'Temperature', min: 0, max: 2, step: '0.1' },
  { name: 'topP', label: 'Top P', min: 0, max: 1, step: '0.05' },
  { name: 'topK', label: 'Top K', min: 1, step: '1' },
  { name: 'maxOutputTokens', label: 'Output limit', min: 1, step: '1' },
  { name: 'seed', label: 'Seed', min: 0, step: '1' },
];

const levelPath = ['thinkingConfig', 'thinkingLevel'];
const thoughtsPath = ['thinkingConfig', 'includeThoughts'];
const thoughtsChoices = [
  ['', 'playground’s default'],
  ['true', 'yes'],
  ['false', 'no'],
] as const;

interface FormProps {
  settings: DocumentSettings;
  core: CoreHolder;
  /** Called with each changed text that is JSON. */
  change: (generationConfig: string) => void;
}

function NumberInput({ field, text, set }: { field: NumberField; text: string; set: Setter }) {
  const { name, label, min, max, step } = field;
  const value = fieldAt(text, [name]);
  const typed = (input: HTMLInputElement) =>
    set([name], input.value === '' ? undefined : input.valueAsNumber);
  return (
    <>
      <label for={`config-${name}`}>{label}</label>
      <input
        id={`config-${name}`}
        type="number"
        min={min}
        max={max}
        step={step}
        placeholder="default"
        value={typeof value === 'number' ? value : ''}
        onInput={(event) => typed(event.currentTarget)}
      />
    </>
  );
}

type Setter = (path: readonly string[], value: Json | undefined) => void;

function ThinkingFields({ text, set, levels }: { text: string; set: Setter; levels: string[] }) {
  const level = textOf(fieldAt(text, levelPath));
  const thoughts = fieldAt(text, thoughtsPath);
  const offered = level === '' || levels.includes(level) ? levels : [...levels, level];
  return (
    <>
      <label for="thinking-level">Thinking level</label>
      <select
        id="thinking-level"
        value={level}
        onChange={(event) => set(levelPath, event.currentTarget.value || undefined)}
      >
        <option value="">model’s default</option>
        {offered.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      <label for="include-thoughts">Include thoughts</label>
      <select
        id="include-thoughts"
        value={typeof thoughts === 'boolean' ? String(thoughts) : ''}
        onChange={({ currentTarget: { value } }) =>
          set(thoughtsPath, value === '' ? undefined : value === 'true')
        }
      >
        {thoughtsChoices.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </>
  );
}

/** The fields of the generationConfig. */
export function GenerationForm({ settings, core, change }: FormProps) {
  const saved = settings.generationConfig;
  /** What was typed as JSON: it may not be an object yet. */
  const [typed, setTyped] = useState(saved);
  const isObject = parseFields(typed) !== undefined;
  const known = useLimits(core, settings);
  const levels = typeof known === 'object' ? [...known.thinkingLevels] : [];
  useEffect(() => {
    if (isObject) setTyped(saved);
  }, [saved]);
  const set: Setter = (path, value) => change(setField(saved, path, value));
  const type = (text: string) => {
    setTyped(text);
    if (parseFields(text) !== undefined) change(text);
  };
  return (
    <div class="group">
      <Folded title="generationConfig">
        <div class="pairs">
          {numberFields.map((field) => (
            <NumberInput key={field.name} field={field} text={saved} set={set} />
          ))}
          <ThinkingFields text={saved} set={set} levels={levels} />
        </div>
        <label for="generation-config">The same as JSON</label>
        <textarea
          id="generation-config"
          rows={6}
          spellcheck={false}
          placeholder={'{ "temperature": 0.7 }'}
          aria-invalid={!isObject}
          value={typed}
          onInput={(event) => type(event.currentTarget.value)}
        />
        <p class="bad" role="status">
          {isObject ? '' : 'This is not a JSON object, so it is not used yet.'}
        </p>
      </Folded>
    </div>
  );
}
