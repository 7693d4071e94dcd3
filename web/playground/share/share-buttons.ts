// Adds the buttons Examples and Share to the header, and their commands. The dialogs are loaded when they are opened.
import { messageOf } from '../../sdk/base/error-message.js';
import { button } from '../dom.js';
import type { ViewContext } from '../views.js';

/** Returns the buttons. */
export function shareButtons(context: ViewContext): HTMLElement[] {
  const { actions, announce } = context;
  const failed = (error: unknown) => announce(`This did not open: ${messageOf(error)}`);
  const showExamples = () =>
    import('../rules/example-menu.js').then(({ exampleMenu }) => exampleMenu().open(), failed);
  const share = () =>
    import('./share-dialog.js').then(({ shareDialog }) => shareDialog(context).open(), failed);
  actions.add(
    { name: 'Show the examples', run: () => void showExamples() },
    { name: 'Share this session as a link', run: () => void share() },
    { name: 'Copy or download the request as code', run: () => void share() },
  );
  const examples = button('Examples', () => void showExamples());
  return [examples, button('Share', () => void share())];
}
