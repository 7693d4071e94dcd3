// Checks a document that was saved or shared, field by field.
import {
  arrayOf,
  backend,
  boolean,
  checkOptions,
  count,
  number,
  oneOf,
  optional,
  required,
  shape,
  string,
  unchecked,
  wire,
  type Shape,
} from '../../sdk/internal/options.js';
import { messageOf } from '../../sdk/internal/messages.js';
import { withLineFeeds } from '../../ui/editor/line-feeds.js';
import {
  viewNames,
  type AnswerNumbers,
  type Branch,
  type ChatDraft,
  type DiscardedAnswer,
  type DocumentSettings,
  type PlaygroundDocument,
  type PromptDraft,
  type SectionDraft,
  type ToolDraft,
} from './playground-document.js';

const currentVersion = 1;

const tool: Shape<ToolDraft> = {
  name: string,
  description: string,
  parameters: string,
  answer: optional(string),
  script: optional(string),
};
const settings: Shape<DocumentSettings> = {
  model: string,
  backend,
  wire: optional(wire),
  generationConfig: string,
  tools: listOf(tool),
  demonstration: optional(boolean),
  caching: boolean,
};
const section: Shape<SectionDraft> = { name: string, template: string };
const prompt: Shape<PromptDraft> = {
  static: string,
  dynamic: string,
  sections: listOf(section),
  variables: string,
  placement: oneOf('after-static', 'before-current-turn'),
};
const discarded: Shape<DiscardedAnswer> = { after: count, text: string, reason: string };
const branch: Shape<Branch> = { name: string, saved: string };
const numbers: Shape<AnswerNumbers> = {
  at: string,
  estimate: number,
  input: optional(number),
  cached: optional(number),
  thought: optional(number),
  output: optional(number),
  unknown: optional(listOf(string)),
  firstPieceMs: optional(number),
  finishReason: string,
};
const chat: Shape<ChatDraft> = {
  saved: string,
  discarded: listOf(discarded),
  branches: optional(listOf(branch)),
  numbers: optional(listOf(numbers)),
};
const lint: Shape<PlaygroundDocument['lint']> = { text: string };
const fields: Shape<PlaygroundDocument> = {
  version: unchecked,
  view: oneOf(...viewNames),
  settings: required(shape(settings)),
  lint: required(shape(lint)),
  prompt: required(shape(prompt)),
  chat: required(shape(chat)),
  message: optional(string),
};

function listOf<Item>(item: Shape<Item>) {
  return arrayOf(required(shape(item)));
}

/** A document that this page does not open. The message says why, as a whole sentence. */
export class DocumentError extends Error {
  override name = 'DocumentError';
}

function checkVersion(version: unknown): void {
  if (version === currentVersion) return;
  if (typeof version !== 'number') throw new DocumentError('This is not a session of this page.');
  throw new DocumentError(
    version > currentVersion
      ? 'This session was made by a newer version of this page. Reload the page to get that version.'
      : 'This session was made by an older version of this page, which is no longer supported.',
  );
}

const promptWithLineFeeds = (draft: PromptDraft): PromptDraft => ({
  ...draft,
  static: withLineFeeds(draft.static),
  dynamic: withLineFeeds(draft.dynamic),
  sections: draft.sections.map((one) => ({ ...one, template: withLineFeeds(one.template) })),
  variables: withLineFeeds(draft.variables),
});

// Editors compare these texts with theirs.
const editable = (value: PlaygroundDocument): PlaygroundDocument => ({
  ...value,
  lint: { text: withLineFeeds(value.lint.text) },
  prompt: promptWithLineFeeds(value.prompt),
});

/**
 * Returns a document that was saved or shared. The lines of its editable texts end with a line feed.
 *
 * @throws DocumentError if its version is unknown, or a field is missing, unknown or of the wrong type
 */
export function readDocument(value: unknown): PlaygroundDocument {
  checkVersion(Object(value).version);
  try {
    checkOptions<PlaygroundDocument>(value, fields);
  } catch (error) {
    throw new DocumentError(`This session is damaged: ${messageOf(error)}.`);
  }
  return editable(value as PlaygroundDocument);
}
