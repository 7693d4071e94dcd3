// Opens what the address of the page names: a shared link, the page of a rule, or an example.
import { messageOf } from '../../sdk/internal/messages.js';
import type { ViewContext } from '../app.js';
import { isEdit } from '../state/document-store.js';
import { showCopy } from './recent/recent-dialog.js';
import type { Sessions } from './recent/sessions.js';

const sharedNote = 'This is a copy of a shared link. It is saved when you change it.';

/** Whether a fragment claims to hold a document. */
const isLink = (fragment: string): boolean => /^#d\d+\./.test(fragment);

/** The address of the page. */
export class Address {
  readonly #context: ViewContext;
  readonly #sessions: Sessions;
  #isOpening = false;
  #last: Promise<boolean> = Promise.resolve(false);

  constructor(context: ViewContext, sessions: Sessions) {
    this.#context = context;
    this.#sessions = sessions;
    // After a reload, the address would open the unchanged document again.
    context.document.subscribe((value, previous, cause) => {
      if (cause === 'open' ? !this.#isOpening : isEdit(value, previous)) this.#clear();
    });
    addEventListener('hashchange', () => void this.open());
  }

  /** Opens what the fragment names when the page starts, or else the user's newest session. */
  async start(): Promise<void> {
    if (await this.open()) return;
    const { page } = this.#context;
    const problem = page.guide.peek();
    this.#isOpening = true;
    const { opened, problems } = await this.#sessions.restore();
    this.#isOpening = false;
    showCopy(page, opened);
    if (problem) page.guide.value = problem;
    if (problems.length > 0) this.#showProblem(problems.join(' '));
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
      this.#showProblem(messageOf(error));
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

  async #openLink(fragment: string): Promise<void> {
    const { readLink } = await import('./share/link.js');
    const shared = await readLink(fragment);
    await this.#sessions.create(shared);
    this.#context.open(shared.view);
    this.#context.page.guide.value = { label: 'Shared link', content: <p>{sharedNote}</p> };
    this.#context.announce(sharedNote);
  }

  async #openRule(code: string): Promise<void> {
    const { rulePage } = await import('../lint/rules/rule-page.js');
    const { document, content } = rulePage(code);
    await this.#sessions.create(document);
    this.#context.open('lint', code);
    this.#context.page.guide.value = { label: `Rule ${code}`, content };
  }

  async #openExample(name: string): Promise<void> {
    const { namedExample } = await import('../lint/rules/examples.js');
    const document = namedExample(name);
    if (!document) throw new Error(`There is no example ${name}.`);
    await this.#sessions.create(document);
    this.#context.open(document.view);
  }

  #showProblem(text: string): void {
    const content = <p>{text}</p>;
    this.#context.page.guide.value = { label: 'Problem', content, isProblem: true };
  }

  // The address no longer says what the page shows.
  #clear(): void {
    history.replaceState(history.state, '', location.pathname + location.search);
  }
}
