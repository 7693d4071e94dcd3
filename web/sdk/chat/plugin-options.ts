// Checks the options of a Conversation that plugins implement.
import * as must from '../internal/options.js';

import { cachingOptions } from './caching-options.js';
import { compressionOptions } from './compression-options.js';
import { guardOptions } from './guard-options.js';
import { maskOptions } from './masking-options.js';
import type { ConversationOptions, PluginOption } from './options.js';

/** Checks of the options of plugins. */
export const pluginOptions: must.Shape<Pick<ConversationOptions, PluginOption>> = {
  prompt: must.functionOr(must.optional(must.object)),
  arguments: must.functionOr(must.optional(must.object)),
  masking: must.booleanOr(maskOptions),
  compression: must.booleanOr(compressionOptions),
  contextGuard: must.booleanOr(guardOptions),
  caching: must.booleanOr(cachingOptions),
  onStage: must.optional(must.func),
  plugins: must.optional(must.arrayOf(must.object)),
};
