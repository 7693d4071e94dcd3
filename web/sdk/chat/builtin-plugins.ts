// Loads and creates the plugins that the options of a conversation ask for.
import type { ConversationOptions } from './options.js';
import type { ConversationPlugin } from './plugin.js';

/** Returns the plugins for these options, in the order in which their hooks run. */
export async function pluginsFor(options: ConversationOptions): Promise<ConversationPlugin[]> {
  const plugins = [...(options.plugins ?? [])];
  const { masking, compression, contextGuard = true, caching } = options;
  const { prompt, arguments: args, onStage } = options;
  // First, because the other plugins read the input that it prepares.
  if (prompt || args || onStage) {
    const { PromptPlugin } = await import('../../agent/prompt-plugin.js');
    plugins.push(new PromptPlugin(options));
  }
  if (masking) {
    const { MaskingPlugin } = await import('../../agent/masking/masking-plugin.js');
    plugins.push(new MaskingPlugin(settings(masking)));
  }
  if (compression) {
    const { CompressionPlugin } = await import('../../agent/compression/compression-plugin.js');
    plugins.push(new CompressionPlugin(settings(compression)));
  }
  if (contextGuard) {
    const { GuardPlugin } = await import('../../agent/guard/guard-plugin.js');
    plugins.push(new GuardPlugin(settings(contextGuard)));
  }
  if (caching) {
    const { CachingPlugin } = await import('../../agent/caching/caching-plugin.js');
    plugins.push(new CachingPlugin(settings(caching)));
  }
  return plugins;
}

const settings = <Options extends object>(option: true | Options): Options | object =>
  option === true ? {} : option;
