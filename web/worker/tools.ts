// Why this file exists: two tools that run in the Worker, so that a demonstration has something to call.
import type { FunctionTool, Json } from '../index.js';

const skies = ['clear', 'cloudy', 'foggy', 'rainy', 'snowy'];

// A number that a name always gives again: the same place, the same weather.
function numberOf(name: string): number {
  let sum = 7;
  for (const character of name.toLowerCase()) sum = (sum * 31 + character.charCodeAt(0)) % 9973;
  return sum;
}

// What is thrown goes to the model, which can do better.
function textOf(name: string, value: Json | undefined): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new TypeError(`${name}: a text is needed`);
}

const weather: FunctionTool = {
  name: 'get_weather',
  description: 'The weather in a city. Invented for a demonstration.',
  parameters: {
    type: 'OBJECT',
    properties: { city: { type: 'STRING', description: 'Name of the city, e.g. Oslo' } },
    required: ['city'],
  },
  run({ city }) {
    const name = textOf('city', city);
    const number = numberOf(name);
    const sky = skies[number % skies.length] ?? 'clear';
    return {
      city: name,
      celsius: (number % 35) - 5,
      sky,
      source: 'invented for this demonstration',
    };
  },
};

const time: FunctionTool = {
  name: 'get_time',
  description: 'The date and time in a time zone.',
  parameters: {
    type: 'OBJECT',
    properties: { timeZone: { type: 'STRING', description: 'IANA name, e.g. Europe/Oslo' } },
    required: ['timeZone'],
  },
  run({ timeZone }) {
    const zone = textOf('timeZone', timeZone);
    const format = { dateStyle: 'full', timeStyle: 'short', timeZone: zone } as const;
    return { timeZone: zone, time: new Date().toLocaleString('en-GB', format) };
  },
};

export const tools: FunctionTool[] = [weather, time];
