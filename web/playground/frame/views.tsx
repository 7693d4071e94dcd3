// Shows one view at a time, and loads each when it is opened for the first time.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../sdk/internal/messages.js';
import { Button } from '../../ui/elements.js';
import type { View } from '../app.js';
import type { PageState } from '../state/page-state.js';
import { viewNames, type ViewName } from '../state/playground-document.js';
import { panelId, tabId, viewLabels } from './header.js';

/** Loads the module of each view and creates the view. */
export type ViewLoaders = Record<ViewName, () => Promise<View>>;

interface PanelProps {
  name: ViewName;
  load: () => Promise<View>;
  page: PageState;
}

function Panel({ name, load, page }: PanelProps) {
  const place = useRef<HTMLDivElement>(null);
  const loading = useRef<Promise<View>>(undefined);
  const [failure, setFailure] = useState<string>();
  const opened = page.opened.value;
  const isOpen = opened.view === name;

  const show = async () => {
    setFailure(undefined);
    try {
      loading.current ??= load();
      const view = await loading.current;
      if (!view.element.isConnected) place.current?.replaceChildren(view.element);
      // The user may have opened another view in the meantime.
      if (page.opened.peek() === opened) view.shown(opened.focus);
    } catch (error) {
      loading.current = undefined;
      setFailure(`The view ${viewLabels[name]} failed to load: ${messageOf(error)}`);
    }
  };
  useLayoutEffect(() => {
    if (isOpen) void show();
  }, [opened]);
  useEffect(
    () => () => {
      if (isOpen) void loading.current?.then((view) => view.hidden()).catch(() => undefined);
    },
    [isOpen],
  );
  return (
    <section
      id={panelId(name)}
      class="view"
      role="tabpanel"
      aria-labelledby={tabId(name)}
      hidden={!isOpen}
    >
      <div class="view-place" ref={place} />
      {failure && (
        <div class="load-failure" role="alert">
          <p>{failure}</p>
          <Button label="Try again" action={() => void show()} />
        </div>
      )}
    </section>
  );
}

/** The panels of the views. */
export function Views({ loaders, page }: { loaders: ViewLoaders; page: PageState }) {
  return (
    <>
      {viewNames.map((name) => (
        <Panel key={name} name={name} load={loaders[name]} page={page} />
      ))}
    </>
  );
}
