// Writes the C++ tables of rules and models into the folder that CMake names: node write-tables.mjs FOLDER.
import { join } from 'node:path';
import { writeChanged } from '../../scripts/setup/write-changed.mjs';
import { modelsInc } from './model-rows.mjs';
import { catalogueInc } from './rule-tables.mjs';

const folder = process.argv[2];
writeChanged(join(folder, 'catalogue.inc'), catalogueInc());
writeChanged(join(folder, 'models.inc'), modelsInc());
