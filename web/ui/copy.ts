// Copies a text to the clipboard.

/** Copies a text. `say` shows whether that worked, where the user looks: in an open dialog, nothing else is read out. */
export async function copyText(text: string, say: (text: string) => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say('Copied.');
  } catch {
    say('The browser refused to copy.');
  }
}
