// Writes the default prompts as C++ raw strings, since the core cannot read files: node write-default-templates.mjs FOLDER.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeChanged } from '../../scripts/setup/write-changed.mjs';

function source(layer) {
  const path = `../../templates/gemini_${layer}_prompt.j2`;
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

writeChanged(
  join(process.argv[2], 'default_templates.inc'),
  `constexpr std::string_view kStaticTemplate = R"j2(${source('static')})j2";
constexpr std::string_view kDynamicTemplate = R"j2(${source('dynamic')})j2";
`,
);
