// Sends one turn with each core of the package to the emulator, and returns the answers.
import * as strata from 'prompt-strata';
import * as lite from 'prompt-strata/lite';

async function answer({ Conversation, GeminiClient, load }) {
  const client = new GeminiClient({ fetch: strata.createEmulator(), retry: false });
  const chat = new Conversation(await load(), client, {
    model: 'gemini-3.8-flash',
    static: { text: 'Answer in one sentence.' },
  });
  let text = '';
  for await (const event of chat.send('Good morning')) {
    if (event.type === 'text') text += event.text;
  }
  if (text === '') throw new Error('the answer is empty');
  return text;
}

export async function turn() {
  const answers = [];
  for (const entry of [strata, lite]) answers.push(await answer(entry));
  return `answered ${answers.length}: ${answers[0]}`;
}
