// Why this file exists: options ask for parts, and only what they ask for is loaded.
import type { ConversationOptions } from './options.js';
import type { ConversationPart } from '../plugins/plugin.js';

/** The parts of a conversation with these options, in the order in which their hooks run. */
export async function partsFor(options: ConversationOptions): Promise<ConversationPart[]> {
  const parts = [...(options.parts ?? [])];
  const { masking, compression, contextGuard = true, caching } = options;
  const { prompt, arguments: args, onStage } = options;
  // The others look at what it makes.
  if (prompt || args || onStage) {
    const { PromptPart } = await import('../plugins/prompt-plugin.js');
    parts.push(new PromptPart(options));
  }
  if (masking) {
    const { Masker } = await import('../plugins/masking/masking-plugin.js');
    parts.push(new Masker(settings(masking)));
  }
  if (compression) {
    const { Compressor } = await import('../plugins/compression/compression-plugin.js');
    parts.push(new Compressor(settings(compression)));
  }
  if (contextGuard) {
    const { ContextGuard } = await import('../plugins/guard/guard-plugin.js');
    parts.push(new ContextGuard(settings(contextGuard)));
  }
  if (caching) {
    const { CacheKeeper } = await import('../plugins/caching/caching-plugin.js');
    parts.push(new CacheKeeper(settings(caching)));
  }
  return parts;
}

const settings = <Options extends object>(given: true | Options): Options | object =>
  given === true ? {} : given;
