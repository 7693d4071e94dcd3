// Titles a session by its first message, or by the error message that it is about.
import { emptyDocument, type PlaygroundDocument } from '../../state/playground-document.js';

const maxRead = 200_000;
const maxTitle = 80;

// Where the turns of a request begin: an instruction of the system may stand before them.
const turns = /"(?:contents|messages|input|steps)"\s*:/;
const message = /"(?:text|content|input|message)"\s*:\s*("(?:[^"\\]|\\.)+")/;

/** Returns the first message of a request, of an error or of saved turns; '' if there is none. */
function firstMessage(text: string): string {
  const read = text.slice(0, maxRead);
  const found = message.exec(read.slice(Math.max(0, read.search(turns))))?.[1];
  if (found === undefined) return '';
  try {
    return String(JSON.parse(found));
  } catch {
    return '';
  }
}

const firstLine = (text: string) => text.trim().split('\n', 1)[0]?.trim() ?? '';

/** Returns the title of a session. */
export function titleOf({ view, lint, prompt, chat }: PlaygroundDocument): string {
  const isExample = lint.text === emptyDocument().lint.text;
  const titles = {
    chat: firstMessage(chat.saved),
    prompt: prompt.static,
    lint: isExample ? '' : firstMessage(lint.text) || lint.text,
  };
  const all = [titles[view], titles.chat, titles.lint, titles.prompt].map(firstLine);
  return (all.find((title) => title !== '') ?? 'Example request').slice(0, maxTitle);
}
