// Defines what the Prompt view asks its worker, and what the worker answers.
import type { Strata } from '../../index.js';
import type { Diagnostic, Manifest, Templates } from '../../templates/index.js';
import type { DocumentSettings, Placement, PromptDraft } from '../state/playground-document.js';

/** The core and the template engine, with which the requests of a prompt are made. */
export interface Engines {
  strata: Strata;
  templates: Templates;
}

/** The prompt and settings of requests, and the conversation that they continue. */
export interface PromptQuestion {
  prompt: PromptDraft;
  settings: DocumentSettings;
  /** The conversation of the chat as `Thread.save` wrote it; '' for the simulated one. */
  history: string;
  /** The time of the newest message, RFC 3339. Each message before is one minute older. */
  now: string;
}

export type TemplateId = 'static' | 'dynamic';

/** Something wrong with a template. Offsets are in UTF-16 units. */
export interface TemplateProblem {
  from: number;
  to: number;
  severity: 'error' | 'warning';
  message: string;
  missing?: string;
}

export interface TemplateReport {
  id: TemplateId;
  /** What was judged: of a layer without a template, the default one. */
  source: string;
  variables: string[];
  problems: TemplateProblem[];
}

export interface ShownRequest {
  body: Uint8Array;
  manifest: Manifest;
  diagnostics: Diagnostic[];
}

/** What differs from the request of the message before. */
export interface RequestChange {
  firstByte: number;
  reason: string;
}

/** The requests of ten turns with one placement of the dynamic layer. Tokens are estimates of the core. */
export interface PlacementCost {
  placement: Placement;
  requests: number;
  /** Of all requests together. */
  promptTokens: number;
  /** Of the last request: how much of its prompt equals the one before. */
  lastPromptTokens: number;
  lastStableTokens: number;
  /** Input tokens that an implicit cache can serve: the stable ones of the prompts that reach the minimum. */
  servedTokens: number;
  /** USD for the input of all requests, with an implicit cache and without; missing if the price is unknown. */
  inputCost?: number;
  uncachedCost?: number;
}

export interface PlacementComparison {
  costs: PlacementCost[];
  /** The smallest prefix that the service caches by itself; 0 if it does not, or if it is unknown. */
  implicitCacheMinimum: number;
  price?: { input: number; cacheRead: number };
}

export interface PromptAnalysis {
  templates: TemplateReport[];
  request?: ShownRequest;
  failure?: string;
  /** Missing for the first message. */
  change?: RequestChange;
  /** The smallest prefix that the service caches by itself; 0 if it does not, or if it is unknown. */
  implicitCacheMinimum: number;
}

/** Returns the problems of templates for which a request sends their source or variables instead of their text. */
export const templateFailures = ({ request }: PromptAnalysis): Diagnostic[] =>
  (request?.diagnostics ?? []).filter(({ code }) => code.startsWith('template.'));
