// Why this file exists: options ask for parts, and only what they ask for is loaded.
import type { ConversationOptions } from './options.js';
import type { ConversationPart } from './part.js';

/** The parts of a conversation with these options, in the order in which their hooks run. */
export async function partsFor(options: ConversationOptions): Promise<ConversationPart[]> {
  const parts = [...(options.parts ?? [])];
  const { caching } = options;
  if (caching) {
    const { CacheKeeper } = await import('../caching/keeper.js');
    parts.push(new CacheKeeper(caching === true ? {} : caching));
  }
  return parts;
}
