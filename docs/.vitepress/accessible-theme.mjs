// Repairs roles and names in VitePress's theme, so that axe finds nothing there: the search's box is no button, a result is
// an option itself instead of a link inside one, what is shown is the name of a thing, and the front page has a main.

const searchBox = [
  [
    /\brole="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/,
    'role="dialog" aria-modal="true"',
  ],
  [
    /:id="'localsearch-item-' \+ index"\s+(:aria-selected="[^"]*")\s+role="option"/,
    'role="presentation"',
  ],
  [
    /:aria-label="\[\.\.\.p\.titles, p\.title\]\.join\(' > '\)"/,
    `:id="'localsearch-item-' + index" role="option" :aria-selected="selectedIndex === index ? 'true' : 'false'"`,
  ],
  [/<kbd :aria-label/g, '<kbd role="img" :aria-label'],
];
const searchButton = [
  [/:aria-label="translate\('button\.buttonAriaLabel'\)"/, ''],
  [
    '<span class="DocSearch-Button-Keys">',
    '<span class="DocSearch-Button-Keys" aria-hidden="true">',
  ],
];
const home = [
  [/<div\s+class="VPHome"/, '<main class="VPHome"'],
  [/<\/div>(\s*<\/template>\s*<style)/, '</main>$1'],
];
const changes = { VPHome: home, VPLocalSearchBox: searchBox, VPNavBarSearchButton: searchButton };

function change(name, code) {
  return changes[name].reduce((text, [from, to]) => {
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`${name}.vue has changed: ${from}`);
    return changed;
  }, code);
}

/** A plugin of Vite. */
export const accessibleTheme = {
  name: 'accessible-theme',
  enforce: 'pre',
  transform(code, id) {
    const name = /theme-default\/components\/(\w+)\.vue$/.exec(id)?.[1];
    return name && Object.hasOwn(changes, name) ? { code: change(name, code), map: null } : null;
  },
};
