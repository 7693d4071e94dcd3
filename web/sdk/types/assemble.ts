// Defines the input and the result of assembling one request.
import type { CompiledPrompt } from './compiled-prompt.js';
import type { Report } from './diagnostic.js';
import type { ApiTool, ToolConfig } from './gemini/tools.js';
import type { ContentInput } from './gemini/contents.js';
import type { GenerationConfig, SafetySetting, ServiceTier } from './gemini/request.js';
import type { AgentConfig } from './gemini/interaction.js';
import type { Json, JsonInput, JsonOf } from './json.js';
import type { Manifest } from './manifest.js';
import type { Template } from './template.js';
import type { Wire } from './wire.js';
import type { DynamicVariables, StaticVariables } from './template-variables.js';

/** A text layer that is rendered from the package's template for the layer: by `connect`, `Conversation` and `prepareRequest`, which load `prompt-strata/templates` for it. */
export interface DefaultLayer<Variables> {
  /** The variables of the package's template. */
  variables?: Variables;
  template?: undefined;
  text?: undefined;
}

/** A text layer that is rendered from a template of your own. */
export interface TemplateLayer {
  /** A template of `prompt-strata/templates`, which need not be of one instance with the thread. `connect`, `Conversation` and `prepareRequest` also take its source. */
  template: string | Template;
  variables?: { [key: string]: Json };
  text?: undefined;
}

/** A text layer that is finished text. */
export interface TextLayer {
  /** Text that is sent unchanged. `''` omits the layer. */
  text: string;
  template?: undefined;
  variables?: undefined;
}

/** The content of a text layer: the variables of the package's template, a template of your own, or finished text. */
export type LayerInput<Variables = StaticVariables | DynamicVariables> =
  DefaultLayer<Variables> | TemplateLayer | TextLayer;

/**
 * The input of one request besides the thread's history.
 *
 * @example
 * thread.assemble({
 *   now: new Date().toISOString(),
 *   static: { text: 'Answer briefly.' },
 *   trigger: 'Are you open tomorrow?',
 * });
 */
export interface AssembleInput {
  /** The current time, RFC 3339. The core has no clock; templates read this value. */
  now: string;
  /**
   * The API that the body is for. `interactions` writes one of `POST /v1beta/interactions`: turns that came as steps as
   * they came, all others and the options converted. Nothing is stored unless `store` is true. In the path of a
   * diagnostic, `/contents/N` is turn N of the thread, and `/static` and `/dynamic` are the text layers. Default:
   * `generateContent`.
   */
  wire?: Wire | undefined;
  /** Only with the wire `interactions`: whether the answer is streamed. On generateContent, the URL says so. Default: false. */
  stream?: boolean | undefined;
  /**
   * Only with the wire `interactions`: a stored interaction that has the first `turns` turns of the thread. They are not
   * sent again, and this interaction is stored, too. The dynamic layer, and a static one with the role `user`, are left
   * out in front of the results of its calls: Google has those of the request that led to them.
   */
  previousInteraction?: { id: string; turns: number } | undefined;
  /**
   * Only with the wire `interactions`: gives turns with functionCalls without a signature, which this API refuses, the
   * placeholder that Google documents. It may reduce the quality of answers. Without it they get the warning
   * `convert.unsigned`. Default: false.
   */
  placeholder?: boolean | undefined;
  /**
   * Only with the wire `interactions`: the agent that answers in place of the model, which has no `generationConfig` and
   * no `toolConfig`. docs/interactions.md.
   */
  agent?: string | undefined;
  /** Only with `agent`: its settings, with the names of Google, such as `{ type: 'deep-research' }`. */
  agentConfig?: AgentConfig | undefined;
  /**
   * Only with the wire `interactions`: the request is answered at once with an interaction that runs in the background,
   * which Google stores. Default: false.
   */
  background?: boolean | undefined;
  /** A compiled prompt. Its stable half precedes layer 1, its dynamic half precedes layer 2. Without `static`, layer 1 is the stable half only. */
  compiled?: CompiledPrompt | undefined;
  /** Layer 1. `role: 'user'` sends it as the first Content instead of `systemInstruction`. Default: `system`. */
  static?: (LayerInput<StaticVariables> & { role?: 'system' | 'user' }) | undefined;
  /** Layer 2, one JSON text. `before-current-turn` places it after the old history, so that the history becomes part of the stable prefix. Default: `after-static`. */
  dynamic?:
    | (LayerInput<DynamicVariables> & { placement?: 'after-static' | 'before-current-turn' })
    | undefined;
  /** Layer 4: a string is a plain-text instruction; an object or bytes are a whole Content. */
  trigger?: string | ContentInput | Uint8Array | undefined;
  tools?: JsonOf<readonly ApiTool[]> | undefined;
  toolConfig?: JsonOf<ToolConfig> | undefined;
  generationConfig?: JsonOf<GenerationConfig> | undefined;
  /** The wire `interactions` does not send them: pass its `safety_settings` as `extra`. */
  safetySettings?: JsonOf<readonly SafetySetting[]> | undefined;
  /** Whether Google stores the request for the project's logs. Gemini API only; not sent if unset, so that the project's setting decides. With the wire `interactions`: whether Google stores the interaction, which another one can continue. Default there: false. */
  store?: boolean | undefined;
  /** The service tier. */
  serviceTier?: ServiceTier | undefined;
  /** Labels for billing and logs. Vertex AI only, or with the wire `interactions`. */
  labels?: { [key: string]: string } | undefined;
  /** An object of top-level fields that are newer than this package. They are sent byte for byte; the diagnostic `field.extra` names each that is unknown. Fields that `assemble` writes itself are refused. */
  extra?: JsonInput | undefined;
  /** An existing CachedContent, which the wire `interactions` does not have, with the `turns` and `key` that `cacheBody` returned for it. If it does not fit this request, the request is assembled without it. */
  cache?: { name: string; model: string; turns: number; key: string } | null | undefined;
  /** Where history older than the buffer goes: into layer 1 as quoted text (`text`, default), or into a CachedContent as Contents (`contents`). */
  cachedHistory?: 'text' | 'contents' | undefined;
  /** The number of tokens of recent turns above which older turns move to layer 1. Default: the model's `bufferTokens`. A negative value disables this. */
  bufferTokens?: number | undefined;
  /** If true, a failing template throws `TemplateError`. Otherwise its source is sent, and a diagnostic is added. Default: false; in a conversation true. */
  strict?: boolean | undefined;
  /** The manifest of the last request that was sent. It is needed for `Manifest.stablePrefixBytes`, `Manifest.stablePrefixTokens` and the diagnostic `cache.prefix_broken`. */
  previous?: Manifest | undefined;
}

/** An assembled request. */
export interface Assembled extends Report {
  /** The body, UTF-8. Empty if `ok` is false. */
  body: Uint8Array;
  /** The estimated tokens of the whole prompt: those of the manifest, which need not be read for them. */
  promptTokens: number;
  manifest: Manifest;
}
