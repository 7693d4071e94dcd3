// Checks the links of the finished site: each leads to a file, and each anchor to an element of its page.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/run.mjs';
import { filesBelow } from '../setup/stamp.mjs';

const folder = 'build/site';

const decode = (text) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

function readPage(file) {
  const html = readFileSync(join(root, file), 'utf8').replace(/<script>[\s\S]*?<\/script>/g, '');
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

function readPages(base) {
  const paths = filesBelow(folder, ['.html']).map((file) => file.slice(folder.length + 1));
  return new Map(
    paths.map((path) => {
      const { ids, targets } = readPage(`${folder}/${path}`);
      const links = [...new Set(targets)].map((target) => ({
        target,
        place: placeOf(path, target, base),
      }));
      return [path, { ids, links: links.filter(({ place }) => place) }];
    }),
  );
}

/** Returns the files of the repository, relative to its root, to which pages link as text. */
export function linkedFiles(base) {
  const links = [...readPages(base).values()].flatMap((page) => page.links);
  const files = links.map(({ place }) => /^files\/(.+)\.txt$/.exec(place.file)?.[1]);
  return new Set(files.filter(Boolean));
}

/** Returns a line for each link that leads nowhere. */
export function linkFaults(base) {
  const pages = readPages(base);
  const isBroken = ({ file, anchor }) =>
    !existsSync(join(root, folder, file)) ||
    (anchor !== '' && pages.has(file) && !pages.get(file).ids.has(anchor));
  return [...pages].flatMap(([path, { links }]) =>
    links.filter(({ place }) => isBroken(place)).map(({ target }) => `${path}: ${target}`),
  );
}
