// Builds the elements of the chat: settings, messages, message field, and the panel with its requests.
import { element } from '../../ui/dom.js';

const noMessages =
  'Write a message or select an example. The first example makes two tool calls. The tools run in this page and ' +
  'return invented data.';

const layerMeanings = [
  ['static', 'instructions that do not change'],
  ['dynamic', 'the current state'],
  ['buffered', 'the conversation so far'],
  ['trigger', 'the current message or tool results'],
] as const;

const templateNote =
  'Jinja2 template. Leave it empty to use the default. Changes apply to the next request.';

// Sessions store the document, and requests and raw answers are no part of it.
const requestsNote = 'Kept until you leave or reload the page';

/** The elements that the chat fills and listens to. */
export class ChatPage {
  readonly template = element('textarea', { id: 'template', rows: 4, spellcheck: false });
  readonly newChat = element('button', { id: 'new', type: 'button' }, 'New chat');
  readonly log = element('div', { id: 'log', className: 'log', role: 'log', tabIndex: 0 });
  readonly examples = element('div', { id: 'examples', className: 'examples', role: 'group' });
  readonly message = element('textarea', { id: 'instruction', rows: 2 });
  readonly send = element('button', { id: 'send', type: 'button', className: 'main' }, 'Send');
  readonly stop = element('button', { id: 'stop', type: 'button', disabled: true }, 'Stop');
  readonly tabs = element('nav', {
    id: 'tabs',
    className: 'tabs',
    ariaLabel: 'Requests by number',
  });
  readonly request = element('div', { id: 'request', className: 'place' });
  /** Where the list of branches goes. */
  readonly branches = element('div', { className: 'branches-place' });
  readonly root = element('div', { className: 'chat-view' });

  constructor() {
    this.#describe();
    this.root.append(this.#conversation(), this.#requests());
  }

  #describe(): void {
    this.newChat.title =
      'Start a new conversation. Changing the model does the same. You can undo it.';
    this.template.placeholder = '{{ main_instruction }} Today is {{ system.day_of_week }}.';
    this.log.ariaLabel = 'Messages';
    this.examples.ariaLabel = 'Examples';
    this.message.placeholder = 'Write a message. Press Ctrl+Enter to send it.';
    this.message.setAttribute('aria-keyshortcuts', 'Control+Enter Meta+Enter');
  }

  #conversation(): HTMLElement {
    const label = element('label', { htmlFor: this.template.id }, templateNote);
    const template = element('details', { className: 'template' });
    template.append(element('summary', {}, 'Static layer'), label, this.template);
    const settings = element('div', { className: 'settings' }, template, this.newChat);
    settings.append(this.branches);
    this.log.append(
      element(
        'div',
        { className: 'empty' },
        element('h2', {}, 'No messages yet'),
        element('p', {}, noMessages),
      ),
    );
    const name = element('label', { className: 'hidden', htmlFor: this.message.id }, 'Message');
    const composer = element('div', { className: 'composer' }, this.examples, name);
    composer.append(this.message, this.send, this.stop);
    const section = element('section', { className: 'chat', ariaLabel: 'Conversation' });
    const title = element('h2', { className: 'hidden' }, 'Conversation');
    section.append(title, settings, this.log, composer);
    return section;
  }

  #requests(): HTMLElement {
    const layers = layerMeanings.map(([layer, meaning]) =>
      element('li', { className: layer }, element('b', {}, layer), ` ${meaning}`),
    );
    const text = 'Each request appears here as it is sent, with its four layers:';
    this.request.append(
      element('div', { className: 'empty' }, element('p', {}, text), element('ol', {}, ...layers)),
    );
    const head = element('div', { className: 'requests-head' }, element('h2', {}, 'Requests'));
    head.append(this.tabs, element('small', { className: 'note' }, requestsNote));
    const section = element('section', { className: 'requests', ariaLabel: 'Requests' });
    section.append(head, this.request);
    return section;
  }
}
