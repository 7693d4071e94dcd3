// The AI SDK's chats accept the transport and the messages without a cast.
import type { ChatTransport, UIMessage } from 'ai';
import { messageOf, ThreadTransport, uiMessagesOf } from 'prompt-strata/ai-sdk/ui';
import type { Conversation } from 'prompt-strata';
import type { RemoteThread } from 'prompt-strata/remote';

declare const thread: RemoteThread;
declare const chat: Conversation;
declare const given: UIMessage;

export const transport: ChatTransport<UIMessage> = new ThreadTransport(thread);
export const messages: UIMessage[] = uiMessagesOf(chat.history);
export const response: Response = chat.stream(messageOf(given)).toUIMessageResponse();
