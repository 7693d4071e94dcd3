// npm run build: builds the published package in dist/ and prints its sizes.
import { readOptions } from './setup/options.mjs';
import { prepare } from './setup/prepare.mjs';
import { main } from './setup/run.mjs';
import { printSizes } from './setup/sizes.mjs';

await main(() => readOptions('Usage: npm run build'));
await prepare('package');
printSizes();
