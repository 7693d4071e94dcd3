// Validates SARIF by its schema.
import { createRequire } from 'node:module';
import Ajv from 'ajv';

const require = createRequire(import.meta.url);
const ajv = new Ajv({ schemaId: 'auto', logger: false });
ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-04.json'));

/** Returns whether a value is SARIF 2.1.0; `isSarif.errors` says why not. */
export const isSarif = ajv.compile(
  require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'),
);
