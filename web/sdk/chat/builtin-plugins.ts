// Loads and creates the plugins that the options of a conversation ask for.
import type { ConversationOptions } from './options.js';
import type { ConversationPlugin } from './plugin.js';

/** Returns the plugins for these options, in the order in which their hooks run. */
export async function pluginsFor(options: ConversationOptions): Promise<ConversationPlugin[]> {
  const plugins = [...(options.plugins ?? [])];
  const { masking, compression, contextGuard = true, caching, loopDetection = true } = options;
  const { prompt, arguments: args, onStage, maxResultChars, continue: continuation } = options;
  // First, because the other plugins read the input that it prepares.
  if (prompt || args || onStage) {
    const { PromptPlugin } = await import('../../agent/prompt-plugin.js');
    plugins.push(new PromptPlugin(options));
  }
  if (masking) {
    const { MaskingPlugin } = await import('../../agent/masking.js');
    plugins.push(new MaskingPlugin(settings(masking)));
  }
  if (compression) {
    const { CompressionPlugin } = await import('../../agent/compression/compression-plugin.js');
    plugins.push(new CompressionPlugin(settings(compression)));
  }
  // One file for those of a conversation without options.
  const { GuardPlugin, LoopPlugin, PrefixPlugin } = await import('../../agent/default-plugins.js');
  if (contextGuard) plugins.push(new GuardPlugin(settings(contextGuard)));
  if (caching) {
    const { CachingPlugin } = await import('../../agent/caching/caching-plugin.js');
    plugins.push(new CachingPlugin(settings(caching)));
  }
  if (loopDetection) plugins.push(new LoopPlugin(settings(loopDetection)));
  plugins.push(new PrefixPlugin());
  if (maxResultChars !== undefined) {
    const { LargeResultPlugin } = await import('../../agent/large-result.js');
    plugins.push(new LargeResultPlugin(maxResultChars));
  }
  if (continuation) {
    const { ContinuePlugin } = await import('../../agent/next-speaker.js');
    plugins.push(new ContinuePlugin(settings(continuation)));
  }
  return plugins;
}

const settings = <Options extends object>(option: true | Options): Options | object =>
  option === true ? {} : option;
