// Shows Markdown while it arrives: only its last block is parsed again. Text stays text, tags of HTML too, and nothing is
// loaded from other sites.
import type { Signal } from '@preact/signals';
import { createElement, type ComponentChild } from 'preact';
import { useRef } from 'preact/hooks';
import MarkdownIt from 'markdown-it';

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });

type Token = ReturnType<typeof parser.parse>[number];

const tags = new Set([
  ...['p', 'ul', 'ol', 'li', 'blockquote', 'em', 'strong', 's'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
]);
// The headings of an answer are below the heading of its turn.
const headings: { [tag: string]: string } = { h1: 'h4', h2: 'h5' };

const attribute = (token: Token, name: string) => String(token.attrGet(name) ?? '');

// Returns an address that a link may open; undefined for relative addresses and other schemes.
function webAddress(href: string): URL | undefined {
  try {
    const url = new URL(href);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
  } catch {
    return undefined;
  }
}

const textOf = (children: readonly ComponentChild[]): string =>
  children.map((child) => (typeof child === 'string' ? child : '')).join('');

// A link, with its host in sight and without a referrer.
function link(url: URL, children: ComponentChild[]): ComponentChild {
  return (
    <span>
      <a href={url.href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
      {!textOf(children).includes(url.host) && <span class="link-host">{` (${url.host})`}</span>}
    </span>
  );
}

// A link to the image: it is not loaded, because that would tell its server who reads the answer.
function image(token: Token): ComponentChild {
  const alt = token.content === '' ? 'image' : `image: ${token.content}`;
  const url = webAddress(attribute(token, 'src'));
  return url ? link(url, [alt]) : `[${alt}]`;
}

function block(token: Token, children: ComponentChild[]): ComponentChild {
  const { tag } = token;
  if (token.type === 'link_open') {
    const url = webAddress(attribute(token, 'href'));
    return url ? link(url, children) : <span>{children}</span>;
  }
  if (/^h[1-6]$/.test(tag)) return createElement(headings[tag] ?? 'h6', null, ...children);
  const properties = tag === 'ol' ? { start: Number(attribute(token, 'start') || 1) } : null;
  return createElement(tags.has(tag) ? tag : 'span', properties, ...children);
}

function leaf(token: Token): ComponentChild {
  switch (token.type) {
    case 'softbreak':
      return '\n';
    case 'hardbreak':
      return <br />;
    case 'hr':
      return <hr />;
    case 'code_inline':
      return <code>{token.content}</code>;
    case 'code_block':
    case 'fence':
      return (
        <pre tabIndex={0}>
          <code>{token.content.replace(/\n$/, '')}</code>
        </pre>
      );
    case 'image':
      return image(token);
    default:
      return token.content;
  }
}

function nodesOf(tokens: readonly Token[]): ComponentChild[] {
  const root: ComponentChild[] = [];
  const open: { token: Token; children: ComponentChild[] }[] = [];
  for (const token of tokens) {
    const siblings = open.at(-1)?.children ?? root;
    if (token.type === 'inline') siblings.push(...nodesOf(token.children ?? []));
    else if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === 0) siblings.push(leaf(token));
    else {
      const closed = open.pop();
      const parent = open.at(-1)?.children ?? root;
      // A paragraph of a tight list has no element of its own.
      if (closed?.token.hidden) parent.push(...closed.children);
      else if (closed) parent.push(block(closed.token, closed.children));
    }
  }
  return root;
}

function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  for (let index = 0; index < line; index++) offset = text.indexOf('\n', offset) + 1;
  return offset;
}

// A text that grows. Its complete blocks keep their nodes.
class Blocks {
  #complete: ComponentChild[] = [];
  /** Where the last block begins, which later pieces may change. */
  #openFrom = 0;
  // Definitions of links apply to later blocks.
  readonly #definitions: Parameters<typeof parser.parse>[1] = {};

  read(source: string): ComponentChild[] {
    const text = source.slice(this.#openFrom);
    const tokens = parser.parse(text, this.#definitions);
    const line = tokens.findLast(({ level, map }) => level === 0 && map)?.map?.[0] ?? 0;
    const first = tokens.findIndex(({ level, map }) => level === 0 && map?.[0] === line);
    if (line <= 0 || first <= 0) return [...this.#complete, ...nodesOf(tokens)];
    this.#complete = [...this.#complete, ...nodesOf(tokens.slice(0, first))];
    this.#openFrom += offsetOfLine(text, line);
    return [...this.#complete, ...nodesOf(tokens.slice(first))];
  }
}

/** A text in Markdown. */
export function Markdown({ source }: { source: Signal<string> }) {
  const blocks = useRef<Blocks>(undefined);
  blocks.current ??= new Blocks();
  return <div class="text">{blocks.current.read(source.value)}</div>;
}
