// A conversation on the Interactions API with a tool, and the steps of an answer that calls it.

export const model = 'gemini-3.8-flash';
export const thought = { type: 'thought', signature: 'c2lnbmVk' };
export const call = {
  type: 'function_call',
  id: 'k1',
  name: 'weather',
  arguments: { city: 'Oslo' },
};
export const output = { type: 'model_output', content: [{ type: 'text', text: 'Clear.' }] };

export const weather = {
  name: 'weather',
  description: 'The weather of a city',
  schema: { type: 'object', properties: { city: { type: 'string' } } },
  run: () => ({ sky: 'clear' }),
};

/** Opens a conversation that `fetch` answers. */
export function chatOn(pkg, fetch, options) {
  const client = new pkg.GeminiClient({ apiKey: 'k', fetch, retry: { initialMs: 0 } });
  return pkg.connect({ client, model, wire: 'interactions', ...options });
}
