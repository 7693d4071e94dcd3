// Shows Markdown while it arrives. Text stays text, tags of HTML too, and nothing is loaded from other sites.
import MarkdownIt from 'markdown-it';
import { useMemo } from 'preact/hooks';

// Without tags of HTML, what it renders is safe to insert: it escapes all text.
const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });
const { rules } = parser.renderer;

const hostOf = (address: string) => new URL(address).host;

// Other addresses, relative ones too, stay text.
parser.validateLink = (address) => /^https?:\/\//i.test(address) && URL.canParse(address);

// Opens a link, whose host the style sheet shows behind it, and without a referrer.
const openLink = (address: string) =>
  `<a href="${parser.utils.escapeHtml(address)}" target="_blank" rel="noopener noreferrer" data-host="${parser.utils.escapeHtml(hostOf(address))}">`;

rules['link_open'] = (tokens, index) => openLink(String(tokens[index]?.attrGet('href')));

// A link to the image: it is not loaded, because that would tell its server who reads the answer.
rules['image'] = (tokens, index) => {
  const { content = '' } = tokens[index] ?? {};
  const name = parser.utils.escapeHtml(content === '' ? 'image' : `image: ${content}`);
  return `${openLink(String(tokens[index]?.attrGet('src')))}${name}</a>`;
};

// The headings of an answer are below the heading of its turn.
const headings: { [tag: string]: string } = { h1: 'h4', h2: 'h5' };
const heading = (tag = '') => headings[tag] ?? 'h6';
rules['heading_open'] = (tokens, index) => `<${heading(tokens[index]?.tag)}>`;
rules['heading_close'] = (tokens, index) => `</${heading(tokens[index]?.tag)}>\n`;

// Code scrolls, so it can be reached with the keyboard.
const code: typeof rules.fence = (tokens, index) =>
  `<pre tabindex="0"><code>${parser.utils.escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`;
rules.fence = code;
rules.code_block = code;

/** A text in Markdown. */
export function Markdown({ source }: { source: string }) {
  const html = useMemo(() => parser.render(source).trimEnd(), [source]);
  return <div class="text" dangerouslySetInnerHTML={{ __html: html }} />;
}
