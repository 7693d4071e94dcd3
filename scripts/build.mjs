// npm run build: builds the published package in dist/ and prints its sizes.
import { prepare } from './setup/prepare.mjs';
import { printSizes } from './setup/sizes.mjs';

await prepare('package');
printSizes();
