// Changes the children of a node into those of another one, and keeps what is equal, so that nothing flickers and a
// selection survives.

const isSameKind = (a: Node, b: Node): boolean =>
  a.nodeName === b.nodeName &&
  (!(a instanceof Element) || !(b instanceof Element) || hasSameAttributes(a, b));

function hasSameAttributes(a: Element, b: Element): boolean {
  if (a.attributes.length !== b.attributes.length) return false;
  return [...b.attributes].every(({ name, value }) => a.getAttribute(name) === value);
}

function patchNode(shown: Node, wanted: Node): void {
  if (shown instanceof Text && wanted instanceof Text) patchText(shown, wanted.data);
  else patchChildren(shown, wanted);
}

// Appends where possible: replaced text loses its selection.
function patchText(shown: Text, data: string): void {
  if (data === shown.data) return;
  if (data.startsWith(shown.data)) shown.appendData(data.slice(shown.data.length));
  else shown.data = data;
}

/** Gives `shown` the children of `wanted`, which loses those that are new. */
export function patchChildren(shown: Node, wanted: Node): void {
  let old = shown.firstChild;
  for (const node of [...wanted.childNodes]) {
    if (!old) shown.appendChild(node);
    else if (isSameKind(old, node)) {
      patchNode(old, node);
      old = old.nextSibling;
    } else {
      const replaced = old;
      old = old.nextSibling;
      shown.replaceChild(node, replaced);
    }
  }
  while (old) {
    const rest = old;
    old = old.nextSibling;
    rest.remove();
  }
}
