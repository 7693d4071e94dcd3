// Turns the settings of one call of the AI SDK into fields of a request, and says what Gemini does not have.
import type { LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider';
import type { AssembleInput } from '../../sdk/types/assemble.js';
import type { GenerationConfig, ThinkingConfig } from '../../sdk/types/gemini/request.js';
import type { ApiTool, FunctionDeclaration, ToolConfig } from '../../sdk/types/gemini/tools.js';
import type { ThinkingLevel } from '../../sdk/types/model.js';
import type { Strata } from '../../sdk/types/strata.js';

type Options = LanguageModelV4CallOptions;
type Warn = (warning: SharedV4Warning) => void;
type Reasoning = NonNullable<Options['reasoning']>;
type GivenTool = NonNullable<Options['tools']>[number];

/** The fields that a caller passes in `providerOptions`, with Google's names. */
type GivenFields = Pick<
  AssembleInput,
  'safetySettings' | 'labels' | 'serviceTier' | 'store' | 'extra'
> & { generationConfig?: GenerationConfig; toolConfig?: ToolConfig };

const configNames = [
  ...['thinkingConfig', 'responseModalities', 'mediaResolution', 'imageConfig'],
  ...['speechConfig', 'audioTimestamp', 'responseLogprobs', 'logprobs'],
] as const;
const fieldNames = ['safetySettings', 'labels', 'serviceTier', 'store', 'extra'] as const;
const readNames: readonly string[] = [
  ...configNames,
  ...fieldNames,
  ...['generationConfig', 'toolConfig', 'retrievalConfig', 'structuredOutputs', 'thoughtSignature'],
];

const pick = (source: object, names: readonly string[]): object =>
  Object.fromEntries(
    Object.entries(source).filter(([name, value]) => names.includes(name) && value !== undefined),
  );

/** Returns the fields of `providerOptions`: those of Google's own provider, overridden by ours. */
function givenFields(
  { providerOptions = {} }: Options,
  warn: Warn,
): GivenFields & { flat: object } {
  const { google = {}, promptStrata = {} } = providerOptions;
  const given = { ...google, ...promptStrata };
  for (const name of Object.keys(given)) {
    if (readNames.includes(name)) continue;
    const details = 'prompt-strata does not send it. Pass fields of the API in `extra`.';
    warn({ type: 'unsupported', feature: `providerOptions.${name}`, details });
  }
  const { generationConfig, toolConfig, retrievalConfig } = given as GivenFields & {
    retrievalConfig?: ToolConfig['retrievalConfig'];
  };
  return {
    ...pick(given, fieldNames),
    ...(generationConfig && { generationConfig }),
    ...((toolConfig || retrievalConfig) && {
      toolConfig: { ...toolConfig, ...(retrievalConfig && { retrievalConfig }) },
    }),
    flat: pick(given, configNames),
  };
}

const levels: readonly ThinkingLevel[] = ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'XHIGH'];
const levelOf: Record<Exclude<Reasoning, 'provider-default'>, ThinkingLevel> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'XHIGH',
  max: 'XHIGH',
};
// For models that take tokens in place of a level. -1: the model decides.
const budgetOf: Record<Exclude<Reasoning, 'provider-default'>, number> = {
  none: 0,
  minimal: 512,
  low: 2048,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

/** Returns the nearest level that the model takes. */
function thinkingOf(
  reasoning: Options['reasoning'],
  taken: readonly ThinkingLevel[],
  warn: Warn,
): ThinkingConfig | undefined {
  if (reasoning === undefined || reasoning === 'provider-default') return undefined;
  if (taken.length === 0) return { thinkingBudget: budgetOf[reasoning] };
  const wanted = levels.indexOf(levelOf[reasoning]);
  const distance = (level: ThinkingLevel) => Math.abs(levels.indexOf(level) - wanted);
  const thinkingLevel = [...taken].sort((a, b) => distance(a) - distance(b))[0]!;
  if (thinkingLevel !== levelOf[reasoning] || reasoning === 'none' || reasoning === 'max')
    warn({
      type: 'compatibility',
      feature: `reasoning: '${reasoning}'`,
      details: `Sent as thinkingLevel ${thinkingLevel}, the nearest that the model takes.`,
    });
  return { thinkingLevel };
}

const camelCase = (name: string) =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

// The tools that Google runs, as @ai-sdk/google names them: `google.google_search` is the API's `googleSearch`.
function apiTool(tool: GivenTool & { type: 'provider' }, warn: Warn): ApiTool[] {
  const name = /^google\.(\w+)$/.exec(tool.id)?.[1];
  if (name === undefined || name === 'vertex_rag_store') {
    warn({ type: 'unsupported', feature: `provider-defined tool ${tool.id}` });
    return [];
  }
  return [{ [camelCase(name)]: tool.args }];
}

function declarationOf(
  { name, description, inputSchema, inputExamples }: GivenTool & { type: 'function' },
  fit: (schema: object) => unknown,
  warn: Warn,
): FunctionDeclaration {
  if (inputExamples?.length) warn({ type: 'unsupported', feature: `inputExamples of ${name}` });
  const hasNames = Object.keys(inputSchema.properties ?? {}).length > 0;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(hasNames && { parametersJsonSchema: fit(inputSchema) }),
  };
}

