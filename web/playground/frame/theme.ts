// Sets the colors: those of the system, light, or dark. Only a choice that differs from the system is stored.
import { signal } from '@preact/signals';
import { readStored, store } from '../state/browser-storage.js';

type Theme = 'light' | 'dark';

const storedTheme = 'prompt-strata theme';
const ofSystem = matchMedia('(prefers-color-scheme: dark)');
const systemTheme = (): Theme => (ofSystem.matches ? 'dark' : 'light');

const readChoice = (): Theme | undefined => {
  const stored = readStored('page', storedTheme);
  return stored === 'light' || stored === 'dark' ? stored : undefined;
};

/** The colors in use. */
export const theme = signal<Theme>(readChoice() ?? systemTheme());

/** Shows the chosen colors, and follows the system if there is no choice. */
export function startTheme(): void {
  const show = () => {
    const choice = readChoice();
    if (choice) document.documentElement.dataset['theme'] = choice;
    theme.value = choice ?? systemTheme();
  };
  ofSystem.addEventListener('change', show);
  show();
}

/** Changes between light and dark. */
export function toggleTheme(): void {
  const next = theme.value === 'dark' ? 'light' : 'dark';
  store('page', storedTheme, next === systemTheme() ? undefined : next);
  document.documentElement.dataset['theme'] = next;
  theme.value = next;
}
