// Defines what the lint engine finds out about a text, and how much of it. All offsets are in UTF-16 units of `text`.
import type {
  Backend,
  Diagnostic,
  LintOptions,
  Timeline as CoreTimeline,
  TimelineTurn,
} from '../../check/index.js';
import type { GoogleError } from '../../requests/google-error.js';
import type { Form, OtherApi } from '../../requests/request.js';
import type { Evidence } from './rule-text.js';

/** The options of an analysis, and what lint takes besides. */
export interface AnalysisOptions extends LintOptions {
  /** The model of requests that name none. */
  model: string;
  /** The service of requests whose URL names none. */
  backend: Backend;
  /** The request whose timeline is returned. Default: the first with an error, or else the first. */
  request?: number;
}

/**
 * The form of the text. `text` is none of them, which a finding explains; `empty` has no characters but spaces.
 * In `openai`, findings point to whole messages, and `converted` is the Gemini request.
 */
export type TextForm = 'empty' | 'text' | 'openai' | Form;

/** A half-open range of UTF-16 offsets in the text. */
export interface TextRange {
  from: number;
  to: number;
}

/** One request of the text, with the range of its body. */
export interface FoundRequest extends TextRange {
  /** Such as `request 2` or `entry 3, generateContent`. */
  label: string;
  model: string;
  backend: Backend;
  /** Whether the request itself names its model, and whether its URL names the service. */
  names: { model: boolean; backend: boolean };
  errors: number;
  warnings: number;
  notes: number;
  /** The API for which the body was written, if that is not generateContent. */
  api?: OtherApi;
  /** The status and the error of Google's answer, from a HAR file, and the rules with its words. */
  answer?: { status: number; error?: GoogleError };
}

/** One finding at its place. The range is empty if the place is a single position. */
export interface LintFinding extends TextRange {
  code: Diagnostic['code'];
  severity: Diagnostic['severity'];
  /** A JSON Pointer into the body, or into the Contents if the text is an array of them. */
  path: string;
  message: string;
  request: number;
  why: string;
  /** Google's error messages: the one for this place first. Empty if none is known. */
  google: string[];
  /** How the severity is known for this model and service. */
  evidence?: Evidence;
  /** Whether the user has to decide: the rule knows a repair, but not a certain one for this place. */
  isOpen?: boolean;
  /** The index of its repair in `Analysis.repairs`, if there is one. */
  repair?: number;
  /** Where else the same is wrong, if the same repair resolves it. */
  places: TextRange[];
  /** How many further findings of its kind are not listed. */
  more?: number;
}

/** One Content of the history, at its place in the text. */
export type TimelineContent = TimelineTurn & TextRange;

export interface Timeline extends Omit<CoreTimeline, 'turns'> {
  request: number;
  turns: TimelineContent[];
}

/** What is known about a text. */
export interface Analysis {
  form: TextForm;
  /** The text that the offsets refer to: as pasted, but without credentials. */
  text: string;
  removedSecrets: number;
  requests: FoundRequest[];
  /** The index of the request that `timeline` and `body` are about; 0 if there is none. */
  chosen: number;
  /** In the order of the text. */
  findings: LintFinding[];
  /** Unsigned calls of the current turn get the placeholder that Google documents. */
  repairs: TextRepair[];
  canRepairAll: boolean;
  /** How many rules there are for requests. */
  ruleCount: number;
  /** Set if the text is an answer of the API. */
  googleError?: GoogleError;
  /** Findings that are left out because there are more than are shown. */
  omittedFindings: number;
  /** Why a part of the text has no request, such as a command whose body is in a file. */
  notes: (TextRange & { message: string })[];
  /** Whether there are requests and no errors. */
  ok: boolean;
  /** The history of the chosen request; absent if it has no readable Contents. */
  timeline?: Timeline;
  /** The JSON text of the chosen request's body, as the API receives it. */
  body?: string;
  /** The Gemini request that OpenAI messages become. */
  converted?: string;
}

/** Replaces [from, to) of the analyzed text. */
export interface TextEdit extends TextRange {
  text: string;
}

/** What a repair does, as an offer and as what was done, and what would be better. */
export interface RepairWords {
  offer: string;
  done: string;
  better?: string;
}

/** A repair: the edits that resolve some findings, and that are right only together. */
export interface TextRepair {
  /** In the order of the text. Those of all repairs do not overlap, so any choice of repairs can be made. */
  edits: TextEdit[];
  codes: Diagnostic['code'][];
  words: RepairWords;
}

export interface MadeRepair extends Pick<TextRepair, 'codes' | 'words'> {
  /** The edits of the current text that take it back. */
  inverse: TextEdit[];
}

/** The longest text, in UTF-16 units. */
export const maxTextLength = 6_000_000;

/** The longest text that is shown before the editor is loaded. */
export const maxPlainLength = 100_000;

/** How many underlines the editor draws. */
export const shownMarks = 500;

/** How long the user must not type before the text is analyzed. */
export const restMs = 150;

/** How many Contents of a history the outline draws. */
export const shownContents = 600;

/** Returns at most `limit` findings, those of the chosen request first, in the order in which they are given. */
export function keptFindings(
  findings: readonly LintFinding[],
  chosen: number,
  limit: number,
): LintFinding[] {
  const isChosen = ({ request }: LintFinding) => request === chosen;
  const others = findings.filter((finding) => !isChosen(finding));
  const kept = new Set([...findings.filter(isChosen), ...others].slice(0, limit));
  return findings.filter((finding) => kept.has(finding));
}
