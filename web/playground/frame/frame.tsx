// Draws the page: header, one view at a time with the settings beside it, footer and dialogs.
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { messageOf } from '../../sdk/internal/messages.js';
import { Button, Dialog } from '../../ui/elements.js';
import type { ViewContext, ViewName, ViewProps } from '../app.js';
import type { PageState, Guide } from '../state/page-state.js';
import { viewNames } from '../state/playground-document.js';
import { panelId, tabId, viewLabels, Header } from './header.js';
import { render } from 'preact';
import type { ServiceKind } from '../state/service.js';
import { OfferBar } from './offer-bar.js';
import { RecentDialog } from './recent/recent-dialog.js';
import type { SaveState, Sessions } from './recent/sessions.js';
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
  const [loaded, setLoaded] = useState<{ view?: View; failure?: string }>({});
  const opened = context.page.opened.value;
  const isOpen = opened.view === name;
  const show = () => {
    setLoaded({});
    load().then(
      (view) => setLoaded({ view }),
      (error: unknown) =>
        setLoaded({ failure: `The view ${viewLabels[name]} failed to load: ${messageOf(error)}` }),
    );
  };
  useLayoutEffect(() => {
    if (isOpen && !loaded.view) show();
  }, [isOpen]);
  const { view: View, failure } = loaded;
  return (
    <section
      id={panelId(name)}
      class="view"
      role="tabpanel"
      aria-labelledby={tabId(name)}
      hidden={!isOpen}
    >
      <div class="view-place">
        {View && <View context={context} opened={isOpen ? opened : undefined} />}
      </div>
      {failure && (
        <div class="stack load-failure" role="alert">
          <p>{failure}</p>
          <Button label="Try again" action={show} />
        </div>
      )}
    </section>
  );
}

/** What the page needs. */
export interface FrameProps {
  context: ViewContext;
  sessions: Sessions;
  loaders: ViewLoaders;
  /** Called when the user selects a tab. */
  openView: (view: ViewName) => void;
}

const privacy: Record<ServiceKind, string> = {
  emulator: 'Runs in your browser. Nothing is sent.',
  api: 'Runs in your browser. Requests are sent only to Google.',
  none: 'Runs in your browser. Nothing is sent.',
};

function saveNote(state: SaveState, isLasting: boolean): string {
  if (!isLasting) return 'This browser refuses storage here: nothing is saved.';
  if (typeof state === 'object') return `The last change is not saved: ${messageOf(state.failed)}`;
  return { new: '', saved: 'Saved in this browser.', saving: 'Saving' }[state];
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

function Footer({ context: { service, page }, sessions }: FrameProps) {
  return (
    <footer>
      <p class="ellipsis">{privacy[service.kind]}</p>
      <OfferBar offers={page.offers} />
      <p id="saving" class="ellipsis" role="status">
        {saveNote(sessions.state.value, sessions.storage.isLasting)}
      </p>
      <p id="version">{page.core}</p>
    </footer>
  );
}

/** A dialog whose module is loaded when it opens. */
function LoadedDialog({ page, title, load }: { page: PageState; title: string; load: Loader }) {
  const [loaded, setLoaded] = useState<{ content?: () => preact.JSX.Element; problem?: string }>(
    {},
  );
  useEffect(
    () =>
      void load().then(
        (content) => setLoaded({ content }),
        (error: unknown) => setLoaded({ problem: `This did not open: ${messageOf(error)}` }),
      ),
    [],
  );
  const { content: Content, problem } = loaded;
  return (
    <Dialog title={title} isOpen close={() => (page.dialog.value = undefined)}>
      {Content && <Content />}
      <p class="bad" role="alert">
        {problem}
      </p>
    </Dialog>
  );
}

type Loader = () => Promise<() => preact.JSX.Element>;

function OpenDialog({ context, sessions }: FrameProps) {
  const { page } = context;
  const share: Loader = async () => {
    const { ShareContent } = await import('./share/share-content.js');
    return () => <ShareContent {...context} />;
  };
  const examples: Loader = async () => {
    const { Examples } = await import('../lint/rules/examples.js');
    return () => <Examples close={() => (page.dialog.value = undefined)} />;
  };
  if (page.dialog.value === 'recent') return <RecentDialog page={page} sessions={sessions} />;
  if (page.dialog.value === 'share')
    return <LoadedDialog key="share" page={page} title="Share" load={share} />;
  if (page.dialog.value === 'examples')
    return <LoadedDialog key="examples" page={page} title="Examples" load={examples} />;
  return null;
}

function Frame(props: FrameProps) {
  const { page } = props.context;
  const guide = page.guide.value;
  return (
    <>
      <Header {...props.context} openView={props.openView} />
      <div class="workspace">
        <SettingsPanel {...props.context} />
        <main>
          {guide && <GuideBar page={page} guide={guide} />}
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

/** Draws the page into its place in index.html. */
export function drawFrame(place: HTMLElement, props: FrameProps): void {
  render(<Frame {...props} />, place);
}
