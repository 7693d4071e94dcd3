// Shows the settings beside the views, or over them in narrow windows: key, model, service, generationConfig, tools.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isObject } from '../../../sdk/internal/json.js';
import { messageOf } from '../../../sdk/internal/messages.js';
import {
  Button,
  CodeField,
  Facts,
  Folded,
  Select,
  Switch,
  useLoaded,
} from '../../../ui/elements.js';
import { count } from '../../../ui/format.js';
import type { ViewContext } from '../../app.js';
import { declarationsIn, declarationsText, ifValid } from '../../engine/declaration.js';
import { backendNames } from '../../engine/lint-verdict.js';
import { defaultModel, type DocumentSettings } from '../../state/playground-document.js';
import type { Service, ServiceKind } from '../../state/service.js';
import type { ModelLimits } from '../../../index.js';
import type { CoreHolder } from '../../engine/core-holder.js';

const narrow = '(max-width: 62rem)';

const keyNotes: Record<ServiceKind, string> = {
  emulator: 'The emulator in this page answers. Nothing is sent.',
  api: 'Requests are sent only to generativelanguage.googleapis.com.',
  none: 'This key contains a space or another invalid character.',
};
const memoryNote = 'A key is kept in memory only, until you leave or reload the page.';
const rememberedNote = 'This key is kept until you close this tab.';
const backendNote =
  'Vertex AI has rules of its own, which lint and the emulator follow. A key of this page works with the Gemini API only.';
const cachingNote = 'The chat may create a cache at Google, or in the emulator, when it pays off.';

/** The fields of the key, which is only here and in the Service. `onEnter`: the user confirmed it with Enter. */
function KeyFields({ service, onEnter }: { service: Service; onEnter: () => void }) {
  const { kind, apiKey, isRemembered } = service;
  const read = (field: HTMLInputElement) => (service.apiKey = field.value.trim());
  const keyDown = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    read(event.currentTarget);
    onEnter();
  };
  const isKept = isRemembered && kind === 'api';
  return (
    <div class="stack fields">
      <label for="key">API key</label>
      <input
        id="key"
        type="password"
        autocomplete="off"
        spellcheck={false}
        placeholder="optional"
        value={apiKey}
        aria-invalid={kind === 'none'}
        aria-describedby="key-note"
        onChange={(event) => read(event.currentTarget)}
        onKeyDown={keyDown}
      />
      <Switch
        label="Remember in this tab"
        isOn={isRemembered}
        change={(isOn) => (service.isRemembered = isOn)}
      />
      <p id="key-note" class="note">
        {`${keyNotes[kind]} ${isKept ? rememberedNote : memoryNote}`}
      </p>
    </div>
  );
}

interface FieldsProps {
  settings: DocumentSettings;
  /** `undo` is the label of a removal. */
  change: (changes: Partial<DocumentSettings>, undo?: string) => void;
}

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

