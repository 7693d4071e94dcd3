// Shows what the footer says: where requests go, and the version of the core once it is loaded.
import { byId } from '../../ui/dom.js';
import type { Service, ServiceKind } from '../state/service.js';

const privacy: Record<ServiceKind, string> = {
  emulator: 'Runs in your browser. Nothing is sent.',
  api: 'Runs in your browser. Requests are sent only to Google.',
  none: 'Runs in your browser. Nothing is sent.',
};

/** Shows the version of a loaded core. */
export function showVersion(version: string): void {
  byId('version', HTMLElement).textContent = `prompt-strata ${version}`;
}

/** Says that no core could be loaded. */
export function showCoreFailure(): void {
  byId('version', HTMLElement).textContent = 'The core failed to load';
}

/** Keeps the privacy line up to date. */
export function showPrivacy(service: Service): void {
  const show = () => (byId('privacy', HTMLElement).textContent = privacy[service.kind]);
  service.subscribe(show);
  show();
}
