// Creates links to other sites: only http and https, with the host in sight, and without a referrer.
import { element } from '../../../ui/dom.js';

/** Returns an address that a link may open; undefined for relative addresses and other schemes. */
export function webAddress(href: string): URL | undefined {
  try {
    const url = new URL(href);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Returns an empty link that opens in a new tab. */
export function webLink(url: URL): HTMLAnchorElement {
  return element('a', { href: url.href, target: '_blank', rel: 'noopener noreferrer' });
}

/** Returns the host, to stand after a link whose text does not name it. */
export function hostNote(url: URL): HTMLElement {
  return element('span', { className: 'link-host' }, ` (${url.host})`);
}
