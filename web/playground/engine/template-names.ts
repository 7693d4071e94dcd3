// Finds the names that a Jinja template reads, with their places in the source.

/** A name in the code of a template. Offsets are in UTF-16 units. */
export interface NamePlace {
  name: string;
  from: number;
  to: number;
}

const string = String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'`;
const comment = String.raw`\{#[^]*?(?:#\}|$)`;
const raw = String.raw`\{%[-+]?\s*raw\s*[-+]?%\}[^]*?(?:\{%[-+]?\s*endraw\b|$)`;
const code = String.raw`(\{\{|\{%)((?:${string}|[^])*?)(?:\}\}|%\}|$)`;
const regions = new RegExp(`${comment}|${raw}|${code}`, 'g');

// A member, a filter, a test or a keyword argument is no variable.
const words = new RegExp(
  `${string}|\\.\\s*\\w+|\\|\\s*\\w+|\\bis\\s+(?:not\\s+)?\\w+|([A-Za-z_]\\w*)(?!\\w|\\s*=(?!=))`,
  'g',
);

/** Returns the places of the names in `{{ … }}` and `{% … %}`. */
export function namesIn(source: string): NamePlace[] {
  const places: NamePlace[] = [];
  for (const region of source.matchAll(regions)) {
    const [, open, body] = region;
    if (open === undefined || body === undefined) continue;
    const start = region.index + open.length;
    for (const word of body.matchAll(words)) {
      const [, name] = word;
      if (name === undefined) continue;
      const from = start + word.index;
      places.push({ name, from, to: from + name.length });
    }
  }
  return places;
}
