// Measures how much of each prompt the API read from a cache, from the manifest of the request and the usage of the
// answer.
import type { ConversationPlugin } from '../sdk/chat/plugin.js';
import { isCount } from '../sdk/internal/options.js';
import type { UsageEvent } from '../sdk/types/conversation-event.js';
import type { Manifest } from '../sdk/types/manifest.js';

const count = (value: unknown) => (isCount(value) ? value : 0);

/** The plugin that adds `prefix` to the token counts of an answer. */
export class PrefixPlugin implements ConversationPlugin {
  readonly name = 'prefix';

  // The estimate is scaled to the API's count.
  onUsage(event: UsageEvent, { stablePrefixTokens, promptTokens }: Manifest): UsageEvent {
    const { promptTokenCount, cachedContentTokenCount } = event.usage;
    const counted = count(promptTokenCount);
    const share = promptTokens > 0 ? stablePrefixTokens / promptTokens : 0;
    const prefix = {
      promptTokens: counted,
      stableTokens: Math.round(counted * share),
      cachedTokens: count(cachedContentTokenCount),
    };
    return { ...event, prefix };
  }
}
