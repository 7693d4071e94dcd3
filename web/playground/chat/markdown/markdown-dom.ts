// Turns the tokens of markdown-it into DOM nodes. Text stays text, and nothing is loaded from other sites.
import { element } from '../../../ui/dom.js';
import type { Token } from './parser.js';
import { hostNote, webAddress, webLink } from './web-link.js';

// The headings of an answer are below the heading of its turn.
const headings: { [tag: string]: 'h4' | 'h5' | 'h6' } = { h1: 'h4', h2: 'h5' };

const tags = [
  ...['p', 'ul', 'ol', 'li', 'blockquote', 'em', 'strong', 's'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
] as const;

/** A node that is still open, and how to close it. */
interface Open {
  node: ParentNode & Node;
  /** Called with the parent when the node is complete. */
  close?: ((parent: ParentNode) => void) | undefined;
}

const attribute = (token: Token, name: string) => String(token.attrGet(name) ?? '');

function blockOf(token: Token): HTMLElement {
  const { tag } = token;
  if (/^h[1-6]$/.test(tag)) return element(headings[tag] ?? 'h6');
  const created = element(tags.find((known) => known === tag) ?? 'span');
  if (created instanceof HTMLOListElement) created.start = Number(attribute(token, 'start') || 1);
  const align = /text-align:(\w+)/.exec(attribute(token, 'style'))?.[1];
  if (align !== undefined) created.classList.add(`align-${align}`);
  return created;
}

function codeBlock({ content }: Token): HTMLElement {
  const text = content.replace(/\n$/, '');
  return element('pre', { tabIndex: 0 }, element('code', {}, text));
}

// A link to the image: it is not loaded, because that would tell its server who reads the answer.
function imageLink(token: Token): Node {
  const alt = token.content === '' ? 'image' : `image: ${token.content}`;
  const url = webAddress(attribute(token, 'src'));
  if (!url) return element('span', {}, `[${alt}]`);
  const link = webLink(url);
  link.append(alt);
  return element('span', {}, link, hostNote(url));
}

function openLink(token: Token): Open {
  const url = webAddress(attribute(token, 'href'));
  if (!url) return { node: element('span') };
  const link = webLink(url);
  const close = (parent: ParentNode) => {
    if (!link.textContent?.includes(url.host)) parent.append(hostNote(url));
  };
  return { node: link, close };
}

function leafOf(token: Token): Node | undefined {
  switch (token.type) {
    case 'text':
    case 'text_special':
      return document.createTextNode(token.content);
    case 'softbreak':
      return document.createTextNode('\n');
    case 'hardbreak':
      return element('br');
    case 'hr':
      return element('hr');
    case 'code_inline':
      return element('code', {}, token.content);
    case 'code_block':
    case 'fence':
      return codeBlock(token);
    case 'image':
      return imageLink(token);
    default:
      return token.content === '' ? undefined : document.createTextNode(token.content);
  }
}

function append(tokens: readonly Token[], root: ParentNode & Node): void {
  const open: Open[] = [{ node: root }];
  for (const token of tokens) {
    const parent = open.at(-1)?.node ?? root;
    if (token.type === 'inline') append(token.children ?? [], parent);
    else if (token.nesting === 1) {
      // A paragraph of a tight list has no element of its own.
      if (token.hidden) open.push({ node: parent });
      else {
        const opened = token.type === 'link_open' ? openLink(token) : { node: blockOf(token) };
        parent.append(opened.node);
        open.push(opened);
      }
    } else if (token.nesting === -1) {
      const { close } = open.pop() ?? {};
      close?.(open.at(-1)?.node ?? root);
    } else parent.append(leafOf(token) ?? '');
  }
}

/** Returns the nodes of a list of tokens. */
export function nodesOf(tokens: readonly Token[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  append(tokens, fragment);
  return fragment;
}
