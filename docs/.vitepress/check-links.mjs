// Checks the links of the finished site: each leads to a file, and each anchor to an element of its page.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

// The playground's page opens rules by its fragment: #rule/contents.empty.
const playground = 'playground/index.html';
const { rules } = JSON.parse(
  readFileSync(new URL('../../src/catalogue/rules.json', import.meta.url), 'utf8'),
);
const ruleAnchors = new Set(rules.map(({ code }) => `rule/${code}`));

const decode = (text) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

function readPage(path) {
  const html = readFileSync(path, 'utf8').replace(/<script>[\s\S]*?<\/script>/g, '');
  const values = (pattern) => Array.from(html.matchAll(pattern), ([, value]) => decode(value));
  return { ids: new Set(values(/ id="([^"]*)"/g)), targets: values(/ (?:href|src)="([^"]*)"/g) };
}

/** Returns where a link of a page leads: a file below the folder and an anchor, or undefined for another site. */
function placeOf(page, target, base) {
  const site = `http://site${base}`;
  const { href, pathname, hash } = new URL(target, site + page);
  if (!href.startsWith(site)) return undefined;
  const path = decodeURIComponent(pathname.slice(base.length));
  return {
    file: path === '' || path.endsWith('/') ? `${path}index.html` : path,
    anchor: decodeURIComponent(hash.slice(1)),
  };
}

/** Returns the ids and the links within the site of each page. */
function readPages(folder, base) {
  const paths = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.html'));
  const entries = paths.map((found) => {
    const path = found.split(sep).join('/');
    const { ids, targets } = readPage(join(folder, found));
    const links = [...new Set(targets)].map((target) => ({
      target,
      place: placeOf(path, target, base),
    }));
    return [path, { ids, links: links.filter(({ place }) => place) }];
  });
  return new Map(entries);
}

/** Returns the files of the repository, relative to its root, to which pages link as text. */
export function linkedFiles(folder, base) {
  const links = [...readPages(folder, base).values()].flatMap((page) => page.links);
  const files = links.map(({ place }) => /^files\/(.+)\.txt$/.exec(place.file)?.[1]);
  return new Set(files.filter(Boolean));
}

/** Returns a line for each link of the site in a folder that leads nowhere. */
export function linkFaults(folder, base) {
  const pages = readPages(folder, base);
  const hasAnchor = (file, anchor) =>
    pages.get(file).ids.has(anchor) || (file === playground && ruleAnchors.has(anchor));
  const isBroken = ({ file, anchor }) =>
    !existsSync(join(folder, file)) ||
    (anchor !== '' && pages.has(file) && !hasAnchor(file, anchor));
  return [...pages].flatMap(([path, { links }]) =>
    links.filter(({ place }) => isBroken(place)).map(({ target }) => `${path}: ${target}`),
  );
}
