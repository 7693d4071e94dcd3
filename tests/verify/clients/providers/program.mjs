// A program of the AI SDK that another provider runs by changing the first import: node program.mjs <scene> <address>
import { createGoogle } from '@ai-sdk/google';
import { generateObject, generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { key, model, questions, runTool } from '../gateway/conversation.mjs';

const [sceneName, address] = process.argv.slice(2);

/** The network leads to the emulator. */
function fetchEmulator(input, init) {
  const request = new Request(input, init);
  const { pathname, search } = new URL(request.url);
  return fetch(new Request(new URL(pathname + search, address), request));
}

const google = createGoogle({ apiKey: key, fetch: fetchEmulator });
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const image = { type: 'file', mediaType: 'image/png', data: png };

const toolOf = (name, description, inputSchema) =>
  tool({ description, inputSchema, execute: (args) => runTool(name, args) });
const city = z.string().describe('The city');
const unit = z.string().default('celsius');
const tools = {
  weather: toolOf('weather', 'The forecast', z.object({ city, days: z.number(), unit })),
  events: toolOf('events', 'What is on in a city', z.object({ city })),
};
const common = { model: google(model), maxRetries: 0 };
const options = { ...common, tools, stopWhen: stepCountIs(3) };
const user = (...content) => ({ role: 'user', content });
const text = (value) => ({ type: 'text', text: value });

async function stream(messages) {
  const failures = [];
  const onError = ({ error }) => failures.push(error);
  const result = streamText({ ...options, messages, onError });
  await result.consumeStream();
  if (failures.length > 0) throw failures[0];
  return (await result.responseMessages) ?? (await result.response).messages;
}

/** A call that no answer signed. */
const unsigned = [
  user(text('What is on in Oslo?')),
  {
    role: 'assistant',
    content: [
      {
        ...{ type: 'tool-call', toolCallId: 'a', toolName: 'events' },
        input: { city: 'Oslo' },
      },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        ...{ type: 'tool-result', toolCallId: 'a', toolName: 'events' },
        output: { type: 'json', value: runTool('events', { city: 'Oslo' }) },
      },
    ],
  },
];

const scenes = {
  async conversation() {
    const messages = [user(text(questions[0]))];
    messages.push(...(await stream(messages)));
    messages.push(user(text(questions[1]), image));
    messages.push(...(await stream(messages)));
    const schema = z.object({ city: z.string() });
    const { object } = await generateObject({ ...common, schema, messages: [user(image)] });
    messages.push(user(text(`${questions[2]} ${JSON.stringify(object)}`)));
    await generateText({ ...options, messages });
  },
  temperature: () => generateText({ ...common, prompt: 'Hello', temperature: 9 }),
  unsigned: () => generateText({ ...options, messages: unsigned }),
  unknown: () => {
    const providerOptions = { google: { thinkingBudgets: 9 } };
    return generateText({ ...common, prompt: 'Hello', providerOptions });
  },
};

globalThis.AI_SDK_LOG_WARNINGS = false;
const result = await scenes[sceneName]().then(
  (answer) => ({ warnings: answer?.warnings?.length ?? 0 }),
  ({ code, message }) => ({ code, message }),
);
process.stdout.write(`\nresult ${JSON.stringify(result)}\n`);
process.exit(0);
