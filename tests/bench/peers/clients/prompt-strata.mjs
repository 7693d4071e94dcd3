// A Conversation of prompt-strata.
import { Conversation, GeminiClient, load, tool } from 'prompt-strata';
import { openerOf } from './own-conversation.mjs';

/** Opens a conversation that has these Contents. */
export const open = openerOf({ Conversation, GeminiClient, load, tool });
