// What the dialog Recent shows, the saved sessions: open one, delete one, or start a new one.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { messageOf } from '../../../sdk/internal/messages.js';
import { Button } from '../../../ui/elements.js';
import type { ViewContext } from '../../app.js';
import type { PageState } from '../../state/page-state.js';
import type { Opened, Sessions } from './sessions.js';

const savedNote = 'Saved in this browser only. An API key is never saved.';
const unsavedNote =
  'This browser refuses storage here, so these last until you leave or reload the page.';
const copyNote = 'Another tab has this open. This is a copy, which is saved when you change it.';

const time = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** Says above the view that the open session is a copy. */
export function showCopy(page: PageState, opened: Opened): void {
  if (opened === 'copy') page.guide.value = { label: 'Copy', content: <p>{copyNote}</p> };
}

export interface DialogProps {
  context: ViewContext;
  sessions: Sessions;
  close: () => void;
}

export function Recent({ context: { page }, sessions, close }: DialogProps) {
  const problem = useSignal('');
  const attempt = (action: () => Promise<unknown>) => {
    problem.value = '';
    action().catch((error: unknown) => (problem.value = messageOf(error)));
  };
  // Other tabs change the list.
  useEffect(() => attempt(() => sessions.load()), []);
  const start = async () => {
    await sessions.create();
    close();
    page.announce('Started a new session');
  };
  const open = async (id: string) => {
    showCopy(page, await sessions.open(id));
    close();
  };
  const remove = async (id: string, name: string) => {
    const restore = await sessions.remove(id);
    close();
    page.offers.offer(`Deleted ${name}`, restore);
  };
  return (
    <>
      <p class="note">{sessions.storage.isLasting ? savedNote : unsavedNote}</p>
      <p class="bad" role="alert">
        {problem}
      </p>
      <ul class="stack recent">
        {sessions.rows.value.map(({ id, name, changed }) => {
          const isCurrent = id === sessions.openId;
          return (
            <li key={id}>
              <button
                type="button"
                class="title"
                aria-current={isCurrent}
                onClick={() => attempt(() => open(id))}
              >
                <span class="ellipsis">{name}</span>
                <small>{isCurrent ? 'Current' : time.format(changed)}</small>
              </button>
              <Button
                label="Delete"
                aria-label={`Delete ${name}`}
                action={() => attempt(() => remove(id, name))}
              />
            </li>
          );
        })}
      </ul>
      <Button label="New session" isMain action={() => attempt(start)} />
    </>
  );
}
