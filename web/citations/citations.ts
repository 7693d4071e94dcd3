// Reads what an answer of either API cites: grounding metadata, quoted texts, and the annotations of steps.
import { isObject, type JsonFields } from '../sdk/internal/json.js';
import { invalidOption } from '../sdk/internal/options.js';
import { CitedText, type Segment } from './cited-text.js';

/** Where a cited text comes from. */
export interface CitationSource {
  /**
   * `web`, `image` and `maps`: a result of that search; `file`: a file or a document of a search in files; `quote`: a
   * text that the model has repeated (`citationMetadata`).
   */
  kind: 'web' | 'image' | 'maps' | 'file' | 'quote';
  /** Of a search, mostly a redirect of Google's to the page. */
  uri?: string;
  /** Of a page that Google Search found, mostly its domain. */
  title?: string;
  /** The passage of the source. */
  text?: string;
  license?: string;
  /** The page of a document, from 1. */
  pageNumber?: number;
  placeId?: string;
  /** How sure the API is that this source supports this text, from 0 to 1; of models before Gemini 2.5. */
  confidence?: number;
}

/** A piece of the answer and what it cites. */
export interface Citation {
  /** Where it begins in `Citations.text`, as `String.prototype.slice` counts. */
  start: number;
  /** Where it ends. */
  end: number;
  /** The piece itself. */
  text: string;
  sources: CitationSource[];
}

/** What the API says about a text that the answer does not have, such as one that was shortened. */
export interface UnplacedCitation {
  /** The text, if the API repeats it. */
  text?: string;
  sources: CitationSource[];
}

/** What an answer cites. */
export interface Citations {
  /** The text of the answer, without thoughts. */
  text: string;
  /** In the order of their places. */
  citations: Citation[];
  /** All sources, each once, also those that no citation names. */
  sources: CitationSource[];
  unplaced: UnplacedCitation[];
}

/**
 * An answer: a GenerateContentResponse, the chunks of its stream, a Candidate, an Interaction, a list of steps, or the
 * result of `ask` on generateContent.
 */
export type CitedAnswer = object;

interface Claim {
  segment: Segment;
  sources: CitationSource[];
}

interface Read {
  pieces: string[];
  claims: Claim[];
  /** Sources that may have no claim. */
  found: CitationSource[];
}

const listOf = (value: unknown): JsonFields[] =>
  (Array.isArray(value) ? (value as unknown[]) : []).filter(isObject);
const objectOf = (value: unknown): JsonFields => (isObject(value) ? value : {});
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const number = (value: unknown) => (typeof value === 'number' ? value : undefined);

// Without what is not said.
function sourceOf(kind: CitationSource['kind'], said: JsonFields): CitationSource {
  const known = Object.entries(said).filter(([, value]) => value !== undefined);
  return { kind, ...Object.fromEntries(known) };
}

function sourceOfChunk({ web, image, maps, retrievedContext }: JsonFields): CitationSource {
  const [kind, said] = isObject(web)
    ? (['web', web] as const)
    : isObject(image)
      ? (['image', image] as const)
      : isObject(maps)
        ? (['maps', maps] as const)
        : (['file', objectOf(retrievedContext)] as const);
  return sourceOf(kind, {
    uri: text(said['uri']) ?? text(said['sourceUri']),
    title: text(said['title']),
    text: text(said['text']),
    pageNumber: number(said['pageNumber']),
    placeId: text(said['placeId']),
  });
}

const segmentOf = (said: JsonFields): Segment => ({
  startIndex: number(said['startIndex'] ?? said['start_index']) ?? 0,
  ...known('endIndex', number(said['endIndex'] ?? said['end_index'])),
  ...known('partIndex', number(said['partIndex'])),
  ...known('text', text(said['text'])),
});

const known = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, Value>>;

function claimOfSupport(support: JsonFields, chunks: readonly CitationSource[]): Claim {
  const { groundingChunkIndices, confidenceScores } = support;
  const indices: unknown[] = Array.isArray(groundingChunkIndices) ? groundingChunkIndices : [];
  const scores: unknown[] = Array.isArray(confidenceScores) ? confidenceScores : [];
  const sources = indices.flatMap((index, i) => {
    const source = chunks[Number(index)];
    return source ? [{ ...source, ...known('confidence', number(scores[i])) }] : [];
  });
  return { segment: segmentOf(objectOf(support['segment'])), sources };
}

function readGrounding(metadata: JsonFields, read: Read): void {
  const chunks = listOf(metadata['groundingChunks']).map(sourceOfChunk);
  read.found.push(...chunks);
  // A chunk of a stream may name the sources of one before.
  const named = chunks.length > 0 ? chunks : read.found;
  for (const support of listOf(metadata['groundingSupports']))
    read.claims.push(claimOfSupport(support, named));
}

