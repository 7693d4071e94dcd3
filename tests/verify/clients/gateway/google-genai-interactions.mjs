// @google/genai: its `interactions`, whose steps the program keeps, or of which Google keeps the history.
import { GoogleGenAI } from '@google/genai';
import { askWithTools, declarations, key, model, runTool } from './conversation.mjs';

const tools = declarations.map((each) => ({ type: 'function', ...each }));
const generation_config = { thinking_summaries: 'auto' };

const user = (text) => ({ type: 'user_input', content: [{ type: 'text', text }] });
const resultsOf = (calls) =>
  calls.map(({ id, name, arguments: args }) => ({
    type: 'function_result',
    call_id: id,
    name,
    result: runTool(name, args),
  }));

const answerOf = (steps, text) => ({
  text,
  calls: steps.filter(({ type }) => type === 'function_call'),
});

/** The SDK gives the events of a stream only, so a program adds up the steps by itself. */
async function addUp(events) {
  const steps = [];
  const argumentsOf = [];
  for await (const { event_type: type, index, step, delta } of events) {
    if (type === 'step.start') steps[index] = { ...step };
    if (type !== 'step.delta') continue;
    const current = steps[index];
    if (delta.type === 'text')
      (current.content ??= [{ type: 'text', text: '' }])[0].text += delta.text;
    if (delta.type === 'thought_summary') (current.summary ??= []).push(delta.content);
    if (delta.type === 'thought_signature') current.signature = delta.signature;
    if (delta.type !== 'arguments_delta') continue;
    argumentsOf[index] = (argumentsOf[index] ?? '') + delta.arguments;
    current.arguments = parsedOf(argumentsOf[index]);
  }
  return steps;
}

const parsedOf = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

const textOf = (steps) =>
  steps
    .filter(({ type }) => type === 'model_output')
    .flatMap(({ content }) => content)
    .map(({ text }) => text)
    .join('');

const withoutThoughts = (steps) => steps.filter(({ type }) => type !== 'thought');

/** Returns the uses of a version of the SDK. */
export function usesOf(Client) {
  const startWith = (useOf) => (baseUrl) => {
    const { interactions } = new Client({ apiKey: key, httpOptions: { baseUrl } });
    const create = (request) =>
      interactions.create({ model, tools, generation_config, ...request }, { maxRetries: 0 });
    const send = useOf(create);
    return (question) => askWithTools(send, [user(question)], resultsOf);
  };
  const stateless = (request, keep = (steps) => steps) =>
    startWith((create) => {
      const input = [];
      return async (added) => {
        input.push(...added);
        const given = await create({ input, store: false, ...request });
        const steps = request.stream ? await addUp(given) : given.steps;
        input.push(...keep(steps));
        return answerOf(steps, textOf(steps));
      };
    });
  return {
    interactions: stateless({}),
    'interactions, streamed': stateless({ stream: true }),
    'interactions, thoughts not kept': stateless({}, withoutThoughts),
    'interactions, stored': startWith((create) => {
      let previous;
      return async (input) => {
        const given = await create({ input, previous_interaction_id: previous });
        previous = given.id;
        return answerOf(given.steps, given.output_text);
      };
    }),
  };
}

export default usesOf(GoogleGenAI);
