// Keeps recordings of `createReplay` as files in a folder.
import { mkdir, writeFile } from 'node:fs/promises';
import { decodeDocument } from '../sdk/internal/bytes.js';
import { namesIn, readIfExists } from './file-store.js';

/** Where recordings are kept: a folder (`folderRecordings` of `prompt-strata/node`), or anything that keeps texts by name. */
export interface Recordings {
  /** Returns the text of a recording; undefined if there is none. */
  get: (name: string) => Promise<string | undefined>;
  put: (name: string, text: string) => Promise<void>;
  /** Returns the names of all. */
  list: () => Promise<string[]>;
}

/**
 * Returns recordings that are readable JSON files in a folder, which belongs beside the tests that read them. The folder is
 * made with the first recording.
 *
 * @example
 * createReplay({ recordings: folderRecordings('tests/recordings') });
 */
export function folderRecordings(folder: string): Recordings {
  return {
    async get(name) {
      const bytes = await readIfExists(`${folder}/${name}`);
      return bytes && decodeDocument(bytes);
    },
    async put(name, text) {
      await mkdir(folder, { recursive: true });
      await writeFile(`${folder}/${name}`, text);
    },
    async list() {
      return (await namesIn(folder)).filter((name) => name.endsWith('.json')).sort();
    },
  };
}
