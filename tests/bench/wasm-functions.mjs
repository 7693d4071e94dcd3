// Reads the sections of a WebAssembly file and the names of its functions.
import { readFileSync } from 'node:fs';

/** Reads numbers and strings of a WebAssembly file, from a position on. */
export class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  take(length) {
    return this.bytes.subarray(this.at, (this.at += length));
  }

  string() {
    return Buffer.from(this.take(this.number())).toString();
  }
}

const [typeId, importId, functionId, codeId, dataId] = [1, 2, 3, 10, 11];

function* sectionsOf(bytes) {
  const reader = new Reader(bytes, 8);
  while (reader.at < bytes.length) {
    const id = reader.bytes[reader.at++];
    yield { id, bytes: reader.take(reader.number()) };
  }
}

function importedFunctions(section) {
  const reader = new Reader(section);
  let functions = 0;
  for (let left = reader.number(); left > 0; left--) {
    reader.string();
    reader.string();
    const kind = reader.bytes[reader.at++];
    if (kind === 0) {
      functions += 1;
      reader.number();
    } else if (kind === 3) reader.at += 2;
    else {
      if (kind === 1) reader.at += 1;
      const hasMaximum = reader.number() === 1;
      reader.number();
      if (hasMaximum) reader.number();
    }
  }
  return functions;
}

function functionNames(section) {
  const reader = new Reader(section);
  const names = new Map();
  if (reader.string() !== 'name') return names;
  while (reader.at < section.length) {
    const kind = reader.bytes[reader.at++];
    const length = reader.number();
    const end = reader.at + length;
    if (kind === 1) {
      for (let left = reader.number(); left > 0; left--)
        names.set(reader.number(), reader.string());
    }
    reader.at = end;
  }
  return names;
}

function parameterCounts(section) {
  const reader = new Reader(section);
  return Array.from({ length: reader.number() }, () => {
    reader.take(1);
    const parameters = reader.take(reader.number()).length;
    reader.take(reader.number());
    return parameters;
  });
}

function typesOf(section) {
  const reader = new Reader(section);
  return Array.from({ length: reader.number() }, () => reader.number());
}

function bodiesOf(section) {
  const reader = new Reader(section);
  return Array.from({ length: reader.number() }, () => reader.take(reader.number()));
}

/**
 * Takes a file apart that was linked with --profiling-funcs. The bodies of functions are parts of `bytes`, the file.
 * @param {string} file
 * @returns {{ bytes: Uint8Array, functions: { name: string, body: Uint8Array, parameters: number }[], data: Uint8Array,
 *   others: Uint8Array }}
 */
export function readFunctions(file) {
  const bytes = readFileSync(file);
  const sections = [...sectionsOf(bytes)];
  const find = (id) => sections.find((section) => section.id === id)?.bytes ?? new Uint8Array([0]);
  const imported = importedFunctions(find(importId));
  const names = new Map(
    sections.filter(({ id }) => id === 0).flatMap((section) => [...functionNames(section.bytes)]),
  );
  const parameters = parameterCounts(find(typeId));
  const types = typesOf(find(functionId));
  const functions = bodiesOf(find(codeId)).map((body, index) => ({
    name: names.get(index + imported) ?? `function ${index}`,
    body,
    parameters: parameters[types[index]],
  }));
  const others = sections.filter(({ id }) => ![0, codeId, dataId].includes(id));
  return {
    ...{ bytes, functions, data: find(dataId) },
    others: Buffer.concat(others.map((section) => section.bytes)),
  };
}
