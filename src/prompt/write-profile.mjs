// Writes the sections of the built-in profiles as a C++ table: node write-profile.mjs FOLDER.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeChanged } from '../../scripts/setup/write-changed.mjs';

const path = new URL('../../templates/agent_profile.json', import.meta.url);
const { sections } = JSON.parse(readFileSync(path, 'utf8'));
const quoted = (text) => JSON.stringify(text ?? '');

const row = ({ id, title, stability, always = false, option, file, text }) =>
  `    {${[id, title].map(quoted).join(', ')}, ${stability === 'dynamic'}, ${always}, ${[option, file].map(quoted).join(', ')},
     ${quoted(text)}},
`;

writeChanged(join(process.argv[2], 'profile.inc'), sections.map(row).join(''));
