// Why this file exists: options ask for parts, and only what they ask for is loaded.
import type { ConversationOptions } from './options.js';
import type { ConversationPart } from './part.js';

/** The parts of a conversation with these options, in the order in which their hooks run. */
export async function partsFor(options: ConversationOptions): Promise<ConversationPart[]> {
  return [...(options.parts ?? [])];
}
