// Copies a text to the clipboard.

/** Copies a text, and announces whether that worked. */
export async function copyText(text: string, announce: (text: string) => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce('Copied.');
  } catch {
    announce('The browser refused to copy.');
  }
}
