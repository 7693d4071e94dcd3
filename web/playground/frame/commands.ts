// Registers the commands of the page itself, and creates the palette.
import { Palette } from './palette/palette.js';
import type { SessionList } from './sessions/session-list.js';
import type { SettingsPanel } from './settings/settings-panel.js';
import { themeActions } from './settings/theme.js';
import { viewNames } from '../state/playground-document.js';
import type { ViewContext } from '../app.js';
import { viewLabels } from './tabs.js';
import type { UndoOffer } from './undo-offer.js';
import type { ViewHost } from './view-host.js';

/** The parts of the page that commands operate. */
export interface CommandTargets {
  settings: SettingsPanel;
  list: SessionList;
  offers: UndoOffer;
  host: ViewHost;
}

/** Adds the commands. Returns the palette. */
export function addCommands(
  context: ViewContext,
  { settings, list, offers, host }: CommandTargets,
): Palette {
  const { actions, document: store, open } = context;
  for (const view of viewNames)
    actions.add({ name: `Show ${viewLabels[view]}`, run: () => open(view) });
  actions.add(
    { name: 'Open the settings', run: () => settings.open() },
    { name: 'Enter an API key', run: () => settings.open('key') },
    { name: 'Choose a model', run: () => settings.open('model') },
    { name: 'Show all sessions', run: () => void list.open() },
    { name: 'Start a new session', run: () => void list.create() },
    {
      name: 'Undo the last removal',
      isPossible: () => store.undoable !== undefined,
      run: () => offers.undo(),
    },
    ...themeActions,
  );
  return new Palette(actions, open, () => host.loadAll());
}
