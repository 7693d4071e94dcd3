// Shows the header: the tabs of the views, and what belongs to the whole page, such as its colors.
import { computed, effect, signal } from '@preact/signals';
import { readStored, store } from '../state/browser-storage.js';
import { Button } from '../../ui/elements.js';
import type { ViewContext, ViewName } from '../app.js';
import type { DialogName } from '../state/page-state.js';
import { defaultModel, viewNames } from '../state/playground-document.js';
import type { ServiceKind } from '../state/service.js';

const storedTheme = 'prompt-strata theme';
const ofSystem = matchMedia('(prefers-color-scheme: dark)');
const systemTheme = signal('');
const followSystem = () => (systemTheme.value = ofSystem.matches ? 'dark' : 'light');
ofSystem.onchange = followSystem;
followSystem();

/** The colors that the user chose; undefined for those of the system. */
const chosenTheme = signal(readStored('page', storedTheme));
const theme = computed(() => chosenTheme.value ?? systemTheme.value);
effect(() => {
  document.documentElement.className = theme.value;
  store('page', storedTheme, chosenTheme.value);
});

/** Where the documentation and the repository are published, by package.json; `''` if they are not. */
declare const PUBLISHED: { docs: string; repository: string };

// The site of the documentation holds the page in its folder playground.
const ofSite = location.pathname.includes('/playground/') ? '../' : '';

// What is not published has no link.
const pageLinks = [
  { label: 'Docs', href: PUBLISHED.docs || ofSite },
  { label: 'GitHub', href: PUBLISHED.repository },
].filter(({ href }) => href !== '');

const icon = new URL('../icon.svg', import.meta.url).href;

export const viewLabels: Record<ViewName, string> = {
  lint: 'Check a request',
  prompt: 'Prompt and cache',
  chat: 'Chat',
};

/** The ID of the panel that shows a view. */
export const panelId = (view: ViewName) => `view-${view}`;

/** The ID of the tab of a view. */
export const tabId = (view: ViewName) => `tab-${view}`;

const serviceLabels: Record<ServiceKind, string> = {
  emulator: 'Emulator',
  api: 'Gemini API',
  none: 'Invalid API key',
};

/** The tabs, which are operated with arrow keys, Home and End. Only the selected one is in the order of Tab. */
function Tabs({ selected, open }: { selected: ViewName; open: (view: ViewName) => void }) {
  const move = (event: KeyboardEvent) => {
    const next = viewAfter(selected, event.key);
    if (!next) return;
    event.preventDefault();
    open(next);
    document.getElementById(tabId(next))?.focus();
  };
  return (
    <div class="tablist" role="tablist" aria-label="Views" onKeyDown={move}>
      {viewNames.map((view) => (
        <button
          key={view}
          type="button"
          role="tab"
          id={tabId(view)}
          aria-controls={panelId(view)}
          aria-selected={view === selected}
          tabIndex={view === selected ? 0 : -1}
          onClick={() => open(view)}
        >
          {viewLabels[view]}
        </button>
      ))}
    </div>
  );
}

// Returns the view that a key selects.
function viewAfter(view: ViewName, key: string): ViewName | undefined {
  const index = viewNames.indexOf(view);
  const { length } = viewNames;
  const steps = { Home: 0, End: -1, ArrowRight: (index + 1) % length, ArrowLeft: index - 1 };
  return key in steps ? viewNames.at(steps[key as keyof typeof steps]) : undefined;
}

// Says which model and service are in use, and opens the settings.
function SettingsChip({ document, service, page }: ViewContext) {
  const { model, backend } = document.value.settings;
  const toggle = () => (page.settings.value = { isOpen: !page.settings.value.isOpen });
  return (
    <button
      type="button"
      class={`in-use ${service.kind}`}
      title="Open or close the settings"
      aria-expanded={page.settings.value.isOpen}
      onClick={toggle}
    >
      <span class="model ellipsis">{model}</span>
      {model === defaultModel && <small>default</small>}
      <span class="service" role="status">
        {backend === 'vertex' && service.kind !== 'none' ? 'Vertex AI, ' : ''}
        {serviceLabels[service.kind]}
      </span>
    </button>
  );
}

/** The header. `openView` is called when the user selects a tab. */
export function Header(context: ViewContext & { openView: (view: ViewName) => void }) {
  const { page } = context;
  const opener = (label: string, name: DialogName) => (
    <Button label={label} class="quiet" action={() => (page.dialog.value = name)} />
  );
  const next = theme.value === 'dark' ? 'light' : 'dark';
  const use = `Use ${next} colors`;
  const toggle = () => (chosenTheme.value = next === systemTheme.value ? undefined : next);
  return (
    <header>
      <div class="brand">
        <img src={icon} alt="" width="24" height="24" />
        <h1>prompt-strata</h1>
      </div>
      <nav aria-label="Views">
        <Tabs selected={page.opened.value.view} open={context.openView} />
      </nav>
      <div id="bar" class="bar" role="group" aria-label="Page">
        <div class="pages">
          {opener('Examples', 'examples')}
          {opener('Recent', 'recent')}
          {pageLinks.map(({ label, href }) => (
            <a key={label} href={href}>
              {label}
            </a>
          ))}
        </div>
        <SettingsChip {...context} />
        <Button label="◐" class="quiet" aria-label={use} title={use} action={toggle} />
        {opener('Share', 'share')}
      </div>
    </header>
  );
}
