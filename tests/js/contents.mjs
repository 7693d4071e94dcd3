// Why this file exists: the cases of the described systems, and Contents in one line each.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/setup/run.mjs';

export const casesOf = (name) =>
  JSON.parse(readFileSync(join(root, 'tests', 'cases', `${name}.json`), 'utf8'));
export const decode = (bytes) => new TextDecoder().decode(bytes);

export const user = (text) => ({ role: 'user', parts: [{ text }] });
export const says = (text) => ({ role: 'model', parts: [{ text }] });
const call = (id, name = 'lookup') => ({
  functionCall: { ...(id && { id }), name, args: {} },
});
export const calls = (ids) => ({
  role: 'model',
  parts: ids.map((id, i) => ({ ...call(id), ...(i === 0 && { thoughtSignature: 'c2lnbmVk' }) })),
});
export const results = (ids) => ({
  role: 'user',
  parts: ids.map((id) => ({
    functionResponse: { ...(id && { id }), name: 'lookup', response: { output: 1 } },
  })),
});

/** The codes of a report's errors. */
export const errorsOf = ({ diagnostics }) =>
  diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
