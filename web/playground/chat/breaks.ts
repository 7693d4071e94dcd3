// Breaks a request in the ways in which clients break them.
import { signaturesIn, withoutSignatures } from '../../ui/signatures.js';

interface Part {
  text?: string;
  functionCall?: unknown;
  functionResponse?: unknown;
}

interface Content {
  role?: string;
  parts?: Part[];
}

interface Body {
  contents?: Content[];
  cachedContent?: string;
  [field: string]: unknown;
}

/** One way to break a request. */
export interface Break {
  /** The label of its button: "Swap two results". */
  label: string;
  /** Which mistake of a client this is. */
  mistake: string;
  /** Why a request without findings may still be wrong. */
  unseen: string;
  /** What a request must have, for a request that lacks it. */
  missing: string;
  /** How the mistake is undone if `repair` of the core cannot know: the original request is sent. */
  remedy?: string;
  /** Returns the broken body; undefined if the request has nothing to break. */
  apply: (json: string) => string | undefined;
}

const parts = ({ parts: own }: Content): Part[] => own ?? [];
const hasCall = (content: Content) => parts(content).some(({ functionCall }) => functionCall);
const responsesOf = (content: Content) =>
  parts(content).filter(({ functionResponse }) => functionResponse);

// Changes the Contents of a body. Returns undefined if `change` does.
function withContents(
  json: string,
  change: (contents: Content[]) => Content[] | undefined,
): string | undefined {
  const body: Body = JSON.parse(json);
  const contents = change(body.contents ?? []);
  return contents && JSON.stringify({ ...body, contents });
}

/** Removes all signatures. The other characters stay as they are. */
export const dropSignatures: Break = {
  label: 'Drop the signatures',
  missing: 'it has no signatures. They come with the answers of models that think.',
  mistake: 'Clients that store only text and calls lose the signatures.',
  unseen: 'Only the calls of the current turn must be signed.',
  apply: (json) => (signaturesIn(json).length > 0 ? withoutSignatures(json) : undefined),
};

function swapped(contents: Content[]): Content[] | undefined {
  const index = contents.findLastIndex((content) => responsesOf(content).length > 1);
  const [first, second] = responsesOf(contents[index] ?? {});
  if (!first || !second) return undefined;
  const other = new Map([
    [first, second],
    [second, first],
  ]);
  const exchange = (content: Content): Content => ({
    ...content,
    parts: parts(content).map((part) => other.get(part) ?? part),
  });
  return contents.map((content, at) => (at === index ? exchange(content) : content));
}

const swapResults: Break = {
  label: 'Swap two results',
  missing: 'it has no turn with two results. Ask for two things at once.',
  mistake: 'Clients that run calls in parallel add the results in the order in which they finish.',
  unseen:
    'Each result carries what its call asked for only by its place, its name and its id. If these still match, the request is accepted, and the model may read one result as the other.',
  remedy: 'Send the results in the order of the calls.',
  apply: (json) => withContents(json, swapped),
};

// Joins the model's calls with the results that answer them, or else a message with the answer before it.
function merged(contents: Content[]): Content[] | undefined {
  const results = contents.findLastIndex(
    (content, at) => responsesOf(content).length > 0 && hasCall(contents[at - 1] ?? {}),
  );
  const index = results > 0 ? results : contents.length - 1;
  const [before, after] = [contents[index - 1], contents[index]];
  if (!before || !after) return undefined;
  const joined = { ...after, parts: [...parts(before), ...parts(after)] };
  return contents.toSpliced(index - 1, 2, joined);
}

const mergeTurns: Break = {
  label: 'Merge two turns',
  missing: 'it has only one turn.',
  mistake: 'Clients that write one message for a call and its result merge what are two turns.',
  unseen: 'The API accepts this, but the model reads its own words as those of the user.',
  remedy: 'Keep the Contents of the model and of the user apart.',
  apply: (json) => withContents(json, merged),
};

const emptyTurn: Break = {
  label: 'Empty a turn',
  missing: 'it has no turn of the model.',
  mistake: 'Clients that remove thoughts or media can leave a turn without parts.',
  unseen: 'Nothing requires this turn.',
  remedy: 'Remove the turn, or keep its parts.',
  apply: (json) =>
    withContents(json, (contents) => {
      const index = contents.findLastIndex(({ role }) => role === 'model');
      const empty = { role: 'model', parts: [] };
      return index < 0 ? undefined : contents.with(index, empty);
    }),
};

const splitResults: Break = {
  label: 'Split the results',
  missing: 'it has no turn with two results. Ask for two things at once.',
  mistake: 'Clients that send each result as a message of its own split what must be one turn.',
  unseen: 'This model accepts results in several turns.',
  remedy: 'Put all results of one answer into one turn.',
  apply: (json) =>
    withContents(json, (contents) => {
      const index = contents.findLastIndex((content) => responsesOf(content).length > 1);
      const content = contents[index];
      if (!content) return undefined;
      const single = parts(content).map((part) => ({ ...content, parts: [part] }));
      return contents.toSpliced(index, 1, ...single);
    }),
};

// A cache holds what the request then may not repeat.
function withExpiredCache(json: string): string {
  const {
    systemInstruction: _system,
    tools: _tools,
    toolConfig: _config,
    ...rest
  } = JSON.parse(json) as Body;
  return JSON.stringify({ ...rest, cachedContent: 'cachedContents/expired000000' });
}

const expireCache: Break = {
  label: 'Expire the cache',
  missing: 'it has no content.',
  mistake:
    'Clients that keep the name of a cache longer than its time to live name one that has expired.',
  unseen:
    'A request does not tell whether its cache still exists, so no check before sending can find this.',
  remedy: 'Send the content itself again, or create a new cache.',
  apply: withExpiredCache,
};

/** All breaks, in the order of their buttons. */
export const breaks: readonly Break[] = [
  dropSignatures,
  swapResults,
  mergeTurns,
  emptyTurn,
  splitResults,
  expireCache,
];
