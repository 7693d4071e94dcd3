// Reads the user's key and says which service answers. The key is only in its field and in the Service.
import type { Service, ServiceKind } from '../../state/service.js';

const notes: Record<ServiceKind, string> = {
  emulator: 'The emulator in this page answers. Nothing is sent.',
  api: 'Requests are sent only to generativelanguage.googleapis.com.',
  none: 'This key contains a space or another invalid character.',
};

const memoryNote = 'A key is kept in memory only, until you leave or reload the page.';
const rememberedNote = 'This key is kept until you close this tab.';

/** The fields of the key. `onEnter` is called when the user confirms the key with Enter. */
export function KeyFields({ service, onEnter }: { service: Service; onEnter: () => void }) {
  const { kind, apiKey, isRemembered } = service;
  const read = (field: HTMLInputElement) => service.setKey(field.value.trim());
  const keyDown = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    read(event.currentTarget);
    onEnter();
  };
  const isKept = isRemembered && kind === 'api';
  return (
    <div class="fields">
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
      <label class="switch">
        <input
          id="remember"
          type="checkbox"
          checked={isRemembered}
          onChange={(event) => service.remember(event.currentTarget.checked)}
        />{' '}
        Remember in this tab
      </label>
      <p id="key-note" class="note">
        {`${notes[kind]} ${isKept ? rememberedNote : memoryNote}`}
      </p>
    </div>
  );
}
