// Reads Prometheus' text form, as the gateway writes it.

/** One number with its labels. */
export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

const unescaped = (text: string) =>
  text.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign));

function labelsOf(text: string): Record<string, string> {
  const pairs = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
  return Object.fromEntries(
    Array.from(pairs, ([, name = '', value = '']) => [name, unescaped(value)]),
  );
}

/** Returns the samples of a text. Lines that are none are skipped. */
export function parseSamples(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined || line.startsWith('#')) return [];
    return [{ name, labels: labelsOf(labels), value: Number(value) }];
  });
}
