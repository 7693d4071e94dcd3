// Defines what chat completions need from the core.
import type { GatewayCore } from '../sdk/core/gateway-core.js';
import type { Backend } from '../sdk/types/backend.js';
import type { Diagnostic } from '../sdk/types/diagnostic.js';

/** A request in Google's form. */
export interface OpenAiRequest {
  body: Uint8Array;
  model: string;
  stream: boolean;
  includeUsage: boolean;
  diagnostics: Diagnostic[];
}

/** Converts one answer. */
export interface OpenAiAnswer extends Disposable {
  push(bytes: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

/** What converts requests and answers. */
export interface OpenAiCore extends GatewayCore {
  openAiRequest(
    body: Uint8Array,
    options: { model?: string; backend?: Backend; now?: string },
  ): OpenAiRequest;
  openAiAnswer(options: {
    id: string;
    created: number;
    model: string;
    stream: boolean;
    includeUsage?: boolean;
  }): OpenAiAnswer;
}
