// Shows the tabs of the views, which are operated with arrow keys, Home and End.
import { element } from '../../ui/dom.js';
import { viewNames, type ViewName } from '../state/playground-document.js';

export const viewLabels: Record<ViewName, string> = {
  lint: 'Lint',
  prompt: 'Prompt',
  chat: 'Chat',
};

/** The ID of the panel that shows a view. */
export const panelId = (view: ViewName) => `view-${view}`;

/** The ID of the tab of a view. */
export const tabId = (view: ViewName) => `tab-${view}`;

/** The tabs, in the order of `viewNames`. */
export class Tabs {
  readonly #tabs = new Map<ViewName, HTMLButtonElement>();

  /** `open` is called when the user selects a tab. */
  constructor(list: HTMLElement, open: (view: ViewName) => void) {
    for (const view of viewNames) {
      const tab = element('button', { type: 'button', role: 'tab', id: tabId(view) });
      tab.textContent = viewLabels[view];
      tab.setAttribute('aria-controls', panelId(view));
      tab.onclick = () => open(view);
      tab.onkeydown = (event) => {
        const next = viewAfter(view, event.key);
        if (!next) return;
        event.preventDefault();
        open(next);
        this.#tabs.get(next)?.focus();
      };
      this.#tabs.set(view, tab);
      list.append(tab);
    }
  }

  /** Marks a tab as selected. Only that tab is in the tab order. */
  select(selected: ViewName): void {
    for (const [view, tab] of this.#tabs) {
      tab.ariaSelected = String(view === selected);
      tab.tabIndex = view === selected ? 0 : -1;
    }
  }
}

// Returns the view that a key selects.
function viewAfter(view: ViewName, key: string): ViewName | undefined {
  const index = viewNames.indexOf(view);
  if (key === 'Home') return viewNames[0];
  if (key === 'End') return viewNames.at(-1);
  if (key === 'ArrowRight') return viewNames[(index + 1) % viewNames.length];
  if (key === 'ArrowLeft') return viewNames.at(index - 1);
  return undefined;
}
