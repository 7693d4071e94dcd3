// Adapts VitePress's Markdown to pages that are also read on GitHub.
import { fileOfPage, targetOnSite } from './pages.mjs';

const attributes = { link_open: 'href', image: 'src' };

function moveTarget(page, token) {
  const name = attributes[token.type];
  const target = name && token.attrGet(name);
  if (!target || /^[a-z][a-z+.-]*:|^\//i.test(target)) return;
  // The texts of rules are written for pages of docs/.
  const isRule = page.startsWith('rules/');
  const moved = targetOnSite(isRule ? 'diagnostics.md' : page, target);
  token.attrSet(name, isRule ? moved.replace(/^\.\//, '../') : moved);
}

// GitHub drops unknown tags, and Vue would look for a component: a page has comments, named anchors and line breaks only.
function checkHtml(page, { type, content }) {
  const isAllowed = /^\s*(<!--[\s\S]*-->|<a (id|name)="[^"]*">|<\/a>|<br ?\/?>)\s*$/.test(content);
  if (/^html_(block|inline)$/.test(type) && !isAllowed) throw new Error(`${page}: HTML ${content}`);
}

/** Makes the address of a rule in the playground a link. GitHub has no playground, so there it is only code. */
function linkToPlayground(Token, inline) {
  const children = inline.children.flatMap((child) => {
    if (child.type !== 'code_inline' || !child.content.startsWith('#rule/')) return [child];
    const open = new Token('link_open', 'a', 1);
    // Not a page of VitePress, so its router must not open it.
    open.attrs = [
      ['href', `/playground/index.html${child.content}`],
      ['target', '_self'],
    ];
    return [open, child, new Token('link_close', 'a', -1)];
  });
  inline.children = children;
}

function adapt({ tokens, env, Token }) {
  const page = env.relativePath;
  for (const token of tokens.flatMap((each) => [each, ...(each.children ?? [])])) {
    checkHtml(page, token);
    if (Object.hasOwn(fileOfPage, page) || page?.startsWith('rules/')) moveTarget(page, token);
  }
  if (!page?.startsWith('rules/')) return;
  tokens.filter(({ type }) => type === 'inline').forEach((token) => linkToPlayground(Token, token));
}

/** A plugin of markdown-it. */
export function forSite(md) {
  md.core.ruler.after('inline', 'for_site', adapt);
  const { text } = md.renderer.rules;
  // Vue would evaluate it.
  md.renderer.rules.text = (...args) => text(...args).replaceAll('{{', '&#123;&#123;');
}
