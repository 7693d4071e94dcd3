// Draws the page: header, the open view with the settings beside it, footer and dialogs.
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../../sdk/internal/messages.js';
import { Button, Dialog } from '../../ui/elements.js';
import type { ViewContext, ViewName } from '../app.js';
import type { Guide, PageState } from '../state/page-state.js';
import type { ServiceKind } from '../state/service.js';
import { Header } from './header.js';
import { OfferBar } from './offer-bar.js';
import { RecentDialog } from './recent/recent-dialog.js';
import type { SaveState, Sessions } from './recent/sessions.js';
import { SettingsPanel } from './settings/settings-panel.js';
import { Views, type ViewLoaders } from './views.js';

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
      <div role={guide.isProblem ? 'alert' : undefined}>{guide.content}</div>
      <Button label="Dismiss" action={() => (page.guide.value = undefined)} />
    </section>
  );
}

function Footer({ context: { service, page }, sessions }: FrameProps) {
  return (
    <footer>
      <p>{privacy[service.kind]}</p>
      <OfferBar offers={page.offers} />
      <p id="saving" role="status">
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
          <Views loaders={props.loaders} page={page} />
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
