// Writes the text of the emulator's answers and thoughts.
import type { Call } from './calls.js';
import type { SeededRandom } from './hash.js';
import { textOf, type Content, type Prompt } from './prompt.js';
import { quote } from './quote.js';
import { isObject, textField } from './wire.js';

/** Returns the answer if no tool matches: the emulator, the question and the layers of the request. */
export function describeRequest(
  prompt: Prompt,
  systemTokens: number,
  random: SeededRandom,
): string {
  const opening = random.pick([
    'This is the emulator of prompt-strata, not Gemini: it works offline and by fixed rules.',
    'You are talking to the emulator of prompt-strata, not to Gemini. It is offline and has no model inside.',
    'Hello from the emulator of prompt-strata. Gemini itself was not asked; this text is made by rules.',
  ]);
  const closing =
    prompt.callable.length > 0
      ? `Ask for what ${listNames(prompt.callable)} can do, and the call will be made.`
      : 'Declare a tool to see calls and signatures, or use an API key to ask Gemini itself.';
  return [opening, describeQuestion(prompt), describeLayers(prompt, systemTokens), closing].join(
    ' ',
  );
}

/** Appended to a text about the results of tools. */
export const emulatedNote =
  'This was put together by the emulator of prompt-strata, not by Gemini.';

function describeQuestion(prompt: Prompt): string {
  const last = prompt.contents.at(-1);
  const text = textOf(last).replace(/\s+/g, ' ').trim();
  const media = last?.parts.filter(isMedia).length ?? 0;
  const attached = media === 0 ? '' : ` and attached ${count(media, 'file')}`;
  return text === '' ? `You wrote no text${attached}.` : `You wrote “${quote(text)}”${attached}.`;
}

/** Describes the layers that can be recognized in the request. */
function describeLayers(prompt: Prompt, systemTokens: number): string {
  const before = prompt.contents.slice(0, -1);
  const dynamic = before.filter(isDynamic).length;
  const system =
    systemTokens === 0
      ? 'no system instruction'
      : `a system instruction of about ${count(systemTokens, 'token')}`;
  const context = dynamic === 0 ? '' : 'a dynamic layer, ';
  const turns = count(before.length - dynamic, 'earlier turn');
  const tools = count(prompt.callable.length, 'tool');
  return `The request held ${system}, ${context}${turns} and ${tools}.`;
}

/** Whether a Content looks like the dynamic layer: a user Content with a single JSON object as text. */
function isDynamic(content: Content): boolean {
  const [part, ...others] = content.parts;
  const text = textField(part, 'text')?.trim();
  if (content.role !== 'user' || others.length > 0 || !text?.startsWith('{')) return false;
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function isMedia(part: object): boolean {
  return ['inlineData', 'inline_data', 'fileData', 'file_data'].some((kind) => kind in part);
}

/** Returns the text of a thought Part. */
export function writeThought(prompt: Prompt, calls: Call[], results: number): string {
  const reading = `Reading the request: ${count(prompt.contents.length, 'turn')}, ${count(prompt.callable.length, 'tool')}.`;
  if (results > 0)
    return `${reading} The tools have answered, so I can put their results together.`;
  if (calls.length === 0) return `${reading} No tool is needed, so I answer in words.`;
  return `${reading} ${listNames(calls)} fits what was asked, so I call it.`;
}

function listNames(named: { name: string }[]): string {
  const names = [...new Set(named.map(({ name }) => name))];
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} or others` : shown.replace(/, ([^,]*)$/, ' or $1');
}

function count(number: number, thing: string): string {
  return `${number === 0 ? 'no' : number} ${thing}${number === 1 ? '' : 's'}`;
}
