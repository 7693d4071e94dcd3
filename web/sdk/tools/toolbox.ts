// Why this file exists: tools are declared to the model and found again here, in one place, so that what is
// declared can be run.
import * as must from '../options.js';
import {
  isFunctionTool,
  isToolSource,
  type FunctionTool,
  type RawTool,
  type Tool,
} from './tool.js';

function declarationOf(tool: FunctionTool) {
  const { name, description, parameters, parametersJsonSchema } = tool;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(parametersJsonSchema === undefined ? {} : { parametersJsonSchema }),
  };
}

function discovered(tools: (FunctionTool | RawTool)[], path: string): (FunctionTool | RawTool)[] {
  if (!Array.isArray(tools)) throw must.wrongType(path, 'a source whose discover gives an array');
  tools.forEach((tool) => must.object(tool, `What ${path} discovers`));
  return tools;
}

/** The tools of one conversation. */
export class Toolbox {
  /** The request's `tools` as JSON text, always the same bytes; undefined without tools. */
  readonly json: string | undefined;
  readonly #functions: Map<string, FunctionTool>;

  constructor(tools: (FunctionTool | RawTool)[]) {
    const functions = tools.filter(isFunctionTool);
    const declared =
      functions.length > 0 ? [{ functionDeclarations: functions.map(declarationOf) }] : [];
    const all = [...declared, ...tools.filter((tool) => !isFunctionTool(tool))];
    this.json = all.length > 0 ? JSON.stringify(all) : undefined;
    this.#functions = new Map(functions.map((tool) => [tool.name, tool]));
  }

  /** Asks the sources among the tools for theirs, and puts those in the source's place. */
  static async discover(tools: Tool[], signal: AbortSignal): Promise<Toolbox> {
    const found = tools.map(async (tool, index) =>
      isToolSource(tool) ? discovered(await tool.discover({ signal }), `/tools/${index}`) : [tool],
    );
    return new Toolbox((await Promise.all(found)).flat());
  }

  find(name: string): FunctionTool | undefined {
    return this.#functions.get(name);
  }
}
