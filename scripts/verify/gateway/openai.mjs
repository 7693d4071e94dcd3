// openai: a chat, a streamed one, one with its own tool runner, and one that parses the last answer with a schema.
import OpenAI from 'openai';
import { askWithTools, declarations, key, model, runTool } from './conversation.mjs';

const clientOf = (baseUrl) => new OpenAI({ apiKey: key, baseURL: `${baseUrl}/v1`, maxRetries: 0 });
const tools = declarations.map((each) => ({ type: 'function', function: each }));

const runCall = ({ name, arguments: text }) => JSON.stringify(runTool(name, JSON.parse(text)));
const resultsOf = (calls) =>
  calls.map(({ id, function: call }) => ({ role: 'tool', tool_call_id: id, content: runCall(call) }));
const read = ({ content, tool_calls: calls }) => ({ text: content ?? '', calls: calls ?? [] });

/** A chat with a function that gets the next message of the assistant. */
const chatWith = (complete) => (baseUrl) => {
  const { chat } = clientOf(baseUrl);
  const messages = [];
  const send = async (added) => {
    messages.push(...[added].flat());
    const message = await complete(chat, { model, messages, tools });
    messages.push(message);
    return read(message);
  };
  return (question) => askWithTools(send, { role: 'user', content: question }, resultsOf);
};

const runnable = declarations.map(({ name, description, parameters }) => {
  const run = (args) => JSON.stringify(runTool(name, args));
  const parse = JSON.parse;
  return { type: 'function', function: { name, description, parameters, parse, function: run } };
});

export default {
  chat: chatWith(async ({ completions }, request) => {
    const { choices } = await completions.create(request);
    return choices[0].message;
  }),
  stream: chatWith(({ completions }, request) => completions.stream(request).finalMessage()),
  runTools(baseUrl) {
    const { completions } = clientOf(baseUrl).chat;
    let messages = [];
    return async (content) => {
      messages.push({ role: 'user', content });
      const runner = completions.runTools({ model, messages, tools: runnable });
      const text = await runner.finalContent();
      messages = runner.messages;
      return text;
    };
  },
};
