// Collects what a page of Playwright or Puppeteer reports: errors, messages of the console, requests.
import { watchedInPage } from './page-complaints.mjs';

const badLevels = ['error', 'warning', 'warn'];

/** The part of a driver that both libraries do alike. */
export class ObservedDriver {
  #complaints = [];
  #origins = new Set();

  /** Observes a new page, and forgets the one before. `sender` reports the requests. */
  observe(page, sender = page) {
    const complaints = (this.#complaints = []);
    const origins = (this.#origins = new Set());
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (badLevels.includes(message.type())) complaints.push(message.text());
    });
    sender.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (/^(https?|wss?):$/.test(protocol)) origins.add(origin);
    });
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
