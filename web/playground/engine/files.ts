// Opens files that the user chooses or drops.
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
