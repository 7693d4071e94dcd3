// The request that a new session shows: a history that the API refuses, because a call has no response.

const contents = [
  { role: 'user', parts: [{ text: 'What is the weather in Paris and in Rome?' }] },
  {
    role: 'model',
    parts: [
      {
        functionCall: { name: 'get_weather', args: { city: 'Paris' } },
        thoughtSignature: 'c2lnbmF0dXJlIG9mIHRoZSBmaXJzdCBjYWxs',
      },
      { functionCall: { name: 'get_weather', args: { city: 'Rome' } } },
    ],
  },
  {
    role: 'user',
    parts: [{ functionResponse: { name: 'get_weather', response: { output: 'Paris: 18 °C' } } }],
  },
  { role: 'user', parts: [{ text: 'And tomorrow?' }] },
];

const tools = [
  {
    functionDeclarations: [
      {
        name: 'get_weather',
        description: 'Returns the weather in a city.',
        parameters: {
          type: 'OBJECT',
          properties: { city: { type: 'STRING' } },
          required: ['city'],
        },
      },
    ],
  },
];

/** The text of the example. */
export const brokenExample = JSON.stringify({ contents, tools }, null, 2);
