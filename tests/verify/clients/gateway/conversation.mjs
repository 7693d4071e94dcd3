// The conversation that each client has with the scripted model: two steps of two parallel calls, then two further
// turns.

export const model = 'gemini-3.8-flash';
export const key = 'any-key-will-do-for-the-emulator';

/** What the user says, turn by turn. No question is part of another. */
export const questions = [
  'How is the weather in Paris and Rome, and what is on there?',
  'Thank you. Shall I take a coat?',
  'And an umbrella?',
];

/** The answers to the questions, without thoughts. */
export const texts = [
  'It is clear in both cities.',
  'Yes, the nights are cold.',
  'No rain is near.',
];

const weather = (city, days) => ({ name: 'weather', args: { city, days } });
const events = (city) => ({ name: 'events', args: { city } });

/** The calls of each step of the first turn. The second step repeats a call of the first, with another signature. */
export const steps = [
  [weather('Paris', 3), weather('Rome', 2)],
  [weather('Paris', 3), events('Rome')],
];

const city = { type: 'string', description: 'The city' };

/** The tools, with parameters as JSON Schemas. */
export const declarations = [
  {
    name: 'weather',
    description: 'The forecast for a city',
    parameters: {
      type: 'object',
      properties: { city, days: { type: 'number', description: 'How many days' } },
      required: ['city', 'days'],
    },
  },
  {
    name: 'events',
    description: 'What is on in a city',
    parameters: { type: 'object', properties: { city }, required: ['city'] },
  },
];

/** Runs a tool. */
export function runTool(name, args) {
  if (name === 'weather') return { city: args.city, days: args.days, sky: 'clear' };
  if (name === 'events') return { city: args.city, events: ['opera', 'market'] };
  throw new Error(`no tool ${name}`);
}

/**
 * Has the conversation. `start` returns what takes a question and returns the answer's text, after running its tools.
 * Returns the answers, or the error that ended it.
 */
export async function converse(start, baseUrl) {
  try {
    const ask = await start(baseUrl);
    const answers = [];
    for (const question of questions) answers.push(await ask(question));
    return { answers };
  } catch (error) {
    return { error: String(error?.stack ?? error) };
  }
}

/** Runs a tool loop for clients without one: `send` takes a message and returns the text and the calls of the answer. */
export async function askWithTools(send, question, resultsOf) {
  let answer = await send(question);
  for (let round = 0; answer.calls.length > 0; round++) {
    if (round === steps.length) throw new Error('the model calls tools without end');
    answer = await send(resultsOf(answer.calls));
  }
  return answer.text;
}

/** Returns the functionResponse Part for a call of the Gemini API. */
export function resultOf({ id, name, args }) {
  const response = runTool(name, args);
  return { functionResponse: { ...(id !== undefined && { id }), name, response } };
}

/** The steps of Gemini CLI, which calls its own tools in a folder with these files. */
export const files = { 'notes.txt': 'Take the early train.\n', 'plan.txt': 'Meet at noon.\n' };
const read = (path) => ({ name: 'read_file', args: { file_path: path } });
export const cliSteps = [
  [{ name: 'list_directory', args: { dir_path: '.' } }, read('notes.txt')],
  [read('notes.txt'), read('plan.txt')],
];
