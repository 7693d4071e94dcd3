// Checks the options of a Conversation that plugins implement.
import * as must from '../base/options.js';

import { cachingOptions } from '../plugins/caching/options.js';
import { compressionOptions } from '../plugins/compression/options.js';
import { guardOptions } from '../plugins/guard/options.js';
import { maskOptions } from '../plugins/masking/options.js';
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
