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

const parameters = {
  type: 'OBJECT',
  properties: { city: { type: 'STRING', description: 'Name of the city, e.g. Oslo' } },
  required: ['city'],
};

const tool = (
  name: string,
  description: string,
  answer: (number: number) => { [name: string]: Json },
): FunctionTool => ({
  ...{ name, description, parameters },
  run({ city }) {
    // An error is sent to the model, which can correct the call.
    if (typeof city !== 'string' || city === '')
      throw new TypeError('city must be a nonempty string');
    return { city, ...answer(numberOf(city)), source };
  },
});

export const tools: FunctionTool[] = [
  tool('get_weather', 'The weather in a city. Invented for a demonstration.', (number) => ({
    celsius: (number % 30) - 2,
    sky: skies[number % skies.length] ?? '',
  })),
  tool('get_time', 'The local time in a city. Invented for a demonstration.', (number) => ({
    time: `${String(number % 24).padStart(2, '0')}:15`,
  })),
];
