// Shows the dialog Share: a link to the session, and the request as code.
import { messageOf } from '../../../sdk/internal/messages.js';
import { amount, button, element } from '../../../ui/dom.js';
import { Modal } from '../../../ui/modal.js';
import type { ViewContext } from '../../app.js';
import { exportSection } from '../export-section.js';
import { copyText } from '../../../ui/copy.js';
import { linkOf } from './link.js';
import { hasSignatures, sharedDocument } from '../../engine/export/shared-document.js';

const linkNote =
  'The link holds the whole session except a message that is not sent yet, compressed, after the #: browsers do not send that part to the server. It never holds an API key. Who opens it can look at everything, and change a copy.';
const signatureLabel = 'Include thought signatures';
const signatureNote =
  'Without them, placeholders that Google accepts take their place: the chat can be continued, but the model no longer knows its earlier thoughts.';

/** Returns the dialog. */
export function shareDialog(context: ViewContext): Modal {
  return new Modal('Share', () => [
    element('div', { className: 'share' }, linkSection(context), exportSection(context)),
  ]);
}

function linkSection(context: ViewContext): HTMLElement {
  const { document: store, service } = context;
  const field = element('textarea', { id: 'link', readOnly: true, spellcheck: false });
  field.ariaLabel = 'Link';
  field.onfocus = () => field.select();
  const state = element('p', { className: 'note', role: 'status' });
  const withSignatures = element('input', { type: 'checkbox', id: 'link-signatures' });
  const copy = button(
    'Copy link',
    () => void copyText(field.value, (text) => (state.textContent = text)),
  );
  copy.className = 'main';
  const show = async () => {
    copy.disabled = true;
    field.value = '';
    try {
      const options = { signatures: withSignatures.checked, apiKey: service.apiKey };
      const fragment = await linkOf(sharedDocument(store.value, options));
      field.value = location.origin + location.pathname + location.search + fragment;
      copy.disabled = false;
      state.textContent = `${amount(field.value.length, 'character')}.`;
    } catch (error) {
      state.textContent = messageOf(error);
    }
  };
  withSignatures.onchange = () => void show();
  void show();
  const choice = element('label', {}, withSignatures, ` ${signatureLabel}`);
  const section = element('section', {}, element('h3', {}, 'Link'));
  section.append(element('p', { className: 'note' }, linkNote), field);
  if (hasSignatures(store.value))
    section.append(choice, element('p', { className: 'note' }, signatureNote));
  section.append(element('div', { className: 'actions' }, copy, state));
  return section;
}
