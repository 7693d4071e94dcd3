// Writes a request as a Python program with google-genai. The key is an environment variable.
import type { ExportedRequest } from './exported-request.js';
import { laidOut, membersOf } from './json-layout.js';

// The text of each value, by its name.
type Members = Map<string, string>;

// What the library takes in its configuration, besides the members of generationConfig.
const configMembers = [
  'systemInstruction',
  'tools',
  'toolConfig',
  'safetySettings',
  'cachedContent',
  'labels',
];

const words: { [word: string]: string } = { null: 'None', true: 'True', false: 'False' };

// Numbers stay as they are. A string as JSON.stringify writes it is also one of Python.
const pythonToken = (token: string) =>
  token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : (words[token] ?? token);

/** Returns JSON as a Python literal. */
export const pythonLiteral = (json: string, indent = ''): string =>
  laidOut(json, { step: '    ', indent, lastComma: true, write: pythonToken });

const objectOf = (members: Members) =>
  `{${[...members].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`;

function partsOf(body: string): { contents: string; config: Members; others: Members } {
  const members = membersOf(body);
  const given = members.get('generationConfig') ?? '{}';
  const isObject = given.startsWith('{');
  const config: Members = isObject ? membersOf(given) : new Map();
  const others: Members = isObject ? new Map() : new Map([['generationConfig', given]]);
  for (const [name, json] of members)
    if (name !== 'contents' && name !== 'generationConfig')
      (configMembers.includes(name) ? config : others).set(name, json);
  return { contents: members.get('contents') ?? '[]', config, others };
}

/** Returns the program. The models of the library read JSON, because signatures are base64 there. */
export function pythonCode({ model, backend, body }: ExportedRequest): string {
  const { contents, config, others } = partsOf(body);
  const client =
    backend === 'gemini'
      ? 'genai.Client(api_key=os.environ["GEMINI_API_KEY"])'
      : 'genai.Client(vertexai=True, project=os.environ["GOOGLE_CLOUD_PROJECT"], location="global")';
  const extra =
    others.size > 0
      ? `# Members that the library has no names for.
config.http_options = types.HttpOptions(extra_body=${pythonLiteral(objectOf(others))})
`
      : '';
  return `import json
import os

from google import genai
from google.genai import types

contents = ${pythonLiteral(contents)}
config = types.GenerateContentConfig.model_validate_json(
    json.dumps(${pythonLiteral(objectOf(config), '    ')})
)
${extra}
client = ${client}
response = client.models.generate_content(
    model=${JSON.stringify(model.replace(/^models\//, ''))},
    contents=[types.Content.model_validate_json(json.dumps(one)) for one in contents],
    config=config,
)
print(response.model_dump_json(indent=2, exclude_none=True))
`;
}
