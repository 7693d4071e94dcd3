// Reads the sections of a WebAssembly file and the names of its functions.
import { readFileSync } from 'node:fs';

class Reader {
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

const [importId, codeId, dataId] = [2, 10, 11];

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

function bodiesOf(section) {
  const reader = new Reader(section);
  return Array.from({ length: reader.number() }, () => reader.take(reader.number()));
}

/**
 * Takes a file apart that was linked with --profiling-funcs.
 * @param {string} file
 * @returns {{ functions: { name: string, body: Uint8Array }[], data: Uint8Array, others: Uint8Array }}
 */
export function readFunctions(file) {
  const sections = [...sectionsOf(readFileSync(file))];
  const find = (id) => sections.find((section) => section.id === id)?.bytes ?? new Uint8Array([0]);
  const imported = importedFunctions(find(importId));
  const names = new Map(
    sections.filter(({ id }) => id === 0).flatMap(({ bytes }) => [...functionNames(bytes)]),
  );
  const functions = bodiesOf(find(codeId)).map((body, index) => ({
    name: names.get(index + imported) ?? `function ${index}`,
    body,
  }));
  const others = sections.filter(({ id }) => ![0, codeId, dataId].includes(id));
  return { functions, data: find(dataId), others: Buffer.concat(others.map(({ bytes }) => bytes)) };
}