function callingConfig({ tools = [], toolChoice }: Options): ToolConfig | undefined {
  const isStrict = tools.some((tool) => tool.type === 'function' && tool.strict);
  const config = (mode: string, names?: string[]) => ({
    functionCallingConfig: { mode, ...(names && { allowedFunctionNames: names }) },
  });
  switch (toolChoice?.type) {
    case 'none':
      return config('NONE');
    case 'required':
      return config('ANY');
    case 'tool':
      return config('ANY', [toolChoice.toolName]);
    default:
      return isStrict ? config('VALIDATED') : undefined;
  }
}

/** The fields of a request, besides its prompt. */
export interface CallFields {
  input: Partial<AssembleInput>;
  warnings: SharedV4Warning[];
}

/** Reads the settings of one call. */
export class CallSettings {
  readonly #options: Options;
  readonly #strata: Strata;
  readonly #model: string;
  readonly #warnings: SharedV4Warning[] = [];
  readonly #warn: Warn = (warning) => void this.#warnings.push(warning);

  constructor(strata: Strata, model: string, options: Options) {
    this.#strata = strata;
    this.#model = model;
    this.#options = options;
  }

  /** Returns what to assemble. */
  fields(): CallFields {
    const { flat, generationConfig, toolConfig, ...given } = givenFields(this.#options, this.#warn);
    const calling = callingConfig(this.#options);
    const tools = this.#tools();
    const own = this.#config();
    const config: GenerationConfig = { ...own, ...flat, ...generationConfig };
    if (own.thinkingConfig)
      config.thinkingConfig = { ...own.thinkingConfig, ...config.thinkingConfig };
    if (this.#options.includeRawChunks)
      this.#warn({ type: 'unsupported', feature: 'includeRawChunks' });
    const input = {
      ...given,
      ...(Object.keys(config).length > 0 && { generationConfig: config }),
      ...((calling || toolConfig) && { toolConfig: { ...calling, ...toolConfig } }),
      ...(tools.length > 0 && { tools }),
    };
    return { input, warnings: this.#warnings };
  }

  #config(): GenerationConfig {
    const options = this.#options;
    const { reasoning, responseFormat } = options;
    const taken = this.#strata.modelLimits(this.#model).thinkingLevels;
    const thinkingConfig = thinkingOf(reasoning, taken, this.#warn);
    const schema = responseFormat?.type === 'json' ? responseFormat.schema : undefined;
    const names = ['maxOutputTokens', 'temperature', 'topP', 'topK', 'seed', 'stopSequences'];
    return {
      ...pick(options, [...names, 'presencePenalty', 'frequencyPenalty']),
      ...(thinkingConfig && { thinkingConfig }),
      ...(responseFormat?.type === 'json' && { responseMimeType: 'application/json' }),
      ...(schema && { responseJsonSchema: this.#fit(schema) }),
    };
  }

  #tools(): ApiTool[] {
    const { tools = [] } = this.#options;
    const declarations = tools.flatMap((tool) =>
      tool.type === 'function' ? [declarationOf(tool, this.#fit, this.#warn)] : [],
    );
    const others = tools.flatMap((tool) =>
      tool.type === 'provider' ? apiTool(tool, this.#warn) : [],
    );
    const functions = declarations.length > 0 ? [{ functionDeclarations: declarations }] : [];
    return [...others, ...functions];
  }

  // What has no form that the model takes is a warning, and stays as it is.
  readonly #fit = (jsonSchema: object): unknown => {
    const { schema, diagnostics } = this.#strata.schema(jsonSchema, { model: this.#model });
    this.#warnings.push(...warningsOf(diagnostics));
    return schema;
  };
}

/** Returns the warnings among findings. */
export const warningsOf = (
  diagnostics: readonly { code: string; severity: string; message: string; path: string }[],
): SharedV4Warning[] =>
  diagnostics
    .filter(({ severity }) => severity === 'warning')
    .map(({ code, message, path }) => ({
      type: 'other',
      message: `${code}: ${message} (${path || '/'})`,
    }));
