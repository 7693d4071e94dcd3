// Adds the buttons Examples and Share to the header, and their commands. The dialogs are loaded when they are opened.
import { messageOf } from '../../../sdk/internal/messages.js';
import { button, element } from '../../../ui/dom.js';
import { Modal } from '../../../ui/modal.js';
import type { ViewContext } from '../../app.js';

/** Returns a function that opens a dialog, which is loaded once. If that fails, a dialog says why. */
function opener(title: string, load: () => Promise<Modal>): () => Promise<void> {
  let dialog: Promise<Modal> | undefined;
  const reason = element('p', { className: 'bad', role: 'alert' });
  const problem = new Modal(title, () => [reason]);
  return async () => {
    try {
      dialog ??= load();
      (await dialog).open();
    } catch (error) {
      dialog = undefined;
      reason.textContent = `This did not open: ${messageOf(error)}`;
      problem.open();
    }
  };
}

/** Returns the buttons. */
export function shareButtons(context: ViewContext): HTMLElement[] {
  const { actions } = context;
  const showExamples = opener('Examples', async () =>
    (await import('../../lint/rules/example-menu.js')).exampleMenu(),
  );
  const share = opener('Share', async () =>
    (await import('./share-dialog.js')).shareDialog(context),
  );
  actions.add(
    { name: 'Show the examples', run: () => void showExamples() },
    { name: 'Share this session as a link', run: () => void share() },
    { name: 'Copy or download the request as code', run: () => void share() },
  );
  const examples = button('Examples', () => void showExamples());
  return [examples, button('Share', () => void share())];
}
