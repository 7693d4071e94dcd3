// Shows that the core or the page itself failed to load, and what to do.
import { messageOf } from '../../sdk/base/error-message.js';
import { button, element } from '../dom.js';

const advice =
  'The page needs WebAssembly. Some company networks and strict browser settings block it. Check your connection, then try again.';

/** Shows the failure at `place`. `retry` is called by the button, and the text disappears. */
export function showProblem(place: HTMLElement, error: unknown, retry: () => void): void {
  const again = button('Load again', () => {
    place.hidden = true;
    retry();
  });
  place.replaceChildren(
    element('h2', {}, 'Nothing can be checked yet'),
    element('p', {}, `${messageOf(error)}. ${advice}`.replace('..', '.')),
    again,
  );
  place.hidden = false;
}
