// The view Prompt.
import { element } from '../dom.js';
import type { View, ViewContext } from '../views.js';

/** Creates the view. */
export function createPromptView(_context: ViewContext): View {
  return { element: element('div'), shown: () => {}, hidden: () => {} };
}
