// Declares the steps of the Interactions API: what the user, the model and Google's tools said or did.
import type { Json } from '../json.js';

/** A piece of what was said: a text, an image, audio, a video or a document. */
export interface StepContent {
  /** `text`, `image`, `audio`, `video` or `document`. */
  type: string;
  text?: string;
  /** The bytes of media, base64. */
  data?: string;
  /** Where the media is: a file of the Files API, or an https address. */
  uri?: string;
  mime_type?: string;
  [field: string]: Json | undefined;
}

/** What the user said. */
export interface UserInputStep {
  type: 'user_input';
  content: StepContent[] | string;
}

/** What the model said. */
export interface ModelOutputStep {
  type: 'model_output';
  content: StepContent[];
}

/** What the model thought. Send it back unchanged: the API refuses calls without it. */
export interface ThoughtStep {
  type: 'thought';
  signature?: string;
  summary?: StepContent[];
}

/** A call of a function of the request. Its `function_result` must follow. */
export interface FunctionCallStep {
  type: 'function_call';
  id: string;
  name: string;
  arguments: { [name: string]: Json };
}

/** The result of a `function_call`. */
export interface FunctionResultStep {
  type: 'function_result';
  call_id: string;
  name: string;
  result: { [name: string]: Json } | StepContent[] | string;
  is_error?: boolean;
}

/** A step of another type, such as those of Google's own tools. Send it back unchanged. */
export interface OtherStep {
  type: string;
  [field: string]: Json | undefined;
}

/**
 * A step of the Interactions API. The API adds types and fields at any time, so any object with a `type` is one.
 *
 * @see https://ai.google.dev/api/interactions-api
 *
 * @example
 * const step: Step = { type: 'user_input', content: [{ type: 'text', text: 'Hello' }] };
 */
export type Step =
  UserInputStep | ModelOutputStep | ThoughtStep | FunctionCallStep | FunctionResultStep | OtherStep;
