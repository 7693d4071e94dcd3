// openai: a chat, a streamed one, one with its own tool runner, and one that parses the answers with a schema.
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { askWithTools, declarations, key, model, runTool } from './conversation.mjs';

const clientOf = (baseUrl) => new OpenAI({ apiKey: key, baseURL: `${baseUrl}/v1`, maxRetries: 0 });
const tools = declarations.map((each) => ({ type: 'function', function: each }));

const runCall = ({ name, arguments: text }) => JSON.stringify(runTool(name, JSON.parse(text)));
const resultsOf = (calls) =>
  calls.map(({ id, function: call }) => ({
    role: 'tool',
    tool_call_id: id,
    content: runCall(call),
  }));

/** A chat with a function that gets the next message of the assistant. */
const chatWith =
  (complete, readText = ({ content }) => content) =>
  (baseUrl) => {
    const { chat } = clientOf(baseUrl);
    const messages = [];
    const send = async (added) => {
      messages.push(...[added].flat());
      const message = await complete(chat, { model, messages, tools });
      messages.push(message);
      return { text: readText(message), calls: message.tool_calls ?? [] };
    };
    return (question) => askWithTools(send, { role: 'user', content: question }, resultsOf);
  };

const runnable = declarations.map(({ name, description, parameters }) => {
  const run = (args) => JSON.stringify(runTool(name, args));
  const parse = JSON.parse;
  return { type: 'function', function: { name, description, parameters, parse, function: run } };
});

// `parse` wants tools whose arguments are sure to fit.
const strictTools = declarations.map((each) => {
  const parameters = { ...each.parameters, additionalProperties: false };
  return { type: 'function', function: { ...each, parameters, strict: true } };
});
const responseFormat = zodResponseFormat(z.object({ answer: z.string() }), 'answer');

async function parse({ completions }, request) {
  const options = { ...request, tools: strictTools, response_format: responseFormat };
  const { choices } = await completions.parse(options);
  return choices[0].message;
}

export default {
  chat: chatWith(async ({ completions }, request) => {
    const { choices } = await completions.create(request);
    return choices[0].message;
  }),
  stream: chatWith(({ completions }, request) => completions.stream(request).finalMessage()),
  parse: chatWith(parse, ({ parsed }) => parsed?.answer),
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
