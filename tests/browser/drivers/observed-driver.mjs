// Collects what a page of Playwright or Puppeteer reports: errors, messages of the console, requests.
import { watchedInPage } from './page-complaints.mjs';

const badLevels = ['error', 'warning', 'warn'];

/** The part of a driver that both libraries do alike. */
export class ObservedDriver {
  #complaints = [];
  #origins = new Set();

  /** Observes a page. `sender` reports the requests. */
  observe(page, sender = page) {
    page.on('pageerror', (error) => this.#complaints.push(String(error)));
    page.on('console', (message) => {
      if (badLevels.includes(message.type())) this.#complaints.push(message.text());
    });
    sender.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (/^(https?|wss?):$/.test(protocol)) this.#origins.add(origin);
    });
  }

  /** Forgets what was reported. */
  forget() {
    this.#complaints = [];
    this.#origins = new Set();
  }

  async complaints() {
    const watched = await this.evaluate(watchedInPage, []);
    const violations = watched.filter((one) => one.startsWith('policy:'));
    return [...new Set([...this.#complaints, ...violations])];
  }

  async origins() {
    return [...this.#origins];
  }
}
