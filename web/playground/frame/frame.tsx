// Draws the page: header, one view at a time with the settings beside it, footer and dialogs.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { messageOf } from '../../sdk/internal/messages.js';
import { Button, Dialog, isTextField, useLoaded } from '../../ui/elements.js';
import type { ViewContext, ViewName, ViewProps } from '../app.js';
import type { DialogName, PageState, Guide, UndoOffers } from '../state/page-state.js';
import { viewNames } from '../state/playground-document.js';
import { panelId, tabId, viewLabels, Header } from './header.js';
import { Recent, type DialogProps } from './recent/recent-dialog.js';
import type { SaveState } from './recent/sessions.js';
import { SettingsPanel } from './settings/settings-panel.js';

type View = (props: ViewProps) => preact.JSX.Element;

/** Loads the component of each view. */
export type ViewLoaders = Record<ViewName, () => Promise<View>>;

interface PanelProps {
  name: ViewName;
  load: () => Promise<View>;
  context: ViewContext;
}

// A view, which is loaded when it is opened for the first time, and then stays.
function Panel({ name, load, context }: PanelProps) {
  const opened = context.page.opened.value;
  const isOpen = opened.view === name;
  const wasOpened = useRef(false);
  wasOpened.current ||= isOpen;
  const isWanted = wasOpened.current;
  const { value: View, failure, again } = useLoaded(isWanted ? load : undefined, [isWanted]);
  return (
    <section
      id={panelId(name)}
      class="view"
      role="tabpanel"
      aria-labelledby={tabId(name)}
      hidden={!isOpen}
    >
      {View && <View context={context} opened={isOpen ? opened : undefined} />}
      {failure !== undefined && (
        <div class="stack load-failure" role="alert">
          <p>{`The view ${viewLabels[name]} failed to load: ${messageOf(failure)}`}</p>
          <Button label="Try again" action={again} />
        </div>
      )}
    </section>
  );
}

interface FrameProps extends Omit<DialogProps, 'close'> {
  loaders: ViewLoaders;
  /** Called when the user selects a tab. */
  openView: (view: ViewName) => void;
}

function saveNote(state: SaveState, isLasting: boolean): string {
  if (!isLasting) return 'This browser refuses storage here: nothing is saved.';
  if (typeof state === 'object') return `The last change is not saved: ${messageOf(state.failed)}`;
  // As long as each other, so that what stands before them does not move.
  return { new: '', saved: 'Saved in this browser.', saving: 'Saving in this browser' }[state];
}

function GuideBar({ page, guide }: { page: PageState; guide: Guide }) {
  return (
    <section class="guide" aria-label={guide.label}>
      <div class="stack" role={guide.isProblem ? 'alert' : undefined}>
        {guide.content}
      </div>
      <Button label="Dismiss" action={() => (page.guide.value = undefined)} />
    </section>
  );
}

/** Binds Ctrl+Z. In a text field it undoes what was typed there, and in a dialog nothing. */
export function bindUndo(offers: UndoOffers): void {
  document.addEventListener('keydown', (event) => {
    const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey);
    if (!isUndo || event.shiftKey || event.altKey || event.defaultPrevented) return;
    if (isTextField(event.target) || document.querySelector('dialog:modal')) return;
    event.preventDefault();
    (offers.shown.peek()?.undo ?? (() => offers.undo()))();
  });
}

/** The offer, with the buttons Undo and Dismiss. It does not end while they have the focus. */
function OfferBar({ offers }: { offers: UndoOffers }) {
  const bar = useRef<HTMLDivElement>(null);
  /** What had the focus before the buttons. */
  const before = useRef<HTMLElement | null>(null);
  const offer = offers.shown.value;
  const hadFocus = bar.current?.contains(document.activeElement) ?? false;
  // The focus would fall out of the page with the button that has it.
  useLayoutEffect(() => {
    if (hadFocus && document.activeElement === document.body) before.current?.focus();
  }, [offer]);
  if (!offer) return null;
  const entered = ({ relatedTarget }: FocusEvent) => {
    const isInside = relatedTarget instanceof Node && bar.current?.contains(relatedTarget);
    if (!isInside) before.current = relatedTarget as HTMLElement | null;
    offers.hold(true);
  };
  return (
    <div
      ref={bar}
      id="offers"
      class="offer"
      role="region"
      aria-label="Undo"
      onFocusIn={entered}
      onFocusOut={() => offers.hold(false)}
    >
      <span class="ellipsis">{offer.sentence}</span>
      <Button label="Undo" title="Ctrl+Z" action={offer.undo} />
      <Button label="Dismiss" action={() => offers.end()} />
    </div>
  );
}

function Footer({ context: { service, page }, sessions }: FrameProps) {
  const sent = service.kind === 'api' ? 'Requests are sent only to Google.' : 'Nothing is sent.';
  return (
    <footer>
      <p class="ellipsis">Runs in your browser. {sent}</p>
      <OfferBar offers={page.offers} />
      <p id="saving" class="ellipsis" role="status">
        {saveNote(sessions.state.value, sessions.storage.isLasting)}
      </p>
      <p id="version">{page.core}</p>
    </footer>
  );
}

type DialogContent = (props: DialogProps) => preact.JSX.Element;

const dialogs: Record<DialogName, { title: string; load: () => Promise<DialogContent> }> = {
  recent: { title: 'Recent', load: async () => Recent },
  share: {
    title: 'Share',
    load: async () => (await import('./share/share-content.js')).ShareContent,
  },
  examples: {
    title: 'Examples',
    load: async () => (await import('../lint/rules/examples.js')).Examples,
  },
};

function OpenDialog({ context, sessions }: FrameProps) {
  const { page } = context;
  const name = page.dialog.value;
  const { title = '', load } = name === undefined ? {} : dialogs[name];
  const { value: Content, failure } = useLoaded(load, [name]);
  const close = () => (page.dialog.value = undefined);
  return (
    <Dialog title={title} isOpen={name !== undefined} close={close}>
      {Content && <Content context={context} sessions={sessions} close={close} />}
      <p class="bad" role="alert">
        {failure !== undefined && `This did not open: ${messageOf(failure)}`}
      </p>
    </Dialog>
  );
}

/** The whole page. */
export function Frame(props: FrameProps) {
  const { page } = props.context;
  const { view } = page.opened.value;
  const guide = page.guide.value;
  return (
    <>
      <Header {...props.context} openView={props.openView} />
      <div class="workspace">
        <SettingsPanel {...props.context} />
        <main class="column">
          {guide && (guide.view ?? view) === view && <GuideBar page={page} guide={guide} />}
          {viewNames.map((name) => (
            <Panel key={name} name={name} load={props.loaders[name]} context={props.context} />
          ))}
        </main>
      </div>
      <Footer {...props} />
      <OpenDialog {...props} />
      <p id="announcements" class="hidden" role="status">
        {page.announcement}
      </p>
    </>
  );
}