// The Gemini API and Vertex AI name the list differently.
function readQuotes({ citationSources, citations: list }: JsonFields, read: Read): void {
  for (const { uri, title, license, ...place } of listOf(citationSources ?? list)) {
    const said = { uri: text(uri), title: text(title), license: text(license) };
    read.claims.push({ segment: segmentOf(place), sources: [sourceOf('quote', said)] });
  }
}

function readCandidate(candidate: JsonFields, read: Read): void {
  for (const part of listOf(objectOf(candidate['content'])['parts']))
    read.pieces.push(part['thought'] === true ? '' : (text(part['text']) ?? ''));
  readGrounding(objectOf(candidate['groundingMetadata']), read);
  readQuotes(objectOf(candidate['citationMetadata']), read);
}

const annotationKinds: Record<string, CitationSource['kind']> = {
  ...{ url_citation: 'web', file_citation: 'file', place_citation: 'maps' },
};

// The bytes of an annotation count from the text that has it.
function readTextBlock(block: JsonFields, read: Read): void {
  const partIndex = read.pieces.length;
  read.pieces.push(text(block['text']) ?? '');
  for (const annotation of listOf(block['annotations'])) {
    const kind = annotationKinds[String(annotation['type'])];
    // Others are about words of speech.
    if (!kind) continue;
    const { url, title, name, document_uri, file_name, page_number, place_id } = annotation;
    const said = {
      uri: text(url) ?? text(document_uri),
      title: text(title) ?? text(name) ?? text(file_name),
      text: text(annotation['source']),
      pageNumber: number(page_number),
      placeId: text(place_id),
    };
    const { text: _, ...segment } = segmentOf(annotation);
    read.claims.push({ segment: { ...segment, partIndex }, sources: [sourceOf(kind, said)] });
  }
}

function readSteps(steps: readonly JsonFields[], read: Read): void {
  for (const step of steps) {
    if (step['type'] !== 'model_output') continue;
    for (const block of listOf(step['content']))
      if (block['type'] === 'text') readTextBlock(block, read);
  }
}

function readAnswer(answer: unknown): Read {
  const read: Read = { pieces: [], claims: [], found: [] };
  if (Array.isArray(answer) && answer.every((item) => text(objectOf(item)['type']) !== undefined))
    readSteps(listOf(answer), read);
  else
    for (const each of listOf([answer].flat())) {
      if (Array.isArray(each['steps'])) readSteps(listOf(each['steps']), read);
      else if (text(each['text']) !== undefined)
        readCandidate({ ...objectOf(each['metadata']), content: { parts: [each] } }, read);
      else readCandidate(listOf(each['candidates'])[0] ?? each, read);
    }
  return read;
}

const keyOf = ({ confidence: _, ...source }: CitationSource) => JSON.stringify(source);

function uniqueBy<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}

/**
 * Returns what an answer cites: which pieces of its text, and from which sources. Google counts UTF-8 bytes; `start` and
 * `end` are positions in a JavaScript string, and never within a character. Citations of the same piece are joined.
 *
 * @throws StrataError `field.invalid` if `answer` is no object
 * @see https://ai.google.dev/gemini-api/docs/google-search
 *
 * @example
 * const { text, citations: cited } = citations(await response.json());
 * for (const { start, end, sources } of cited) mark(text.slice(start, end), sources);
 */
export function citations(answer: CitedAnswer): Citations {
  if (typeof answer !== 'object' || (answer as object | null) === null)
    throw invalidOption('/answer', 'an answer, such as a GenerateContentResponse');
  const { pieces, claims, found } = readAnswer(answer);
  const cited = new CitedText(pieces);
  const placed = new Map<string, Citation>();
  const unplaced: UnplacedCitation[] = [];
  for (const { segment, sources } of claims) {
    const span = cited.spanOf(segment);
    if (!span) {
      unplaced.push({ ...known('text', segment.text), sources });
      continue;
    }
    const key = `${span.start} ${span.end}`;
    const before = placed.get(key)?.sources ?? [];
    placed.set(key, {
      ...span,
      text: cited.text.slice(span.start, span.end),
      sources: uniqueBy([...before, ...sources], keyOf),
    });
  }
  const ofClaims = claims.flatMap(({ sources }) =>
    sources.map(({ confidence: _, ...source }) => source),
  );
  return {
    text: cited.text,
    citations: [...placed.values()].sort((a, b) => a.start - b.start || a.end - b.end),
    sources: uniqueBy([...found, ...ofClaims], keyOf),
    unplaced,
  };
}
