// A question about the weather as steps of the Interactions API, its tool, and the results of the calls.

/** The tool, as the Interactions API declares it. */
export const weather = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather in a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** The question, which the emulator answers with two calls. */
export const question = 'What is the weather in Paris and Rome?';

/** Returns the step of a user's message. */
export const user = (text) => ({ type: 'user_input', content: [{ type: 'text', text }] });

/** Returns the results of all calls in a list of steps. */
export const resultsOf = (steps) =>
  steps
    .filter(({ type }) => type === 'function_call')
    .map(({ id, name }) => ({
      type: 'function_result',
      call_id: id,
      name,
      result: { sky: 'clear' },
    }));
