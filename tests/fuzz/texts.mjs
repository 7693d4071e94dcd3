// Provides texts that template engines often get wrong, and writes texts as string literals.

const plain = ['alpha', 'Beta', 'gamma ray', 'x', 'The quick brown fox', 'a-b_c', 'one two  three'];
const spaced = [
  '',
  ' ',
  ' pad ',
  '\tTab\t',
  'two\nlines',
  'three\n\n lines\n',
  'a\r\nb',
  'x\u00a0y',
  '\u3000wide ',
];
const marked = [
  '<b>bold</b> & "q"',
  "it's",
  'say "hi"',
  `both ' and "`,
  'a&amp;b',
  '</script>',
  '<!-- c -->t',
];
const foreign = [
  '日本語 é',
  'straße ẞ',
  'ΑΣ ΣΑΣ',
  'ﬁn ǆ İı',
  '👩‍👧 😀',
  'e\u0301a',
  'שלום',
  'ŉ ½ ²',
  '\u200bzero',
  '𝒳𐐀𐐨',
];
const odd = [
  'back\\slash',
  '{{ x }}',
  '{% if %}',
  '100%',
  '%s %d',
  '{} {0}',
  '\u0000\u0007',
  '\u001f\u007f',
  '\u2028',
];
const numeric = ['42', '-7', ' 12 ', '3.5', '1e3', '0x1F', '1_000', '٣٤', '12abc', 'True'];
const linked = [
  'see https://example.com/a?b=c&d=e, ok',
  'www.example.org (mail: me@example.org)',
  'a,b;c,,d',
];

const pools = [
  [6, plain],
  [2, spaced],
  [2, marked],
  [3, foreign],
  [1, odd],
  [2, numeric],
  [1, linked],
];

/** Returns a text from the pools, sometimes two concatenated ones. */
export function randomText(random) {
  const text = random.pick(random.weighted(pools));
  return random.chance(0.1) ? text + random.pick(random.weighted(pools)) : text;
}

const named = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };

function escaped(random, char, quote) {
  if (char === quote || char === '\\') return `\\${char}`;
  if (char === '\r') return '\\r';
  if (char in named) return random.chance(0.8) ? named[char] : char;
  const code = char.codePointAt(0);
  if (code < 32 || code === 127) return `\\x${code.toString(16).padStart(2, '0')}`;
  // Braces need no escape: a delimiter inside a string does not end the tag.
  if (random.chance(0.95)) return char;
  if (code < 256 && random.chance(0.5)) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 65536) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

/** Returns `text` as a string literal with single or double quotes and some escapes. */
export function literal(random, text) {
  const quote = random.pick(["'", '"']);
  return quote + [...text].map((char) => escaped(random, char, quote)).join('') + quote;
}
