// Knows the words of Jinja templates, and finds what their code refers to: names and their members, filters and tests.

// The words of the template language. A test compares them with the core.
const words = (text: string) => text.split(' ');
export const tags = words(
  'if elif else endif for endfor set endset macro endmacro call endcall filter endfilter with endwith raw endraw block endblock autoescape endautoescape print',
);
export const filters = words(
  'abs attr batch capitalize center count d default dictsort e escape filesizeformat first float forceescape format groupby indent int items join last length list lower map max min pprint random reject rejectattr replace reverse round safe select selectattr slice sort string striptags sum title tojson trim truncate unique upper urlencode urlize wordcount wordwrap xmlattr',
);
export const tests = words(
  'boolean callable defined divisibleby eq escaped even false filter float ge gt in integer iterable le lower lt mapping ne none number odd sameas sequence string test true undefined upper',
);
export const functions = words(
  'cycler dict joiner lipsum namespace raise_exception range strftime_now',
);
export const keywords = words('and or not in is if else recursive ignore missing');
export const constants = words('true false none True False None');

/** A reference in the code of a template. Offsets are in UTF-16 units. */
export interface Reference {
  kind: 'name' | 'filter' | 'test';
  /** The name and the names of its members; one word for filters and tests. */
  path: string[];
  from: number;
  to: number;
  /** Whether what follows says what happens without a value: `is defined`, or the filter `default`. */
  isGuarded: boolean;
  /** Whether it is called, as `list.items()`. */
  isCalled: boolean;
}

const string = String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'`;
const comment = String.raw`\{#[^]*?(?:#\}|$)`;
const raw = String.raw`\{%[-+]?\s*raw\s*[-+]?%\}[^]*?(?:\{%[-+]?\s*endraw\b|$)`;
const code = String.raw`(\{\{|\{%)((?:${string}|[^])*?)(?:\}\}|%\}|$)`;
const regions = new RegExp(`${comment}|${raw}|${code}`, 'g');

// A string; a filter; a test; a name with members, but that of a keyword argument; members of something else.
const referring = new RegExp(
  [
    string,
    String.raw`\|\s*(?<filter>[A-Za-z_]\w*)`,
    String.raw`\bis\s+(?:not\s+)?(?<test>[A-Za-z_]\w*)`,
    String.raw`(?<name>[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*)(?!\w|\s*=(?!=))`,
    String.raw`\.\s*\w+`,
  ].join('|'),
  'gd',
);

const guard = /^\s*(?:\|\s*(?:default|d)\b|is\s+(?:not\s+)?(?:un)?defined\b)/;

/** Returns what `{{ … }}` and `{% … %}` refer to, in the order of the text. */
export function referencesIn(source: string): Reference[] {
  const references: Reference[] = [];
  for (const region of source.matchAll(regions)) {
    const [, open, body] = region;
    if (open === undefined || body === undefined) continue;
    const start = region.index + open.length;
    for (const word of body.matchAll(referring)) {
      for (const kind of ['name', 'filter', 'test'] as const) {
        const [from, to] = word.indices?.groups?.[kind] ?? [0, 0];
        if (from === to) continue;
        const after = body.slice(to);
        references.push({
          kind,
          path: body.slice(from, to).split(/\s*\.\s*/),
          from: start + from,
          to: start + to,
          isGuarded: guard.test(after),
          isCalled: /^\s*\(/.test(after),
        });
      }
    }
  }
  return references;
}

/** Returns the names that the template itself gives to values, and the paths over whose items its loops run. */
export function localsIn(source: string): { loops: Map<string, string>; others: Set<string> } {
  const tag = String.raw`\{%[-+]?\s*`;
  const loops = source.matchAll(
    new RegExp(`${tag}for\\s+(\\w+)\\s+in\\s+([\\w.]+)\\s*[-+]?%`, 'g'),
  );
  const others = source.matchAll(
    new RegExp(
      `${tag}(?:set\\s+|with\\s+|call\\s*|macro\\s+|for\\s+)([^=%]*?)(?:=|\\bin\\b|[-+]?%)`,
      'g',
    ),
  );
  const names = [...others].flatMap(([, text = '']) => text.match(/[A-Za-z_]\w*/g) ?? []);
  return {
    loops: new Map([...loops].map(([, name = '', path = '']) => [name, path])),
    others: new Set([...names, 'loop', 'self', 'caller', 'varargs', 'kwargs']),
  };
}
