// Asserts that wrong code does not compile.
import type { Checker } from 'prompt-strata/check';
import {
  Conversation,
  StrataError,
  type ApiTool,
  type AssembleInput,
  type Content,
  type ConversationEvent,
  type Diagnostic,
  type FunctionDeclaration,
  type GeminiClient,
  type GenerateContentResponse,
  type GenerationConfig,
  type RuleInput,
  type SafetySetting,
  type Schema,
  type Strata,
  type Thread,
  type Tool,
  type ToolConfig,
  type UsageMetadata,
} from 'prompt-strata';

// @ts-expect-error A misspelled field
export const config: GenerationConfig = { temprature: 1 };
// @ts-expect-error A misspelled field, inside
export const thinking: GenerationConfig = { thinkingConfig: { thinkingBuget: 1 } };
// @ts-expect-error A number as text
export const text: GenerationConfig = { maxOutputTokens: '100' };
// @ts-expect-error A field in the wrong place
export const inside: GenerationConfig = { safetySettings: [] };
// @ts-expect-error `content` is OpenAI's
export const openAi: Content = { role: 'user', content: 'Hello' };
// @ts-expect-error A text is a Part: { text }
export const noPart: Content = { role: 'user', parts: ['Hello'] };
// @ts-expect-error The signature belongs to the Part
export const misplaced: Content = { parts: [{ functionCall: { thoughtSignature: '' } }] };
// @ts-expect-error `arguments` is OpenAI's
export const args: Content = { parts: [{ functionCall: { name: 'f', arguments: '{}' } }] };
// @ts-expect-error A misspelled field
export const schema: Schema = { type: 'OBJECT', propertys: {} };
// @ts-expect-error A misspelled field
export const declaration: FunctionDeclaration = { name: 'f', paramters: {} };
// @ts-expect-error A misspelled tool
export const tool: ApiTool = { googleSerach: {} };
export const tools: Tool[] = [
  // @ts-expect-error A misspelled member
  { name: 'f', paramters: {}, run: () => 1 },
  // @ts-expect-error A misspelled keyword
  { name: 'f', parameters: { type: 'OBJECT', propertys: {} }, run: () => 1 },
  // @ts-expect-error `execute` is the AI SDK's
  { name: 'f', execute: () => 1 },
  // @ts-expect-error A misspelled tool of the API
  { googleSerach: {} },
];
// @ts-expect-error `mode` is inside functionCallingConfig
export const toolConfig: ToolConfig = { mode: 'ANY' };
// @ts-expect-error A misspelled field
export const safety: SafetySetting = { category: 'HARM_CATEGORY_HARASSMENT', treshold: 'OFF' };

export const inputs: AssembleInput[] = [
  // @ts-expect-error A misspelled field of generationConfig
  { now: '', generationConfig: { temprature: 1 } },
  // @ts-expect-error A single tool
  { now: '', tools: { googleSearch: {} } },
  // @ts-expect-error A misspelled variable of the package's template
  { now: '', static: { variables: { main_instrution: 'x' } } },
  // @ts-expect-error A text beside a template
  { now: '', static: { template: 'x', text: 'y' } },
  // @ts-expect-error A number
  { now: '', trigger: 5 },
];

export function reads(usage: UsageMetadata, response: GenerateContentResponse): void {
  // @ts-expect-error A misspelled count
  void usage.promptTokenCuont;
  // @ts-expect-error Its content may be missing
  void response.candidates[0].content.parts;
}

export function codes(error: StrataError, diagnostic: Diagnostic): void {
  // @ts-expect-error A misspelled code
  if (error.code === 'conversation.bussy') return;
  // @ts-expect-error A misspelled code
  if (diagnostic.code === 'respnse.count') return;
  // @ts-expect-error A misspelled code
  void ({ code: 'txt.empty', severity: 'off' } satisfies RuleInput);
  // @ts-expect-error An unknown code
  throw new StrataError('no.such_code', '');
}

export function events(event: ConversationEvent): void {
  // @ts-expect-error A misspelled type
  if (event.type === 'txt') return;
  // @ts-expect-error A retry has no text
  if (event.type === 'retry') void event.text;
  // @ts-expect-error A misspelled count
  if (event.type === 'done') void event.usage.totalTokens;
}

export function calls(strata: Strata, client: GeminiClient, thread: Thread): void {
  // @ts-expect-error Without a model
  void new Conversation(strata, client, {});
  // @ts-expect-error A misspelled field of generationConfig
  void new Conversation(strata, client, { model: 'm', generationConfig: { temprature: 1 } });
  // @ts-expect-error A message of OpenAI
  thread.append({ role: 'user', content: 'Hi' });
  // @ts-expect-error Only the expiration can be changed
  void client.caches.update('a', { displayName: 'x' });
}

export function elsewhere(strata: Strata, checker: Checker): void {
  // @ts-expect-error A method of Templates
  strata.template('');
  // @ts-expect-error A method of Checker
  strata.lint({}, { model: 'm' });
  // @ts-expect-error Checker.import converts another client's history
  strata.thread({ model: 'm', from: [], format: 'openai' });
  // @ts-expect-error A method of Strata
  checker.thread({ model: 'm' });
}
