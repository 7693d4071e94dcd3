// Shows that the page or its core failed to load, and what to do.
import { messageOf } from '../../sdk/internal/messages.js';
import { byId, button, element } from '../../ui/dom.js';

const advice =
  'The page needs WebAssembly, which some company networks and strict browser settings block. Check your connection, then load it again. If that fails at once, reload the page: your session is saved.';

const place = () => byId('problem', HTMLElement);

/** Shows the failure. `retry` is called by the button. */
export function showProblem(error: unknown, retry: () => void): void {
  const again = button('Load again', () => {
    hideProblem();
    retry();
  });
  const reason = element('p', {}, messageOf(error));
  const title = element('h2', {}, 'The page cannot check requests yet');
  place().replaceChildren(title, reason, element('p', {}, advice), again);
  place().hidden = false;
}

/** Hides the failure, for example when the core has loaded after all. */
export function hideProblem(): void {
  place().hidden = true;
}
