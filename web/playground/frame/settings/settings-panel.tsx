// Shows the settings beside the views: key, model, service, generationConfig and tools. In narrow windows it covers them.
import type { ComponentChild } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../../ui/elements.js';
import type { ViewContext } from '../../app.js';
import { backendNames } from '../../engine/words.js';
import type { DocumentSettings } from '../../state/playground-document.js';
import { GenerationForm } from './generation-form.js';
import { KeyFields } from './key-fields.js';
import { ModelFields } from './model-fields.js';

const narrow = '(max-width: 62rem)';

const backendNote =
  'Vertex AI has rules of its own, which lint and the emulator follow. A key of this page works with the Gemini API only.';
const cachingNote = 'The chat may create a cache at Google, or in the emulator, when it pays off.';

interface FieldsProps {
  settings: DocumentSettings;
  change: (changes: Partial<DocumentSettings>) => void;
}

function ServiceFields({ settings, change }: FieldsProps) {
  const select = (value: string) => change({ backend: value === 'vertex' ? 'vertex' : 'gemini' });
  return (
    <div class="fields">
      <label for="backend">Service</label>
      <select
        id="backend"
        value={settings.backend}
        onChange={(event) => select(event.currentTarget.value)}
      >
        {Object.entries(backendNames).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <p class="note">{backendNote}</p>
    </div>
  );
}

function CachingFields({ settings, change }: FieldsProps) {
  return (
    <div class="fields">
      <label class="switch">
        <input
          id="caching"
          type="checkbox"
          checked={settings.caching}
          onChange={(event) => change({ caching: event.currentTarget.checked })}
        />{' '}
        Explicit caching
      </label>
      <p class="note">{cachingNote}</p>
    </div>
  );
}

/** The form of the tools, which the chat's folder has: it is loaded with the first opening of the settings. */
function ToolsSlot({ document, core }: ViewContext) {
  const [form, setForm] = useState<ComponentChild>();
  useEffect(() => {
    void import('../../chat/tool-form.js').then(({ ToolForm }) =>
      setForm(<ToolForm document={document} core={core} />),
    );
  }, []);
  return <>{form}</>;
}

function SettingsFields(context: ViewContext & { close: () => void }) {
  const { document, service, core, page, close } = context;
  const { settings } = document.value;
  const change = (changes: Partial<DocumentSettings>) =>
    document.update((value) => ({ ...value, settings: { ...value.settings, ...changes } }));
  const entered = () => {
    if (matchMedia(narrow).matches) close();
    context.open(page.opened.value.view, 'message');
  };
  return (
    <>
      <KeyFields service={service} onEnter={entered} />
      <ModelFields settings={settings} core={core} change={(model) => change({ model })} />
      <ServiceFields settings={settings} change={change} />
      <CachingFields settings={settings} change={change} />
      <GenerationForm
        settings={settings}
        core={core}
        change={(generationConfig) => change({ generationConfig })}
      />
      <ToolsSlot {...context} />
    </>
  );
}

/** The panel. Its fields are those of the open session: another one gets new fields. */
export function SettingsPanel(context: ViewContext) {
  const { page } = context;
  const dialog = useRef<HTMLDialogElement>(null);
  const opener = useRef<Element | null>(null);
  const { isOpen, field = 'model' } = page.settings.value;
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
      <div class="side-head">
        <h2>Settings</h2>
        <Button label="Close" action={close} />
      </div>
      {isOpen && <SettingsFields key={page.session.value} {...context} close={close} />}
    </dialog>
  );
}
