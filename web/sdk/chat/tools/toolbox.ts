// Declares the tools of a conversation to the model and finds them by name.
import { StrataError } from '../../internal/errors.js';
import { valuePart } from '../../internal/json-input.js';
import * as must from '../../internal/options.js';
import { checkTool } from './check-tool.js';
import type { DeclaredSchemas, FitSchema } from './schema.js';
import type { Diagnostic } from '../../types/diagnostic.js';
import {
  isFunctionTool,
  isToolSource,
  type FunctionTool,
  type RawTool,
  type Tool,
} from '../../types/tool.js';

// JSON omits what is undefined.
function declarationOf(tool: FunctionTool, schemas?: DeclaredSchemas) {
  const { name, description, parameters } = tool;
  const schema = schemas?.has(tool) ? schemas.get(tool) : tool.parametersJsonSchema;
  return { name, description, parameters, parametersJsonSchema: schema };
}

// Indexes functions by name. Throws if two have the same name.
function byName(functions: FunctionTool[]): Map<string, FunctionTool> {
  const found = new Map<string, FunctionTool>();
  for (const tool of functions) {
    const { name } = tool;
    if (found.has(name)) {
      const advice = 'rename one, or set `prefix` on its MCP server';
      throw new StrataError('tools.name_taken', `Two tools are named ${name}: ${advice}`);
    }
    found.set(name, tool);
  }
  return found;
}

function checkDiscovered(
  tools: (FunctionTool | RawTool)[],
  path: string,
): (FunctionTool | RawTool)[] {
  if (!Array.isArray(tools))
    throw must.invalidOption(path, 'a tool source whose `discover` returns an array');
  tools.forEach((tool) => checkTool(tool, `Each tool that ${path} discovers`));
  return tools;
}

/** The tools of one conversation. */
export interface DeclaredTools {
  /** The request's `tools` as JSON, with the same bytes each time; undefined without tools. */
  readonly json: string | undefined;
  /** Returns and clears the diagnostics that the sources emitted. */
  takeDiagnostics(): Diagnostic[];
  /** Returns the function with this name. */
  find(name: string): FunctionTool | undefined;
}

/** Implements `DeclaredTools` for tools of every kind. */
export class Toolbox implements DeclaredTools {
  readonly json: string | undefined;
  readonly #functions: Map<string, FunctionTool>;
  readonly #diagnostics: Diagnostic[];

  /** @throws StrataError `tools.name_taken` */
  constructor(
    tools: (FunctionTool | RawTool)[],
    diagnostics: Diagnostic[] = [],
    schemas?: DeclaredSchemas,
  ) {
    const functions = tools.filter(isFunctionTool);
    const functionDeclarations = functions.map((tool) => declarationOf(tool, schemas));
    const declared = functions.length > 0 ? [{ functionDeclarations }] : [];
    const all = [...declared, ...tools.filter((tool) => !isFunctionTool(tool))];
    this.json = all.length > 0 ? valuePart(all, '/tools') : undefined;
    this.#functions = byName(functions);
    this.#diagnostics = diagnostics;
  }

  /** Replaces each tool source with the tools that it discovers, and declares their schemas in the form of `fit`. */
  static async discover(tools: Tool[], fit: FitSchema, signal: AbortSignal): Promise<Toolbox> {
    const reported: Diagnostic[] = [];
    const emit = (diagnostic: Diagnostic) => void reported.push(diagnostic);
    const found = tools.map(async (tool, index) =>
      isToolSource(tool)
        ? checkDiscovered(await tool.discover({ signal, emit }), `/tools/${index}`)
        : [tool],
    );
    const all = (await Promise.all(found)).flat();
    const functions = all.filter(isFunctionTool);
    if (functions.every(({ schema }) => schema === undefined)) return new Toolbox(all, reported);
    const { declareSchemas } = await import('./schema.js');
    return new Toolbox(all, reported, declareSchemas(functions, fit, emit));
  }

  takeDiagnostics(): Diagnostic[] {
    return this.#diagnostics.splice(0);
  }

  find(name: string): FunctionTool | undefined {
    return this.#functions.get(name);
  }
}
