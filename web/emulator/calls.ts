// Why this file exists: which functions an emulated answer calls, and with which arguments.
import type { Dice } from './hash.js';
import { bestMatch } from './match.js';
import type { Declaration, Prompt } from './prompt.js';
import { SchemaFiller } from './filler.js';
import { subjectProperty } from './schema.js';
import type { JsonObject } from './types.js';
import { readValues, type Values } from './values.js';

const mostCalls = 4;

/** One `functionCall`, without its Part. */
export interface Call {
  [key: string]: string | JsonObject;
  name: string;
  args: JsonObject;
}

/** The calls that the user's text asks for; several where it names several values, else one or none. */
export function chooseCalls(prompt: Prompt, text: string, today: string, dice: Dice): Call[] {
  const matching = bestMatch(prompt.callable, text);
  const chosen = matching ?? (prompt.mustCall ? prompt.callable[0] : undefined);
  if (!chosen) return [];
  const calls = spread(chosen, readValues(text)).map((values) => writeCall(chosen, values, today));
  return prompt.generation >= 3 ? calls.map((call) => ({ id: dice.id(8), ...call })) : calls;
}

/** One set of values a call: "in Paris and Rome" is two, where the function takes one name. */
function spread(declaration: Declaration, values: Values): Values[] {
  const [first, ...rest] = values.groups;
  if (!first || first.length < 2 || !subjectProperty(declaration.parameters)) return [values];
  return first.slice(0, mostCalls).map((name) => ({ ...values, groups: [[name], ...rest] }));
}

function writeCall({ name, parameters }: Declaration, values: Values, today: string): Call {
  return { name, args: new SchemaFiller(parameters, values, today).object(parameters) };
}
