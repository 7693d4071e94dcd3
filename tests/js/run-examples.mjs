// Runs the examples that its parent process names, one after the other, and answers what each prints. One process for
// all, because each would compile the WebAssembly anew.
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

const printed = [];
process.stdout.write = (text) => printed.push(text) > 0;

process.on('message', async (file) => {
  printed.length = 0;
  const error = await import(pathToFileURL(file)).then(() => undefined, inspect);
  process.send({ error, output: printed.join('') });
});
