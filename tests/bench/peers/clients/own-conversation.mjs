// What both forms of Conversation do in the benchmarks.

/** Returns the conversation with these Contents, as the benchmarks use it. */
export function conversationOf(chat, contents) {
  for (const content of contents) chat.thread.append(content);
  const { length } = chat.thread;
  return {
    reset: () => chat.rewind(length),
    ask: async (text) => (await chat.ask(text)).text,
    async stream(text) {
      let answer = '';
      for await (const event of chat.send(text)) if (event.type === 'text') answer += event.text;
      return answer;
    },
    async streamText(text) {
      let answer = '';
      for await (const piece of chat.stream(text).textStream) answer += piece;
      return answer;
    },
  };
}
