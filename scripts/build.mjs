// npm run build: leaves the package as users get it in dist/.
import { prepare } from './setup/prepare.mjs';

await prepare('package');
