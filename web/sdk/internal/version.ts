// Names the version of the package, as in package.json.
import { version as current } from '#generated/version';

export const version: string = current;
