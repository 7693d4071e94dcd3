// Opens files that the user chooses or drops, and downloads texts.
import type { TextForm } from './lint-result.js';

/** Lets the user choose a file. Does nothing if the user cancels. */
export function chooseFile(onFile: (file: File) => void): void {
  const input = Object.assign(document.createElement('input'), {
    type: 'file',
    accept: '.json,.jsonl,.ndjson,.har,.sh,.txt,application/json,text/*',
  });
  input.onchange = () => {
    const [file] = input.files ?? [];
    if (file) onFile(file);
  };
  input.click();
}

const isFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;

/** Returns what an element does with a file that the user drops on it: before the editor inserts the file as text. */
export const takingFiles = (onFile: (file: File) => void) => ({
  onDragOver: (event: DragEvent) => {
    if (isFiles(event)) event.preventDefault();
  },
  onDropCapture: (event: DragEvent) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    event.stopPropagation();
    onFile(file);
  },
});

const extensions: Partial<Record<TextForm, string>> = {
  har: 'har',
  jsonl: 'jsonl',
  curl: 'sh',
  powershell: 'ps1',
  javascript: 'js',
  python: 'py',
  text: 'txt',
};

/** Returns the name of a file with a text of this form. */
export const fileNameOf = (form: TextForm) => `request.${extensions[form] ?? 'json'}`;

export function downloadText(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // Browsers read the URL after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
