// Says how the parts of the Prompt view read and change the prompt of the document.
import type { DocumentStore } from '../state/document-store.js';
import type { PromptDraft } from '../state/playground-document.js';

/** Changes the prompt of the document. `undo` makes the change undoable under this label. */
export type ChangePrompt = (change: Partial<PromptDraft>, undo?: string) => void;

/** Returns the function that changes the prompt of a document. */
export function promptChanger(document: DocumentStore): ChangePrompt {
  return (change, undo) =>
    document.update(
      (value) => ({ ...value, prompt: { ...value.prompt, ...change } }),
      undo === undefined ? {} : { undo },
    );
}
