// Chooses the functions that an emulated answer calls, and their arguments.
import type { SeededRandom } from './hash.js';
import { bestMatch } from './match.js';
import type { Declaration, Prompt } from './prompt.js';
import { SchemaFiller } from './filler.js';
import { subjectProperty } from './schema.js';
import type { JsonObject } from './types.js';
import { readValues, type Values } from './values.js';

const maxCalls = 4;

/** The value of one `functionCall`. */
export interface Call {
  [key: string]: string | JsonObject;
  name: string;
  args: JsonObject;
}

/** Returns the calls that the user's text asks for: one per value that it names, at most `maxCalls`. */
export function chooseCalls(
  prompt: Prompt,
  text: string,
  today: string,
  random: SeededRandom,
): Call[] {
  const matching = bestMatch(prompt.callable, text);
  const chosen = matching ?? (prompt.mustCall ? prompt.callable[0] : undefined);
  if (!chosen) return [];
  const calls = valuesPerCall(chosen, readValues(text)).map((values) =>
    buildCall(chosen, values, today),
  );
  return prompt.generation >= 3 ? calls.map((call) => ({ id: random.id(8), ...call })) : calls;
}

/** Returns one set of values per call: "in Paris and Rome" yields two if the function takes one name. */
function valuesPerCall(declaration: Declaration, values: Values): Values[] {
  const [first, ...rest] = values.groups;
  if (!first || first.length < 2 || !subjectProperty(declaration.parameters)) return [values];
  return first.slice(0, maxCalls).map((name) => ({ ...values, groups: [[name], ...rest] }));
}

function buildCall({ name, parameters }: Declaration, values: Values, today: string): Call {
  return { name, args: new SchemaFiller(parameters, values, today).object(parameters) };
}
