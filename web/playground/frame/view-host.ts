// Shows one view at a time, and loads each when it is opened for the first time.
import { button, element } from '../../ui/dom.js';
import { messageOf } from '../../sdk/internal/messages.js';
import { viewNames, type ViewName } from '../state/playground-document.js';
import type { View } from '../app.js';
import { panelId, tabId, viewLabels } from './tabs.js';

/** Loads a view's module and creates the view. */
export type ViewLoader = () => Promise<View>;

/** The panels of the views. */
export class ViewHost {
  readonly #loaders: Record<ViewName, ViewLoader>;
  readonly #panels = new Map<ViewName, HTMLElement>();
  readonly #views = new Map<ViewName, View>();
  readonly #loading = new Map<ViewName, Promise<View>>();
  #open: ViewName | undefined;

  constructor(place: HTMLElement, loaders: Record<ViewName, ViewLoader>) {
    this.#loaders = loaders;
    for (const view of viewNames) {
      const panel = element('section', { id: panelId(view), role: 'tabpanel', hidden: true });
      panel.className = 'view';
      panel.setAttribute('aria-labelledby', tabId(view));
      this.#panels.set(view, panel);
      place.append(panel);
    }
  }

  /** Shows a view in place of the open one. */
  async show(view: ViewName, focus?: string): Promise<void> {
    const before = this.#open;
    this.#open = view;
    for (const [name, panel] of this.#panels) panel.hidden = name !== view;
    if (before !== undefined && before !== view) this.#views.get(before)?.hidden();
    try {
      const shown = await this.#load(view);
      // The user may have opened another view in the meantime.
      if (this.#open === view) shown.shown(focus);
    } catch (error) {
      this.#showFailure(view, error);
    }
  }

  /** Loads all views without showing them. One that fails is loaded again when it is shown. */
  async loadAll(): Promise<void> {
    await Promise.allSettled(viewNames.map((view) => this.#load(view)));
  }

  #load(view: ViewName): Promise<View> {
    const known = this.#loading.get(view);
    if (known) return known;
    const loading = this.#loaders[view]().then((created) => {
      this.#views.set(view, created);
      this.#panels.get(view)?.replaceChildren(created.element);
      return created;
    });
    this.#loading.set(view, loading);
    loading.catch(() => this.#loading.delete(view));
    return loading;
  }

  #showFailure(view: ViewName, error: unknown): void {
    const retry = button('Try again', () => void this.show(view));
    const text = `The view ${viewLabels[view]} failed to load: ${messageOf(error)}`;
    const failure = element('div', { className: 'load-failure', role: 'alert' });
    failure.append(element('p', {}, text), retry);
    this.#panels.get(view)?.replaceChildren(failure);
  }
}
