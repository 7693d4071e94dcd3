// The request that a new session shows: a call without response, and a call whose signature was lost.

const call = (id: string, name: string, args: object) => ({ id, name, args });
const result = ({ id, name }: ReturnType<typeof call>, output: string) => ({
  functionResponse: { id, name, response: { output } },
});

const paris = call('call-1', 'get_weather', { city: 'Paris' });
const rome = call('call-2', 'get_weather', { city: 'Rome' });
const train = call('call-3', 'book_train', { from: 'Paris', to: 'Rome' });
const thoughtSignature = 'c2lnbmF0dXJlIG9mIHRoZSBmaXJzdCBjYWxs';

const contents = [
  { role: 'user', parts: [{ text: 'What is the weather in Paris and in Rome?' }] },
  { role: 'model', parts: [{ functionCall: paris, thoughtSignature }, { functionCall: rome }] },
  { role: 'user', parts: [result(paris, 'Sunny, 18 °C')] },
  { role: 'model', parts: [{ text: 'Paris is sunny at 18 °C. I have no answer for Rome.' }] },
  { role: 'user', parts: [{ text: 'Book me a train to Rome.' }] },
  { role: 'model', parts: [{ functionCall: train }] },
  { role: 'user', parts: [result(train, 'Booked for 8:15')] },
];

const city = { type: 'STRING' };
const functionDeclarations = [
  {
    name: 'get_weather',
    description: 'Returns the weather in a city.',
    parameters: { type: 'OBJECT', properties: { city }, required: ['city'] },
  },
  {
    name: 'book_train',
    description: 'Books a train between two cities.',
    parameters: { type: 'OBJECT', properties: { from: city, to: city }, required: ['from', 'to'] },
  },
];
const tools = [{ functionDeclarations }];

export const brokenExample = JSON.stringify({ contents, tools }, null, 2);
