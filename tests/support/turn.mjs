// Sends one turn with a text and one with a template to the emulator, lints a request, and returns the answers: all
// modules of the package are loaded.
import { Conversation, GeminiClient, load } from 'prompt-strata';
import { createEmulator } from 'prompt-strata/testing';
import { loadChecker } from 'prompt-strata/check';

const model = 'gemini-3.8-flash';

async function answer(layer) {
  const client = new GeminiClient({ fetch: createEmulator(), retry: false });
  const chat = new Conversation(await load(), client, { model, static: layer });
  let text = '';
  for await (const event of chat.send('Good morning')) {
    if (event.type === 'text') text += event.text;
  }
  if (text === '') throw new Error('the answer is empty');
  return text;
}

export async function turn() {
  const layers = [
    { text: 'Answer in one sentence.' },
    { template: 'Answer {{ how }}.', variables: { how: 'briefly' } },
  ];
  const answers = [];
  for (const layer of layers) answers.push(await answer(layer));
  const { ok } = (await loadChecker()).lint({ contents: [] }, { model });
  if (ok) throw new Error('the checker finds nothing');
  return `answered ${answers.length}: ${answers[0]}`;
}
