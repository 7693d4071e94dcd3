// Runs before `npm pack` and `npm publish`: gives the packed files the same modes on every machine. npm writes the modes
// of the files into the package, and they depend on the umask of whoever checked out and built.
import { chmodSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { readOptions } from './setup/options.mjs';
import { main, root } from './setup/run.mjs';
import { filesBelow } from './setup/stamp.mjs';

await main(() => readOptions('Usage: npm run prepack'));

const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const commands = Object.values(bin).map(normalize);

for (const file of ['package.json', 'README.md', 'LICENSE', ...filesBelow('dist')])
  chmodSync(join(root, file), commands.includes(file) ? 0o755 : 0o644);
