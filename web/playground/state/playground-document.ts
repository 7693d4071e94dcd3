// Defines the document of a session, which all views show and change, and reads saved and shared ones.
import type { Backend, Wire } from '../../index.js';
import { messageOf } from '../../sdk/internal/messages.js';
import * as must from '../../sdk/internal/options.js';
import { withLineFeeds } from '../../ui/editor/text.js';

/** The views, in the order of their tabs. */
export const viewNames = ['lint', 'prompt', 'chat'] as const;
export type ViewName = (typeof viewNames)[number];

/** What every view sends with its requests. */
export interface DocumentSettings {
  model: string;
  backend: Backend;
  /** The API that the chat is sent to. Missing: generateContent. */
  wire?: Wire;
  /** JSON text. `''` sends none. */
  generationConfig: string;
  /** JSON text of an array of functionDeclarations. `''`: none. The user writes their results. */
  tools: string;
  /** Whether a chat without tools declares those of the demonstration. Missing: it does. */
  demonstration?: boolean;
  /** Whether explicit caches may be created. */
  caching: boolean;
}

/** Where the dynamic layer stands, as `AssembleInput` names it. */
export type Placement = 'after-static' | 'before-current-turn';

export interface PromptDraft {
  static: string;
  dynamic: string;
  /** JSON text. */
  variables: string;
  placement: Placement;
}

/** What is known about one answer besides what `Thread.save` keeps. Missing counts were not reported. */
export interface AnswerNumbers {
  /** `meta.at` of the answer's turn, which identifies it in every course of the conversation. */
  at: string;
  input?: number;
  cached?: number;
  thought?: number;
  output?: number;
  /** USD, at the list price of that day. Missing if it is not known. */
  cost?: number;
  finishReason: string;
}

export interface ChatDraft {
  /** The text of `Thread.save`; `''` if there are no turns. */
  saved: string;
  /** Missing in documents without answers. */
  numbers?: AnswerNumbers[];
}

/** Everything that a session keeps. It never holds a key or a host. */
export interface PlaygroundDocument {
  version: 1;
  view: ViewName;
  settings: DocumentSettings;
  /** `text`: as pasted, without credentials. */
  lint: { text: string };
  prompt: PromptDraft;
  chat: ChatDraft;
  /** What stands in the message field of the chat. Missing if nothing was typed. */
  message?: string;
}

export const defaultModel = 'gemini-3.8-flash';

/** Returns the document of a new session: a request with an error to look at, and no other input. */
export function emptyDocument(): PlaygroundDocument {
  return {
    version: 1,
    view: 'lint',
    settings: {
      model: defaultModel,
      backend: 'gemini',
      generationConfig: '',
      tools: '',
      caching: false,
    },
    lint: { text: brokenExample },
    prompt: { static: '', dynamic: '', variables: '{}', placement: 'before-current-turn' },
    chat: { saved: '' },
  };
}

const part = <Part>(known: must.Shape<Part>) => must.required(must.shape(known));
const { string, boolean } = must;
const number = must.optional(must.number);

const settings = part<DocumentSettings>({
  model: string,
  backend: must.backend,
  wire: must.optional(must.wire),
  generationConfig: string,
  tools: string,
  demonstration: must.optional(boolean),
  caching: boolean,
});
const prompt = part<PromptDraft>({
  static: string,
  dynamic: string,
  variables: string,
  placement: must.oneOf('after-static', 'before-current-turn'),
});
const numbers = part<AnswerNumbers>({
  ...{ at: string, input: number, cached: number, thought: number, output: number },
  ...{ cost: number, finishReason: string },
});
const fields: must.Shape<PlaygroundDocument> = {
  version: must.unchecked,
  view: must.oneOf(...viewNames),
  settings,
  lint: part<PlaygroundDocument['lint']>({ text: string }),
  prompt,
  chat: part<ChatDraft>({ saved: string, numbers: must.optional(must.arrayOf(numbers)) }),
  message: must.optional(string),
};

/** A document that this page does not open. The message says why, as a whole sentence. */
export class DocumentError extends Error {
  override name = 'DocumentError';
}

function checkVersion(version: unknown): void {
  if (version === 1) return;
  if (typeof version !== 'number') throw new DocumentError('This is not a session of this page.');
  throw new DocumentError(
    version > 1
      ? 'This session was made by a newer version of this page. Reload the page to get that version.'
      : 'This session was made by an older version of this page, which is no longer supported.',
  );
}

// Editors compare these texts with theirs.
const editable = (value: PlaygroundDocument): PlaygroundDocument => ({
  ...value,
  lint: { text: withLineFeeds(value.lint.text) },
  prompt: {
    ...value.prompt,
    static: withLineFeeds(value.prompt.static),
    dynamic: withLineFeeds(value.prompt.dynamic),
    variables: withLineFeeds(value.prompt.variables),
  },
});

/**
 * Returns a document that was saved or shared. The lines of its editable texts end with a line feed.
 *
 * @throws DocumentError if its version is unknown, or a field is missing, unknown or of the wrong type
 */
export function readDocument(value: unknown): PlaygroundDocument {
  checkVersion(Object(value).version);
  try {
    must.checkOptions<PlaygroundDocument>(value, fields);
  } catch (error) {
    throw new DocumentError(`This session is damaged: ${messageOf(error)}.`);
  }
  return editable(value as PlaygroundDocument);
}

const call = (id: string, name: string, args: object) => ({ id, name, args });
const result = ({ id, name }: ReturnType<typeof call>, output: string) => ({
  functionResponse: { id, name, response: { output } },
});

const paris = call('call-1', 'get_weather', { city: 'Paris' });
const rome = call('call-2', 'get_weather', { city: 'Rome' });
const train = call('call-3', 'book_train', { from: 'Paris', to: 'Rome' });
const thoughtSignature = 'c2lnbmF0dXJlIG9mIHRoZSBmaXJzdCBjYWxs';

const contents = [
  { role: 'user', parts: [{ text: 'What is the weather in Paris and in Rome?' }] },
  { role: 'model', parts: [{ functionCall: paris, thoughtSignature }, { functionCall: rome }] },
  { role: 'user', parts: [result(paris, 'Sunny, 18 °C')] },
  { role: 'model', parts: [{ text: 'Paris is sunny at 18 °C. I have no answer for Rome.' }] },
  { role: 'user', parts: [{ text: 'Book me a train to Rome.' }] },
  { role: 'model', parts: [{ functionCall: train }] },
  { role: 'user', parts: [result(train, 'Booked for 8:15')] },
];

const city = { type: 'STRING' };
const functionDeclarations = [
  {
    name: 'get_weather',
    description: 'Returns the weather in a city.',
    parameters: { type: 'OBJECT', properties: { city }, required: ['city'] },
  },
  {
    name: 'book_train',
    description: 'Books a train between two cities.',
    parameters: { type: 'OBJECT', properties: { from: city, to: city }, required: ['from', 'to'] },
  },
];
const tools = [{ functionDeclarations }];

export const brokenExample = JSON.stringify({ contents, tools }, null, 2);
