// Defines two tools with ready scripts. They return invented data that is labeled as such.
import type { ToolDraft } from '../../state/playground-document.js';

const parameters = JSON.stringify(
  {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city, e.g. Oslo' } },
    required: ['city'],
  },
  null,
  2,
);

// Derives a number from the name, so that a city always has the same data.
const numberOf = `if (typeof args.city !== 'string' || args.city === '')
  throw new TypeError('city must be a nonempty string');
let number = 7;
for (const character of args.city.toLowerCase())
  number = (number * 31 + character.charCodeAt(0)) % 9973;
const source = 'invented for this demonstration';
`;

const weatherScript = `${numberOf}const skies = ['clear', 'cloudy', 'foggy', 'rainy', 'windy'];
return { city: args.city, celsius: (number % 30) - 2, sky: skies[number % 5], source };`;

const timeScript = `${numberOf}const hour = String(number % 24).padStart(2, '0');
return { city: args.city, time: hour + ':15', source };`;

/** The tools that the form offers. */
export const demonstrationTools: readonly ToolDraft[] = [
  {
    name: 'get_weather',
    description: 'The weather in a city. Invented for a demonstration.',
    parameters,
    answer: 'script',
    script: weatherScript,
  },
  {
    name: 'get_time',
    description: 'The local time in a city. Invented for a demonstration.',
    parameters,
    answer: 'script',
    script: timeScript,
  },
];
