// The request that a new session shows: a call without response, and a call whose signature was lost.

interface Call {
  id: string;
  name: string;
  args: { [name: string]: string };
}

const call = (functionCall: Call, thoughtSignature?: string) =>
  thoughtSignature === undefined ? { functionCall } : { functionCall, thoughtSignature };
const response = ({ id, name }: Call, output: string) => ({
  functionResponse: { id, name, response: { output } },
});

const paris: Call = { id: 'call-1', name: 'get_weather', args: { city: 'Paris' } };
const rome: Call = { id: 'call-2', name: 'get_weather', args: { city: 'Rome' } };
const train: Call = { id: 'call-3', name: 'book_train', args: { from: 'Paris', to: 'Rome' } };

const contents = [
  { role: 'user', parts: [{ text: 'What is the weather in Paris and in Rome?' }] },
  { role: 'model', parts: [call(paris, 'c2lnbmF0dXJlIG9mIHRoZSBmaXJzdCBjYWxs'), call(rome)] },
  { role: 'user', parts: [response(paris, 'Sunny, 18 °C')] },
  { role: 'model', parts: [{ text: 'Paris is sunny at 18 °C. I have no answer for Rome.' }] },
  { role: 'user', parts: [{ text: 'Book me a train to Rome.' }] },
  { role: 'model', parts: [call(train)] },
  { role: 'user', parts: [response(train, 'Booked for 8:15')] },
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
