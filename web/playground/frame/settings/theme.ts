// Sets the colors: those of the system, light, or dark. Only a choice is stored.
import type { Action } from '../../state/action-list.js';

const storedTheme = 'prompt-strata theme';
const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

// Some browsers refuse storage; the choice then lasts until the page is reloaded.
function withStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}

/** Returns the theme in use. */
export function currentTheme(): Theme {
  const set = document.documentElement.dataset['theme'];
  return themes.find((theme) => theme === set) ?? 'system';
}

/** Applies the stored theme. */
export function restoreTheme(): void {
  const stored = withStorage((storage) => storage.getItem(storedTheme));
  if (stored === 'light' || stored === 'dark') document.documentElement.dataset['theme'] = stored;
}

/** Applies and stores a theme. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  withStorage((storage) =>
    theme === 'system' ? storage.removeItem(storedTheme) : storage.setItem(storedTheme, theme),
  );
}

/** The commands that set a theme. */
export const themeActions: Action[] = themes.map((theme) => ({
  name: theme === 'system' ? 'Use the colors of the system' : `Use ${theme} colors`,
  isPossible: () => currentTheme() !== theme,
  run: () => setTheme(theme),
}));
