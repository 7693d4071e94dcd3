// Checks a tool before it is declared, so that a misspelled member is not taken for a tool of the API.
import * as must from '../../internal/options.js';
import { isFunctionTool, isToolSource, type FunctionTool } from '../../types/tool.js';

const json = must.noValidator('pass it as `schema` of `tool`');

const functionOptions: must.Shape<FunctionTool> = {
  name: must.nonEmptyString,
  description: must.optional(must.string),
  schema: must.optional(must.schemaLike),
  parameters: json,
  parametersJsonSchema: json,
  run: must.func,
  confirm: must.booleanOr(must.optional(must.func)),
  timeoutMs: must.optional(must.nonNegative),
  idempotent: must.optional(must.boolean),
};

// The API's own tools are JSON without a name.
const isRawTool = (tool: object): boolean =>
  !('name' in tool) && !Object.values(tool).some((value) => typeof value === 'function');

/** Checks one function, with `path` in the caller's options. Members of its class's own are not checked. */
export function checkFunction(tool: object, path: string): void {
  const isPlain = Object.getPrototypeOf(tool) === Object.prototype;
  const names = Object.keys(functionOptions);
  const known = () => Object.fromEntries(names.map((name) => [name, tool[name as never]]));
  must.checkOptions(isPlain ? tool : known(), functionOptions, path);
}

// A conversation has no code for functions in the API's form, and would answer each call with an error.
function checkRunnable(
  tool: { functionDeclarations?: unknown; function_declarations?: unknown },
  path: string,
): void {
  const declared = [tool.functionDeclarations ?? tool.function_declarations ?? []].flat();
  if (declared.length === 0) return;
  const names = declared.map((each) => String(Object(each).name)).join(', ');
  const message = `${path} declares functions without \`run\`: ${names}. Pass each as tool({ name, description, schema, run }).`;
  throw must.optionError('tools.no_run', path, message);
}

/** Checks an element of the option `tools`: a function, a tool of the API, or a source. */
export const checkTool: must.Check = (value, path) => {
  must.object(value, path);
  const tool = value as FunctionTool;
  if (isFunctionTool(tool)) return checkFunction(tool, path);
  if (isToolSource(tool)) return;
  if (!isRawTool(tool)) return checkFunction(tool, path);
  checkRunnable(tool, path);
};
