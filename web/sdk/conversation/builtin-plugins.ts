// Why this file exists: options ask for parts, and only what they ask for is loaded.
import type { ConversationOptions } from './options.js';
import type { ConversationPlugin } from '../plugins/plugin.js';

/** The parts of a conversation with these options, in the order in which their hooks run. */
export async function pluginsFor(options: ConversationOptions): Promise<ConversationPlugin[]> {
  const parts = [...(options.plugins ?? [])];
  const { masking, compression, contextGuard = true, caching } = options;
  const { prompt, arguments: args, onStage } = options;
  // The others look at what it makes.
  if (prompt || args || onStage) {
    const { PromptPlugin } = await import('../plugins/prompt-plugin.js');
    parts.push(new PromptPlugin(options));
  }
  if (masking) {
    const { MaskingPlugin } = await import('../plugins/masking/masking-plugin.js');
    parts.push(new MaskingPlugin(settings(masking)));
  }
  if (compression) {
    const { CompressionPlugin } = await import('../plugins/compression/compression-plugin.js');
    parts.push(new CompressionPlugin(settings(compression)));
  }
  if (contextGuard) {
    const { GuardPlugin } = await import('../plugins/guard/guard-plugin.js');
    parts.push(new GuardPlugin(settings(contextGuard)));
  }
  if (caching) {
    const { CachingPlugin } = await import('../plugins/caching/caching-plugin.js');
    parts.push(new CachingPlugin(settings(caching)));
  }
  return parts;
}

const settings = <Options extends object>(given: true | Options): Options | object =>
  given === true ? {} : given;
