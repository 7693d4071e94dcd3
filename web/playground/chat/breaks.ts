// Breaks a request in the ways in which clients break them.
import type { Content, Part } from '../../index.js';
import { signaturesIn, withoutSignatures } from '../../ui/signatures.js';

type Loose = Omit<Content, 'parts'> & { parts?: Part[] };

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

const responsesOf = ({ parts = [] }: Loose) =>
  parts.filter(({ functionResponse }) => functionResponse);
const hasTwo = (content: Loose) => responsesOf(content).length > 1;
const hasCall = ({ parts = [] }: Loose) => parts.some(({ functionCall }) => functionCall);

// Changes the Contents of a body. `change` returns undefined if there is nothing to break.
const inContents =
  (change: (contents: Loose[]) => Loose[] | undefined) =>
  (json: string): string | undefined => {
    const body: { contents?: Loose[] } = JSON.parse(json);
    const contents = change(body.contents ?? []);
    return contents && JSON.stringify({ ...body, contents });
  };

function swapped(contents: Loose[]): Loose[] | undefined {
  const index = contents.findLastIndex(hasTwo);
  const content = contents[index];
  const [first, second] = responsesOf(content ?? {});
  if (!content || !first || !second) return undefined;
  const other = (part: Part) => (part === first ? second : part === second ? first : part);
  return contents.with(index, { ...content, parts: (content.parts ?? []).map(other) });
}

// Joins the model's calls with the results that answer them, or else a message with the answer before it.
function merged(contents: Loose[]): Loose[] | undefined {
  const results = contents.findLastIndex(
    (content, at) => responsesOf(content).length > 0 && hasCall(contents[at - 1] ?? {}),
  );
  const index = results > 0 ? results : contents.length - 1;
  const [before, after] = [contents[index - 1], contents[index]];
  if (!before || !after) return undefined;
  const parts = [...(before.parts ?? []), ...(after.parts ?? [])];
  return contents.toSpliced(index - 1, 2, { ...after, parts });
}

function emptied(contents: Loose[]): Loose[] | undefined {
  const index = contents.findLastIndex(({ role }) => role === 'model');
  return index < 0 ? undefined : contents.with(index, { role: 'model', parts: [] });
}

function split(contents: Loose[]): Loose[] | undefined {
  const index = contents.findLastIndex(hasTwo);
  const content = contents[index];
  const single = (content?.parts ?? []).map((part) => ({ ...content, parts: [part] }));
  return content && contents.toSpliced(index, 1, ...single);
}

// A cache holds what the request then may not repeat.
function withExpiredCache(json: string): string {
  const body: { [field: string]: unknown } = JSON.parse(json);
  for (const field of ['systemInstruction', 'tools', 'toolConfig']) delete body[field];
  return JSON.stringify({ ...body, cachedContent: 'cachedContents/expired000000' });
}

/** Removes all signatures. The other characters stay as they are. */
export const dropSignatures: Break = {
  label: 'Drop the signatures',
  missing: 'it has no signatures. They come with the answers of models that think.',
  mistake: 'Clients that store only text and calls lose the signatures.',
  unseen: 'Only the calls of the current turn must be signed.',
  apply: (json) => (signaturesIn(json).length > 0 ? withoutSignatures(json) : undefined),
};

const needsTwo = 'it has no turn with two results. Ask for two things at once.';

/** All breaks, in the order of their buttons. */
export const breaks: readonly Break[] = [
  dropSignatures,
  {
    label: 'Swap two results',
    missing: needsTwo,
    mistake: 'Clients that run calls in parallel add the results as they finish.',
    unseen: 'If the names and ids still match, the model may read one result as the other.',
    remedy: 'Send the results in the order of the calls.',
    apply: inContents(swapped),
  },
  {
    label: 'Merge two turns',
    missing: 'it has only one turn.',
    mistake: 'Clients that write one message for a call and its result merge two turns.',
    unseen: 'The API accepts this, but the model reads its own words as those of the user.',
    remedy: 'Keep the Contents of the model and of the user apart.',
    apply: inContents(merged),
  },
  {
    label: 'Empty a turn',
    missing: 'it has no turn of the model.',
    mistake: 'Clients that remove thoughts or media can leave a turn without parts.',
    unseen: 'Nothing requires this turn.',
    remedy: 'Remove the turn, or keep its parts.',
    apply: inContents(emptied),
  },
  {
    label: 'Split the results',
    missing: needsTwo,
    mistake: 'Clients that send each result as a message of its own split one turn.',
    unseen: 'This model accepts results in several turns.',
    remedy: 'Put all results of one answer into one turn.',
    apply: inContents(split),
  },
  {
    label: 'Expire the cache',
    missing: 'it has no content.',
    mistake: 'Clients that keep the name of a cache for too long name one that has expired.',
    unseen:
      'A request does not tell whether its cache exists: no check before sending can find this.',
    remedy: 'Send the content itself again, or create a new cache.',
    apply: withExpiredCache,
  },
];
