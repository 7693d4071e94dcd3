// A Conversation of prompt-strata/lite.
import { Conversation, GeminiClient, load, tool } from 'prompt-strata/lite';
import { openerOf } from './own-conversation.mjs';

/** Opens a conversation that has these Contents. */
export const open = openerOf({ Conversation, GeminiClient, load, tool });
