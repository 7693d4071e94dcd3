// Shows the request of the open view as code, to copy or to download.
import { messageOf } from '../../sdk/internal/messages.js';
import { button, element } from '../../ui/dom.js';
import { downloadText } from '../engine/files.js';
import { copyText } from '../../ui/copy.js';
import type { ViewContext } from '../app.js';
import { currentRequest } from '../engine/export/current-request.js';
import type { ExportedRequest } from '../engine/export/exported-request.js';
import { formats, type Format } from '../engine/export/formats.js';

const note =
  'The request of the open view, with its signatures. Credentials are left out: the code reads them from the environment.';
const maxShown = 200_000;

/** Returns the section. It reads the request when it is created. */
export function exportSection(context: ViewContext): HTMLElement {
  const { service } = context;
  const format = element('select', { id: 'format' });
  format.append(...formats.map(({ name }) => element('option', { textContent: name })));
  const code = element('textarea', { className: 'code', readOnly: true, spellcheck: false });
  code.ariaLabel = 'Code';
  const state = element('p', { className: 'note', role: 'status' });
  let request: ExportedRequest | undefined;
  const chosen = (): Format | undefined => formats[format.selectedIndex];
  const write = () => (request && chosen()?.write(request)) ?? '';
  const show = () => {
    const text = write();
    code.value = text.slice(0, maxShown);
    if (text.length > maxShown)
      state.textContent = 'Only the start is shown. Copy takes all of it.';
  };
  const copy = button('Copy', () => void copyText(write(), (text) => (state.textContent = text)));
  const download = button('Download', () => downloadText(write(), chosen()?.file ?? 'request'));
  copy.disabled = download.disabled = true;
  format.onchange = show;
  currentRequest(context, { signatures: true, apiKey: service.apiKey }).then(
    (found) => {
      request = found;
      copy.disabled = download.disabled = false;
      show();
    },
    (error: unknown) => (state.textContent = messageOf(error)),
  );
  const label = element('label', {}, 'Form ', format);
  const actions = element('div', { className: 'actions' }, label, copy, download);
  const section = element('section', {}, element('h3', {}, 'Request as code'));
  section.append(element('p', { className: 'note' }, note), actions, code, state);
  return section;
}