function ModelFields({ settings, core, change }: FieldsProps & { core: CoreHolder }) {
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
    if (value !== other) change({ model: value });
  };
  const typed = (value: string) => {
    const changed = value.trim().replace(/^models\//, '');
    if (changed === '') return;
    setTyping(false);
    change({ model: changed });
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

function ServiceFields({ settings, change }: FieldsProps) {
  return (
    <div class="stack fields">
      <Select
        id="backend"
        label="Service"
        value={settings.backend}
        options={backendNames}
        change={(backend) => change({ backend })}
      />
      <p class="note">{backendNote}</p>
      <Switch
        label="Explicit caching"
        isOn={settings.caching}
        change={(caching) => change({ caching })}
      />
      <p class="note">{cachingNote}</p>
    </div>
  );
}

interface JsonProps {
  id: string;
  label: string;
  placeholder: string;
  /** What is saved, as text. */
  saved: string;
  /** Saves what a text means, and returns that as text. Throws if it cannot be read. */
  read: (text: string) => string;
}

// A field for JSON. What is typed is used as soon as it can be read, and replaced when something else is saved.
function JsonField({ id, label, placeholder, saved, read }: JsonProps) {
  const [typed, setTyped] = useState({ text: saved, problem: '', saved });
  const { text, problem } = typed.saved === saved ? typed : { text: saved, problem: '' };
  const type = (written: string) => {
    try {
      setTyped({ text: written, problem: '', saved: read(written) });
    } catch (error) {
      setTyped({ text: written, problem: messageOf(error), saved });
    }
  };
  return <CodeField rows={10} {...{ id, label, placeholder, text, problem, type }} />;
}

function ConfigFields({ settings, change }: FieldsProps) {
  const read = (generationConfig: string) => {
    if (generationConfig.trim() !== '' && !isObject(JSON.parse(generationConfig)))
      throw new TypeError('This is not a JSON object.');
    change({ generationConfig });
    return generationConfig;
  };
  return (
    <div class="group">
      <Folded title="generationConfig">
        <JsonField
          id="generation-config"
          label="Temperature, thinking, output and all else, as JSON"
          placeholder={
            '{\n  "temperature": 0.7,\n  "thinkingConfig": { "thinkingLevel": "LOW" }\n}'
          }
          saved={settings.generationConfig}
          read={read}
        />
      </Folded>
    </div>
  );
}

const example = {
  name: 'my_tool',
  description: 'Returns what it knows about a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

function Tools({ settings, change }: FieldsProps) {
  const { tools, demonstration = true } = settings;
  const declared = useMemo(() => ifValid(() => declarationsIn(tools)) ?? [], [tools]);
  const read = (text: string) => {
    const written = declarationsText(declarationsIn(text));
    change({ tools: written });
    return written;
  };
  return (
    <div id="tools" class="group">
      <Folded title={declared.length === 0 ? 'Tools' : `Tools: ${count(declared.length)}`}>
        <p class="note">
          {demonstration && 'Without tools of your own, the chat declares two of a demonstration. '}
          Calls of your tools wait until you write their result.
        </p>
        <JsonField
          id="tools-json"
          label="functionDeclarations, or a request that has some"
          placeholder=""
          saved={tools}
          read={read}
        />
        <div class="actions">
          <Button
            label="Add a tool"
            action={() => change({ tools: declarationsText([...declared, example]) })}
          />
          {declared.length > 0 && (
            <Button label="Remove all" action={() => change({ tools: '' }, 'Removed the tools')} />
          )}
        </div>
      </Folded>
    </div>
  );
}

function SettingsFields(context: ViewContext & { close: () => void }) {
  const { document, service, core, page, close } = context;
  const { settings } = document.value;
  const change: FieldsProps['change'] = (changes, undo) =>
    document.update({ settings: { ...document.value.settings, ...changes } }, undo);
  const entered = () => {
    if (matchMedia(narrow).matches) close();
    context.open(page.opened.value.view, 'message');
  };
  return (
    <>
      <KeyFields service={service} onEnter={entered} />
      <ModelFields settings={settings} core={core} change={change} />
      <ServiceFields settings={settings} change={change} />
      <ConfigFields settings={settings} change={change} />
      <Tools settings={settings} change={change} />
    </>
  );
}

/** The panel. Its fields are those of the open session: another one gets new fields. */
export function SettingsPanel(context: ViewContext) {
  const { page } = context;
  const dialog = useRef<HTMLDialogElement>(null);
  const opener = useRef<Element | null>(null);
  const { isOpen, field = 'model' } = page.settings.value;
  // The fields stay with what is typed in them, which may not be valid yet.
  const wasOpened = useRef(false);
  wasOpened.current ||= isOpen;
  const close = () => (page.settings.value = { isOpen: false });
  useLayoutEffect(() => {
    const panel = dialog.current;
    if (!panel) return;
    if (isOpen) {
      if (!panel.open) opener.current = document.activeElement;
      if (!panel.open && matchMedia(narrow).matches) panel.showModal();
      else if (!panel.open) panel.show();
      panel.querySelector<HTMLElement>(`#${CSS.escape(field)}`)?.focus();
    } else if (panel.open) {
      panel.close();
      if (opener.current instanceof HTMLElement) opener.current.focus();
    }
  }, [page.settings.value]);
  // A dialog beside the views does not close by itself on Escape.
  const escape = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) close();
  };
  return (
    <dialog
      ref={dialog}
      class="side"
      aria-label="Settings"
      onKeyDown={escape}
      onClose={() => {
        if (page.settings.peek().isOpen) close();
      }}
    >
      <div class="row between">
        <h2>Settings</h2>
        <Button label="Close" action={close} />
      </div>
      {wasOpened.current && <SettingsFields key={page.session.value} {...context} close={close} />}
    </dialog>
  );
}
