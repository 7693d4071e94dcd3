// Uses Gemini's shapes as a user does. It names no global type that lib.es2022 lacks.
import type {
  ApiTool,
  AssembleInput,
  CachedContent,
  Candidate,
  Content,
  ContentInput,
  FinishReason,
  FunctionDeclaration,
  GenerateContentRequest,
  GenerateContentResponse,
  GenerationConfig,
  InlineData,
  JsonOf,
  ModelInfo,
  Part,
  SafetySetting,
  Schema,
  ToolConfig,
  UsageMetadata,
} from 'prompt-strata';

export const parts: Part[] = [
  { text: 'Hello', thoughtSignature: 'AA==' },
  { functionCall: { name: 'f', id: '1', args: { city: 'Paris' } } },
  { functionResponse: { name: 'f', id: '1', response: { output: [1] } } },
  {
    inlineData: { mimeType: 'image/png', data: 'AA==' },
    mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' },
  },
  { fileData: { fileUri: 'https://example.com/a.mp4' }, videoMetadata: { fps: 2 } },
  { executableCode: { language: 'PYTHON', code: '1' } },
  { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
  { toolCall: { toolType: 'GOOGLE_SEARCH_WEB', args: {} } },
  { toolResponse: { toolType: 'GOOGLE_SEARCH_WEB', response: {} } },
];
export const content: Content = { role: 'user', parts };
export const bytes: ContentInput = {
  role: 'user',
  parts: [{ inlineData: { mimeType: 'image/png', data: new Uint8Array(1) } }],
};
export const asInput: JsonOf<ContentInput> = content;

// A schema as const fits, too.
const properties = { city: { type: 'STRING', enum: ['Paris', 'Rome'] } } as const;
export const schema: Schema = { type: 'OBJECT', properties, required: ['city'] as const };
export const declaration: FunctionDeclaration = { name: 'f', parameters: schema };
interface OwnSchema {
  type: string;
}
const own: OwnSchema = { type: 'object' };
export const tools: ApiTool[] = [
  { functionDeclarations: [declaration, { name: 'g', parametersJsonSchema: own }] },
  { googleSearch: {} },
  { codeExecution: {} },
  { urlContext: {} },
];

export const generationConfig: GenerationConfig = {
  temperature: 1,
  stopSequences: ['.'],
  responseModalities: ['TEXT', 'IMAGE'],
  thinkingConfig: { thinkingLevel: 'LOW', includeThoughts: true },
  imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
  speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
  responseSchema: schema,
};
export const toolConfig: ToolConfig = {
  functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] },
};
export const safetySettings: SafetySetting[] = [
  { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' },
];

// Enums are open: the API adds names at any time.
export const reasons: FinishReason[] = ['STOP', 'A_REASON_OF_NEXT_YEAR'];
const level: string = 'ULTRA';
export const newer: GenerationConfig = { thinkingConfig: { thinkingLevel: level } };

export const request: GenerateContentRequest = {
  contents: [content, bytes],
  systemInstruction: { parts: [{ text: 'Be brief.' }] },
  ...{ tools, toolConfig, generationConfig, safetySettings },
  cachedContent: 'cachedContents/a',
};
export const input: AssembleInput = {
  now: '',
  static: { variables: { main_instruction: 'Answer briefly.', constraints: ['One sentence'] } },
  dynamic: { text: '{}' },
  trigger: content,
  ...{ tools, toolConfig, generationConfig, safetySettings },
};
// As text or bytes, nothing is checked.
export const asText: AssembleInput = {
  now: '',
  generationConfig: '{"newField":1}',
  tools: new Uint8Array(2),
  static: { template: '{{ any }}', variables: { any: [1] } },
};

export function read(response: GenerateContentResponse): [number, string, string | undefined] {
  const { usageMetadata, candidates = [], promptFeedback } = response;
  const usage: UsageMetadata = usageMetadata ?? {};
  const [first]: (Candidate | undefined)[] = candidates;
  const image: InlineData | undefined = first?.content?.parts?.[0]?.inlineData;
  const data: string | undefined = image?.data;
  const reason = first?.finishReason === 'STOP' ? 'done' : (promptFeedback?.blockReason ?? '');
  return [(usage.promptTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0), reason, data];
}
export const cached: CachedContent = { model: 'models/m', contents: [content], ttl: '600s' };
export const limitsOf = ({ inputTokenLimit = 0 }: ModelInfo): number => inputTokenLimit;
