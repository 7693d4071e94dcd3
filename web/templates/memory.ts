// Reads memory from files named GEMINI.md, from the user's own to the one in the current folder. The nearest file
// is read last and takes precedence.
import { readFiles, type FileReader } from './read-files.js';
import type { BootstrapFile } from '../sdk/types/prompt-input.js';
import type { MemoryBlock } from '../sdk/types/template-variables.js';

/** A file that may contain memory. */
export interface MemoryFile {
  path: string;
  scope: NonNullable<MemoryBlock['scope']>;
}

/**
 * Returns the GEMINI.md of a project and of each folder down to `folder`, a path relative to the project.
 *
 * @example
 * memoryFiles('web/sdk'); // GEMINI.md, web/GEMINI.md, web/sdk/GEMINI.md
 */
export function memoryFiles(folder = '', name = 'GEMINI.md'): MemoryFile[] {
  const folders = folder.split('/').filter((part) => part !== '' && part !== '.');
  return [
    { path: name, scope: 'project' },
    ...folders.map((_, depth) => ({
      path: [...folders.slice(0, depth + 1), name].join('/'),
      scope: 'directory' as const,
    })),
  ];
}

/**
 * Reads memory for the static layer's variable `memory`. Missing and blank files are omitted; files that
 * cannot be read are in `unreadable`, with their errors.
 *
 * @example
 * const { memory } = await readMemory(disk, memoryFiles('web/sdk'));
 * thread.assemble({ now, static: { variables: { memory } }, trigger });
 */
export async function readMemory(
  reader: FileReader,
  files: readonly MemoryFile[],
): Promise<{ memory: MemoryBlock[]; unreadable: BootstrapFile[] }> {
  const read = await readFiles(
    reader,
    files.map(({ path }) => path),
  );
  const memory = files
    .map(({ path, scope }, index) => ({ scope, path, text: read[index]?.text?.trim() ?? '' }))
    .filter(({ text }) => text !== '');
  return { memory, unreadable: read.filter(({ error }) => error !== undefined) };
}
