// Reads case files of tests/cases and builds Contents for tests.
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

/** Returns the codes of the errors in a report. */
export const errorsOf = ({ diagnostics }) =>
  diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
