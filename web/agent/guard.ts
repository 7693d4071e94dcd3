// Refuses requests that exceed the model's context window before they are sent and billed. If the estimate is
// close to the limit, the API counts the tokens.
import type { UsageMetadata } from '../sdk/types/gemini/response.js';
import type { ConversationPlugin, PluginContext } from '../sdk/chat/plugin.js';
import { HistoryError } from '../sdk/internal/errors.js';
import { PromptScale } from './prompt-scale.js';
import type { Assembled } from '../sdk/types/assemble.js';
import type { Diagnostic } from '../sdk/types/diagnostic.js';
import type { Manifest } from '../sdk/types/manifest.js';
import type { GuardOptions } from '../sdk/chat/plugin-options.js';

// Share of the limit above which the API counts.
const closeShare = 0.8;

/** The plugin that refuses requests that are too large. */
export class GuardPlugin implements ConversationPlugin {
  readonly name = 'contextGuard';
  readonly #options: GuardOptions;
  readonly #scale = new PromptScale();
  #limit: number | undefined;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#limit = options.contextTokens;
  }

  beforeSend(assembled: Assembled, context: PluginContext): void | Promise<void> {
    this.#limit ??= context.limits().contextTokens;
    const estimate = this.#scale.apply(assembled.promptTokens);
    if (estimate < closeShare * this.#limit) return;
    return this.#check(assembled, context, this.#limit, estimate);
  }

  async #check(
    assembled: Assembled,
    context: PluginContext,
    limit: number,
    estimate: number,
  ): Promise<void> {
    const { exact = true } = this.#options;
    const tokens = (exact ? await countTokens(assembled, context) : undefined) ?? estimate;
    if (tokens <= limit) return;
    const message = `${tokens} tokens are more than the ${limit} that ${context.model} accepts`;
    const finding = { code: 'context.too_large', severity: 'error', path: '', message } as const;
    throw new HistoryError(finding.code, message, [
      ...withoutOwnCode(assembled.diagnostics),
      finding,
    ]);
  }

  afterAnswer(usage: UsageMetadata, { promptTokens }: Manifest): void {
    this.#scale.learn(promptTokens, usage.promptTokenCount);
  }
}

const withoutOwnCode = (diagnostics: Diagnostic[]) =>
  diagnostics.filter(({ code }) => code !== 'context.too_large');

// Returns undefined if counting fails, so that the estimate decides.
async function countTokens(
  { body, manifest }: Assembled,
  { client, model, signal }: PluginContext,
) {
  // The Interactions API does not count.
  if (manifest.wire === 'interactions') return undefined;
  try {
    return await client.countTokens(model, body, { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}
