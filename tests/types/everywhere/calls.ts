// Calls the package as a user does. It names no global type that lib.es2022 lacks.
import { loadChecker, type Checker } from 'prompt-strata/check';
import { FileStore } from 'prompt-strata/node';
import { loadTemplates, type Templates } from 'prompt-strata/templates';
import {
  Conversation,
  GeminiClient,
  GeminiError,
  load,
  MediaResult,
  StrataError,
  type ConversationEvent,
  type ConversationOptions,
  type ConversationPlugin,
  type ConversationStore,
  type Diagnostic,
  type ErrorCode,
  type FunctionTool,
  type JsonInput,
  type Manifest,
  type Strata,
  type Thread,
  type Tool,
  type UsageMetadata,
} from 'prompt-strata';
import { createEmulator } from 'prompt-strata/testing';

interface Weather {
  city: string;
  hot?: boolean;
}
const functions: FunctionTool[] = [
  { name: 'nothing', run: async () => undefined },
  { name: 'silent', run: async () => {} },
  { name: 'own', run: async (): Promise<Weather> => ({ city: 'x' }) },
  { name: 'list', run: (): readonly Weather[] => [{ city: 'x' }] },
  { name: 'bytes', run: () => new Uint8Array(1) },
  {
    name: 'media',
    run: () =>
      new MediaResult({ city: 'x' } as Weather, [
        { inlineData: { mimeType: 'image/png', data: new Uint8Array(1) } },
      ]),
  },
];
export const tools: Tool[] = [...functions, { googleSearch: {} }, { discover: () => functions }];

export const client = new GeminiClient({ fetch: createEmulator(), retry: { attempts: 2 } });

const options: ConversationOptions = {
  model: 'm',
  tools,
  static: { text: 'Be brief.' },
  generationConfig: { temperature: 1 },
  dynamic: () => ({ variables: { todos: [{ title: 'x' }] } }),
};

// Every event has its own shape.
export function show(event: ConversationEvent): string {
  switch (event.type) {
    case 'text':
      return event.text;
    case 'functionCall':
      return `${event.name} ${JSON.stringify(event.args['city'])}`;
    case 'part':
      return event.part.inlineData?.mimeType ?? '';
    case 'usage':
      return String(event.usage.totalTokenCount);
    case 'metadata':
      return event.metadata.responseId ?? event.metadata.finishReason ?? '';
    case 'retry':
      return event.code === 'api.RESOURCE_EXHAUSTED' ? 'wait' : event.code;
    case 'done':
      return `${event.finishReason} ${event.usage.candidatesTokenCount}`;
    default:
      return event.type;
  }
}

export async function chat(): Promise<UsageMetadata> {
  const strata: Strata = await load();
  const conversation = new Conversation(strata, client, options);
  let usage: UsageMetadata = {};
  for await (const event of conversation.send({ role: 'user', parts: [{ text: 'Hi' }] })) {
    if (event.type === 'done') usage = event.usage;
  }
  const thread: Thread = conversation.thread;
  thread.append({ role: 'user', parts: [{ text: 'x' }] }, { at: '2026-01-01T00:00:00Z' });
  const { body, manifest, diagnostics } = thread.assemble({
    now: '',
    generationConfig: { topK: 1 },
  });
  const described: [Uint8Array, Manifest, Diagnostic[]] = [body, manifest, diagnostics];
  thread[Symbol.dispose]();
  return described.length > 0 ? usage : {};
}

export async function caches(): Promise<string> {
  const cache = await client.caches.create({ model: 'models/m', contents: [], ttl: '60s' });
  for await (const { name, usageMetadata } of client.caches.list())
    if ((usageMetadata?.totalTokenCount ?? 0) > 0) return name ?? '';
  const extended = await client.caches.update('cachedContents/a', { ttl: '600s' });
  const { inputTokenLimit, supportedGenerationMethods = [] } = await client.models.get('m');
  return `${cache.name} ${extended.expireTime} ${inputTokenLimit} ${supportedGenerationMethods[0]}`;
}

// Codes are a union.
export function adviceOf(error: unknown): string {
  if (error instanceof GeminiError && error.code === 'timeout') return 'slow';
  if (!(error instanceof StrataError)) return '';
  const code: ErrorCode = error.code;
  return code === 'conversation.busy' ? 'wait' : code;
}

export const plugin: ConversationPlugin = {
  name: 'meter',
  afterAnswer: (usage, manifest, { emit, signal }) => {
    if (usage.promptTokenCount === manifest.promptTokens && signal)
      emit({ type: 'cacheLost', name: '' });
  },
};
export const stores: ConversationStore[] = [new FileStore('/tmp/x')];

// What the modules return is passed to a thread.
export async function modules(thread: Thread, messages: JsonInput): Promise<Thread> {
  const [templates, checker]: [Templates, Checker] = [await loadTemplates(), await loadChecker()];
  const own = templates.template('{{ a }}');
  thread.assemble({ now: '', static: { template: own, variables: { a: 1 } } });
  const variables = { todos: [{ title: 'x' }] };
  const dynamic = { template: templates.defaultTemplate('dynamic'), variables };
  thread.assemble({ now: '', compiled: templates.compile({ sections: [] }), dynamic });
  const { saved, diagnostics } = checker.import(messages, { format: 'openai' });
  const found: Diagnostic[] = [...diagnostics, ...checker.lint({}, { model: 'm' }).diagnostics];
  if (found.length > 0) return thread;
  return (await load()).thread({ model: 'm', from: saved });
}
