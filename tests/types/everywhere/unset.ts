// Options whose values may be undefined, such as a variable of the environment, mean unset in every configuration.
import { connect, Conversation, GeminiClient, type Strata } from 'prompt-strata';

const model = 'm';

export async function start(strata: Strata, given: string | undefined, count: number | undefined) {
  const client = new GeminiClient({ apiKey: given, baseUrl: given, timeoutMs: count });
  const chat = await connect({ apiKey: given, model, systemInstruction: given });
  const more = new Conversation(strata, client, {
    model,
    systemInstruction: given,
    maxToolRounds: count,
    tools: undefined,
    now: undefined,
    caching: undefined,
  });
  const plain = new Conversation(strata, client, {
    model,
    systemInstruction: given,
    static: undefined,
  });
  return { chat, more, plain };
}
