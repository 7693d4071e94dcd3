// Why this file exists: a request that the model's context can't hold is refused before it is sent and paid
// for. Where the estimate is close, the API counts.
import type { Usage } from '../../types/response.js';
import type { ConversationPlugin, PluginContext } from '../plugin.js';
import { HistoryError } from '../../base/errors.js';
import { PromptScale, tokensOf } from '../prompt-scale.js';
import type { Assembled } from '../../types/assemble.js';
import type { Diagnostic } from '../../types/diagnostic.js';
import type { Manifest } from '../../types/manifest.js';
import type { GuardOptions } from './options.js';

const closeShare = 0.8;

/** The part that refuses. */
export class GuardPlugin implements ConversationPlugin {
  readonly name = 'contextGuard';
  readonly #options: GuardOptions;
  readonly #scale = new PromptScale();

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  async beforeSend(assembled: Assembled, context: PluginContext): Promise<void> {
    const { contextTokens, exact = true } = this.#options;
    const most = contextTokens ?? context.strata.modelLimits(context.model).contextTokens;
    const estimate = this.#scale.of(tokensOf(assembled.manifest));
    if (estimate < closeShare * most) return;
    const tokens = (exact ? await counted(assembled, context) : undefined) ?? estimate;
    if (tokens <= most) return;
    const message = `${tokens} tokens are more than the ${most} of ${context.model}`;
    const found = { code: 'context.too_large', severity: 'error', path: '', message } as const;
    throw new HistoryError(found.code, message, [...others(assembled.diagnostics), found]);
  }

  afterAnswer(usage: Usage, manifest: Manifest): void {
    this.#scale.learn(tokensOf(manifest), usage['promptTokenCount']);
  }
}

const others = (diagnostics: Diagnostic[]) =>
  diagnostics.filter(({ code }) => code !== 'context.too_large');

// A count that can't be had is no reason not to send.
async function counted({ body }: Assembled, { client, model, signal }: PluginContext) {
  try {
    return await client.countTokens(model, body, { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}
