// Opens what the address of the page names: a shared link, the page of a rule, or an example.
import { messageOf } from '../../../sdk/internal/messages.js';
import type { PlaygroundDocument } from '../../state/playground-document.js';
import { byId, button, element } from '../../../ui/dom.js';
import type { Sessions } from '../sessions/sessions.js';
import type { ViewContext } from '../../app.js';
import { Guide } from './guide.js';
import { isLink } from './is-link.js';

const sharedNote =
  'This is a shared link. You can look at everything. Fork it to change or run it.';

// Whether more was changed than which view is shown.
function isEdit(value: PlaygroundDocument, previous: PlaygroundDocument): boolean {
  const names = Object.keys(value) as (keyof PlaygroundDocument)[];
  return names.some((name) => name !== 'view' && value[name] !== previous[name]);
}

/** The address of the page. */
export class Address {
  readonly #context: ViewContext;
  readonly #sessions: Sessions;
  readonly #guide = new Guide(byId('views', HTMLElement));
  #isOpening = false;
  #last: Promise<boolean> = Promise.resolve(false);

  constructor(context: ViewContext, sessions: Sessions) {
    this.#context = context;
    this.#sessions = sessions;
    context.document.subscribe((value, previous, cause) => {
      if (cause === 'fork' || (cause === 'open' && !this.#isOpening)) this.#left();
      // After a reload, the address would open the unchanged document again.
      else if (cause === 'update' && isEdit(value, previous)) this.#clear();
    });
    addEventListener('hashchange', () => void this.open());
  }

  /** Opens what the fragment names when the page starts, or else the user's newest session. */
  async start(): Promise<void> {
    if (await this.open()) return;
    this.#isOpening = true;
    await this.#restore();
    this.#isOpening = false;
  }

  /** Opens what the fragment names. Returns false if it names nothing that can be opened. */
  open(): Promise<boolean> {
    this.#last = this.#last.then(() => this.#open(location.hash));
    return this.#last;
  }

  async #open(fragment: string): Promise<boolean> {
    const opener = this.#openerOf(fragment);
    if (!opener) return false;
    this.#isOpening = true;
    try {
      await opener();
      return true;
    } catch (error) {
      this.#guide.showProblem(messageOf(error), () => this.#dismiss());
      return false;
    } finally {
      this.#isOpening = false;
    }
  }

  #openerOf(fragment: string): (() => Promise<void>) | undefined {
    const [, kind, name = ''] = /^#(rule|example)\/([\w.-]+)$/.exec(fragment) ?? [];
    if (isLink(fragment)) return () => this.#openLink(fragment);
    if (kind === 'rule') return () => this.#openRule(name);
    if (kind === 'example') return () => this.#openExample(name);
    return undefined;
  }

  // What the user works on is saved before something else takes its place, or else the user is told.
  async #openLink(fragment: string): Promise<void> {
    const { readLink } = await import('./link.js');
    const shared = await readLink(fragment);
    await this.#sessions.leave();
    const { document: store, announce, open } = this.#context;
    store.open(shared, { isReadOnly: true });
    open(shared.view);
    this.#showShared();
    announce(sharedNote);
  }

  // Shows how a shared document becomes the user's own.
  #showShared(): void {
    const { document: store } = this.#context;
    const fork = button('Fork', () => store.fork());
    fork.className = 'main';
    const back = button('Back to my session', () => void this.#restore());
    const actions = element('div', { className: 'actions' }, fork, back);
    this.#guide.show('Shared link', element('p', {}, sharedNote), actions);
  }

  // A shared document stays open when another link does not open.
  #dismiss(): void {
    this.#left();
    if (this.#context.document.isReadOnly) this.#showShared();
  }

  async #openRule(code: string): Promise<void> {
    const { rulePage } = await import('../../lint/rules/rule-page.js');
    const { document, content } = rulePage(code);
    await this.#sessions.create(document);
    const close = button('Close', () => this.#left());
    content.at(-1)?.prepend(close);
    this.#guide.show(`Rule ${code}`, ...content);
    this.#context.open('lint', code);
  }

  async #openExample(name: string): Promise<void> {
    const { namedExample } = await import('../../lint/rules/named-examples.js');
    const document = namedExample(name);
    if (!document) throw new Error(`There is no example ${name}.`);
    await this.#sessions.create(document);
    this.#guide.hide();
    this.#context.open(document.view);
  }

  // Opens the user's own session, and says which ones could not be opened.
  async #restore(): Promise<void> {
    const problems = await this.#sessions.restore();
    if (problems.length > 0) this.#guide.showProblem(problems.join(' '), () => this.#left());
  }

  #left(): void {
    this.#guide.hide();
    this.#clear();
  }

  // The address no longer says what the page shows.
  #clear(): void {
    history.replaceState(history.state, '', location.pathname + location.search);
  }
}
