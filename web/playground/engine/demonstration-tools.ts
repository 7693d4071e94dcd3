// Defines two tools that run in the page. They return invented data that is labeled as such.
import type { FunctionTool, Json } from '../../index.js';

const source = 'invented for this demonstration';
const skies = ['clear', 'cloudy', 'foggy', 'rainy', 'windy'];

// Derives a number from the name, so that a city always has the same weather.
function numberOf(name: string): number {
  let sum = 7;
  for (const character of name.toLowerCase()) sum = (sum * 31 + character.charCodeAt(0)) % 9973;
  return sum;
}

// An error is sent to the model, which can correct the call.
function cityOf({ city }: { [name: string]: Json }): string {
  if (typeof city === 'string' && city !== '') return city;
  throw new TypeError('city must be a nonempty string');
}

const parameters = {
  type: 'OBJECT',
  properties: { city: { type: 'STRING', description: 'Name of the city, e.g. Oslo' } },
  required: ['city'],
};

const weather: FunctionTool = {
  name: 'get_weather',
  description: 'The weather in a city. Invented for a demonstration.',
  parameters,
  run(args) {
    const city = cityOf(args);
    const number = numberOf(city);
    return { city, celsius: (number % 30) - 2, sky: skies[number % skies.length] ?? '', source };
  },
};

const time: FunctionTool = {
  name: 'get_time',
  description: 'The local time in a city. Invented for a demonstration.',
  parameters,
  run(args) {
    const city = cityOf(args);
    const hour = String(numberOf(city) % 24).padStart(2, '0');
    return { city, time: `${hour}:15`, source };
  },
};

export const tools: FunctionTool[] = [weather, time];
