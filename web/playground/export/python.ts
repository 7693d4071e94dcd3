// Writes a request as a Python program with google-genai. The key is an environment variable.
import type { ExportedRequest } from './exported-request.js';

type Members = { [name: string]: unknown };

// What the library takes in its configuration, besides the members of generationConfig.
const configMembers = [
  'systemInstruction',
  'tools',
  'toolConfig',
  'safetySettings',
  'cachedContent',
  'labels',
];

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a JSON value as a Python literal. A string of JSON is also one of Python. */
export function pythonLiteral(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const items = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item, inner))
    : Object.entries(value).map(
        ([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, inner)}`,
      );
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}

function partsOf(body: Members): { contents: unknown; config: Members; others: Members } {
  const { contents = [], generationConfig, ...rest } = body;
  const config: Members = isMembers(generationConfig) ? { ...generationConfig } : {};
  const others: Members = isMembers(generationConfig) ? {} : without(generationConfig);
  for (const [name, value] of Object.entries(rest))
    (configMembers.includes(name) ? config : others)[name] = value;
  return { contents, config, others };
}

const without = (generationConfig: unknown): Members =>
  generationConfig === undefined ? {} : { generationConfig };

/** Returns the program. The models of the library read JSON, because signatures are base64 there. */
export function pythonCode({ model, backend, body }: ExportedRequest): string {
  const { contents, config, others } = partsOf(body);
  const client =
    backend === 'gemini'
      ? 'genai.Client(api_key=os.environ["GEMINI_API_KEY"])'
      : 'genai.Client(vertexai=True, project=os.environ["GOOGLE_CLOUD_PROJECT"], location="global")';
  const extra =
    Object.keys(others).length > 0
      ? `# Members that the library has no names for.
config.http_options = types.HttpOptions(extra_body=${pythonLiteral(others)})
`
      : '';
  return `import json
import os

from google import genai
from google.genai import types

contents = ${pythonLiteral(contents)}
config = types.GenerateContentConfig.model_validate_json(
    json.dumps(${pythonLiteral(config, '    ')})
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
