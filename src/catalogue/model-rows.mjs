// Reads models.json and expands its rows by backend and date, for the C++ table, the page of models and
// `npm run models`.
import { readFileSync } from 'node:fs';

const path = new URL('models.json', import.meta.url);
/** The rows of src/catalogue/models.json. */
export const table = JSON.parse(readFileSync(path, 'utf8'));

const BACKENDS = ['gemini', 'vertex'];
const LEVELS = ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'XHIGH'];
const OUTPUTS = { text: 'kText', image: 'kImage', speech: 'kSpeech', embedding: 'kEmbedding' };
const APIS = {
  generateContent: 'kGenerate',
  live: 'kLive',
  interactions: 'kInteractions',
  embedContent: 'kEmbed',
};
const FEATURES = [
  'jsonMode',
  'logprobs',
  'systemInstruction',
  'audioInput',
  'functions',
  'googleSearch',
  'urlContext',
  'codeExecution',
  'multiTurn',
];
const DAY_MS = 86_400_000;
const perBackend = ['cacheMinimum', 'implicitCacheMinimum', 'retired'];

/** Returns the days from 1970-01-01 to a date such as 2026-12-01. */
export const dayOf = (date) => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

/** Returns a field for one backend. A field that differs by backend is an object with both, or with one. */
export function valueFor(row, name, backend) {
  const value = row[name];
  return typeof value === 'object' ? value[backend] : value;
}

/** Returns the sources of a row: `{ text, url, date }`. */
export function sourcesOf(row) {
  return row.sources.map((title) => {
    const source = table.sources[title];
    if (!source) throw new Error(`${row.id ?? row.name}: no source has the title "${title}"`);
    return source;
  });
}

/** Returns the days since a row was compared with its sources. */
export const ageOf = (row, today) => dayOf(today) - dayOf(row.checked);

// The backends that share every field that may differ by backend.
function backendGroups(row) {
  const key = (backend) => JSON.stringify(perBackend.map((name) => valueFor(row, name, backend)));
  return key('gemini') === key('vertex') ? [BACKENDS] : BACKENDS.map((backend) => [backend]);
}

const maskOf = (backends) =>
  backends.reduce((mask, backend) => mask | (1 << BACKENDS.indexOf(backend)), 0);
const quoted = (text) => JSON.stringify(text);

function bitMask(words, names, kind) {
  return words.reduce((mask, word) => {
    const bit = names.indexOf(word);
    if (bit < 0) throw new Error(`No ${kind} is called ${word}`);
    return mask | (1 << bit);
  }, 0);
}

/** Returns the API that serves a model. */
export const apiOf = (row) =>
  row.api ?? (row.output === 'embedding' ? 'embedContent' : 'generateContent');

/** Returns the full names of a row's models that the services list. */
export const namesOf = (row) => row.names ?? [row.id];

// The names that the services list, aliases included.
const listedNames = [
  ...new Set([...table.models.flatMap(namesOf), ...table.routes.map(({ name }) => name)]),
];

const levelMask = ({ levels = [] }) => bitMask(levels, LEVELS, 'thinking level');
const DEFAULTS = { OFF: 'kThinkingOff', undefined: 'kNoLevel' };
const defaultLevelOf = ({ default: level }) => DEFAULTS[level] ?? LEVELS.indexOf(level);
const featureMask = ({ refuses = [] }) => bitMask(refuses, FEATURES, 'feature');

function cppRow(row, backends, price) {
  const { thinking, output = 'text' } = row;
  const number = (name) => valueFor(row, name, backends[0]) ?? 0;
  const retired = valueFor(row, 'retired', backends[0]);
  const { budget = [0, 32768] } = thinking;
  const [low, high] = budget === false ? [0, -1] : budget;
  const { input = 0, cacheRead = 0, storagePerHour = 0, output: written = 0 } = price;
  const fields = [
    quoted(row.id),
    `Generation::k${row.generation.replace('.', '_')}`,
    `Output::${OUTPUTS[output]}`,
    maskOf(backends),
    price.from ? dayOf(price.from) : 0,
    retired ? dayOf(retired) : 'kNever',
    row.contextTokens,
    row.outputTokens,
    number('cacheMinimum'),
    number('implicitCacheMinimum'),
    row.explicitCache,
    row.bufferTokens,
    levelMask(thinking),
    ...[low, high, thinking.off === true],
    `{${input}, ${cacheRead}, ${storagePerHour}, ${written}}`,
    row.callIds !== false,
    row.checksSignatures !== false,
    featureMask(row),
    `Api::${APIS[apiOf(row)]}`,
    defaultLevelOf(thinking),
    row.officeFiles === true,
    row.functionRole === true,
  ];
  return `    {${fields.join(', ')}},`;
}

