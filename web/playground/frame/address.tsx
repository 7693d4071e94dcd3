// Opens what the address of the page names: a shared link, the page of a rule, or an example.
import { messageOf } from '../../sdk/internal/messages.js';
import type { ViewContext } from '../app.js';
import { isEdit } from '../state/document-store.js';
import type { PlaygroundDocument } from '../state/playground-document.js';
import { showCopy } from './recent/recent-dialog.js';
import type { Sessions } from './recent/sessions.js';

const sharedNote = 'This is a copy of a shared link. It is saved when you change it.';

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
    const [, kind, name = ''] = /^#(rule|example)\/([\w.-]+)$/.exec(fragment) ?? [];
    if (kind === undefined && !/^#d\d+\./.test(fragment)) return false;
    this.#isOpening = true;
    try {
      if (kind === 'rule') await this.#openRule(name);
      else if (kind === 'example') await this.#openExample(name);
      else await this.#openLink(fragment);
      return true;
    } catch (error) {
      this.#showProblem(messageOf(error));
      return false;
    } finally {
      this.#isOpening = false;
    }
  }

  async #openLink(fragment: string): Promise<void> {
    const { readLink } = await import('./share/link.js');
    await this.#openDocument(await readLink(fragment));
    this.#context.page.guide.value = { label: 'Shared link', content: <p>{sharedNote}</p> };
    this.#context.page.announce(sharedNote);
  }

  async #openRule(code: string): Promise<void> {
    const { rulePage } = await import('../lint/rules/rule-page.js');
    const { document, content } = rulePage(code);
    await this.#openDocument(document, code);
    this.#context.page.guide.value = { label: `Rule ${code}`, content, view: 'lint' };
  }

  async #openExample(name: string): Promise<void> {
    const { namedExample } = await import('../lint/rules/examples.js');
    const document = namedExample(name);
    if (!document) throw new Error(`There is no example ${name}.`);
    await this.#openDocument(document);
  }

  async #openDocument(document: PlaygroundDocument, focus?: string): Promise<void> {
    await this.#sessions.create(document);
    this.#context.open(document.view, focus);
  }

  #showProblem(text: string): void {
    const content = <p>{text}</p>;
    this.#context.page.guide.value = { label: 'Problem', content, isProblem: true };
  }

  // The address no longer says what the page shows. Safari throws at the 101st replacement within ten seconds.
  #clear(): void {
    const { hash, pathname, search } = location;
    if (hash !== '') history.replaceState(history.state, '', pathname + search);
  }
}
