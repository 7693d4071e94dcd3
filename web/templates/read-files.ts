// Reads the files of a prompt from any source, because the core does no I/O.
import { messageOf } from '../sdk/internal/messages.js';
import type { Fetch } from '../sdk/types/platform.js';
import type { BootstrapFile } from '../sdk/types/prompt-input.js';

/** Returns a file's text, or null or undefined if it does not exist. An error becomes a diagnostic of the prompt. */
export type FileReader = (
  path: string,
) => string | null | undefined | Promise<string | null | undefined>;

// ENOENT in Node and Bun, NotFound in Deno, NotFoundError in a browser's file system.
function isMissing(error: unknown): boolean {
  const { code, name } = Object(error);
  return code === 'ENOENT' || name === 'NotFound' || name === 'NotFoundError';
}

async function readOne(reader: FileReader, name: string, path: string): Promise<BootstrapFile> {
  try {
    const text = await reader(path);
    return text === null || text === undefined ? { name, path } : { name, path, text };
  } catch (error) {
    if (isMissing(error)) return { name, path };
    return { name, path, error: messageOf(error) };
  }
}

/**
 * Reads the files of a prompt in parallel, for `PromptInput.files`. `compile` reports missing and unreadable
 * files, in the order of the names. A string is both name and path; `{ name, path }` sets them separately.
 *
 * @example
 * const disk = (path) => readFile(join(workspace, path), 'utf8');
 * const kv = (path) => env.PROMPTS.get(path);
 * templates.compile({ files: await readFiles(disk, ['SOUL.md', 'IDENTITY.md', 'USER.md']) });
 */
export function readFiles(
  reader: FileReader,
  files: readonly (string | { name: string; path: string })[],
): Promise<BootstrapFile[]> {
  return Promise.all(
    files.map((file) =>
      typeof file === 'string'
        ? readOne(reader, file, file)
        : readOne(reader, file.name, file.path),
    ),
  );
}

/**
 * Returns a reader for files below a URL. 404 and 410 mean a missing file, other statuses are errors.
 *
 * @throws the reader: TypeError without a response, Error for a status other than 2xx, 404 and 410
 */
export function fetchReader(base: string | URL, send: Fetch = fetch): FileReader {
  return async (path) => {
    const response = await send(new URL(path, base));
    if (response.status === 404 || response.status === 410) return null;
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return response.text();
  };
}