function cppRows(row) {
  const prices = row.prices ?? [{}];
  return backendGroups(row).flatMap((backends) =>
    prices.map((price) => cppRow(row, backends, price)),
  );
}

const cppRoute = ({ name, to, from, backends = BACKENDS, alias = false }) =>
  `    {${quoted(name)}, ${quoted(to)}, ${maskOf(backends)}, ${from ? dayOf(from) : 0}, ${alias}},`;

/** Returns models.inc. */
export function modelsInc() {
  return `// Included by catalogue/service.h (the release day) and catalogue/catalogue.cpp (the rows).
#if defined(STRATA_RELEASE_DAY)
${dayOf(table.asOf)}
#elif defined(STRATA_MODEL_ROWS)
${table.models.flatMap(cppRows).join('\n')}
#elif defined(STRATA_ROUTE_ROWS)
${table.routes.map(cppRoute).join('\n')}
#elif defined(STRATA_MODEL_NAMES)
${listedNames.map((name) => `    ${quoted(name).slice(0, -1)}\\0"`).join('\n')}
#endif
`;
}

/** Returns the names of models that Google lists. */
export const modelNames = () => listedNames;

/** Returns the starts of names that generateContent does not serve: the day of the shutdown, or the API that does. */
export function unservedModels() {
  const endOf = (row) =>
    valueFor(row, 'retired', 'gemini') ??
    (apiOf(row) === 'generateContent' ? undefined : apiOf(row));
  return table.models.filter(endOf).map((row) => [row.id, endOf(row)]);
}

const priceCells = ({ from, input, output, cacheRead, above200k }) => [
  from ? dayOf(from) : 0,
  ...[input, output, cacheRead],
  ...(above200k ? [above200k.input, above200k.output, above200k.cacheRead] : []),
];

/** Returns the prices by the start of a model's name: rows without a price only where a shorter id with one would apply. */
export function modelPrices() {
  const priced = table.models.filter(({ prices }) => prices).map(({ id }) => id);
  const rows = table.models.filter(({ id }) => priced.some((each) => id.startsWith(each)));
  return rows.map(({ id, prices = [] }) => [id, ...prices.map(priceCells)]);
}

/** Returns for each route the name, the model that serves it, the day from which it does, and the backend if it is one only. */
export const modelRoutes = () =>
  table.routes.map(({ name, to, from, backends = BACKENDS }) => [
    ...[name, to, from ? dayOf(from) : 0],
    ...(backends.length < BACKENDS.length ? backends : []),
  ]);

const amount = (row, name) => {
  const [gemini, vertex] = BACKENDS.map((backend) => valueFor(row, name, backend) ?? '–');
  return gemini === vertex ? `${gemini}` : `${gemini}; Vertex AI ${vertex}`;
};

const amounts = ({ input, output, cacheRead, storagePerHour }) =>
  [input, output, cacheRead, storagePerHour].filter((price) => price !== undefined).join(' / ');

function priceText({ from, above200k, ...price }) {
  const start = from ? `from ${from}: ` : '';
  return (
    start + amounts(price) + (above200k ? ` (above 200,000 tokens ${amounts(above200k)})` : '')
  );
}

function thinkingText({ levels, default: preset, budget, off }) {
  const words = [
    ...(levels ? [levels.join(' ')] : []),
    ...(preset ? [`default ${preset}`] : []),
    ...(budget === false ? ['no budget'] : []),
    ...(budget ? [`budget ${budget.join('–')}${off && budget[0] > 1 ? ' or 0' : ''}`] : []),
  ];
  return words.join('; ');
}

/** Returns what a table prints about a row. */
export function cellsOf(row) {
  return {
    id: row.id === '' ? '(other names)' : row.id,
    rules: [row.generation, row.output, row.api].filter(Boolean).join(', '),
    limits: `${row.contextTokens} / ${row.outputTokens}`,
    explicit: row.explicitCache ? amount(row, 'cacheMinimum') : 'none',
    implicit: amount(row, 'implicitCacheMinimum'),
    thinking: thinkingText(row.thinking),
    prices: (row.prices ?? []).map(priceText).join('; '),
    served: [row.released ?? '', row.retired ? `until ${amount(row, 'retired')}` : '']
      .filter(Boolean)
      .join(' '),
  };
}

/** Returns when and where requests for a name are served by another model. */
export function routeText({ name, to, from, backends = BACKENDS }) {
  const where = backends.length === BACKENDS.length ? '' : ` (${backends.join(', ')} only)`;
  return `${name} → ${to}${from ? ` from ${from}` : ''}${where}`;
}
