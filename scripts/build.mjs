// npm run build: leaves the package as users get it in dist/, and says what it weighs.
import { prepare } from './setup/prepare.mjs';
import { printSizes } from './setup/sizes.mjs';

await prepare('package');
printSizes();
