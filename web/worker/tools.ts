// Defines the two demonstration tools of the Worker: invented weather, and the time.
import type { FunctionTool, Json } from '../index.js';

const skies = ['clear', 'cloudy', 'foggy', 'rainy', 'snowy'];

// Returns the same number for the same name, so that the weather of a city does not change.
function hashOf(name: string): number {
  let hash = 7;
  for (const character of name.toLowerCase()) hash = (hash * 31 + character.charCodeAt(0)) % 9973;
  return hash;
}

// The model receives the error's message and can correct its call.
function requireText(name: string, value: Json | undefined): string {
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
    const name = requireText('city', city);
    const hash = hashOf(name);
    const sky = skies[hash % skies.length] ?? 'clear';
    return {
      city: name,
      celsius: (hash % 35) - 5,
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
    const zone = requireText('timeZone', timeZone);
    const format = { dateStyle: 'full', timeStyle: 'short', timeZone: zone } as const;
    return { timeZone: zone, time: new Date().toLocaleString('en-GB', format) };
  },
};

export const tools: FunctionTool[] = [weather, time];
