// Writes a request as a Python program with google-genai. The key is an environment variable.
import { isInteraction, plainName, type ExportedRequest } from './exported-request.js';
import { configOf, laidOut, objectOf } from './json-layout.js';

const words: { [word: string]: string } = { null: 'None', true: 'True', false: 'False' };

// Numbers stay as they are. A string as JSON.stringify writes it is also one of Python.
const pythonToken = (token: string) =>
  token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : (words[token] ?? token);

/** Returns JSON as a Python literal. */
const pythonLiteral = (json: string, indent = ''): string =>
  laidOut(json, { step: '    ', indent, lastComma: true, write: pythonToken });

/** Returns the program. The models of the library read JSON, because signatures are base64 there. */
export function pythonCode(request: ExportedRequest): string {
  const { backend, body } = request;
  const client =
    backend === 'gemini'
      ? 'genai.Client(api_key=os.environ["GEMINI_API_KEY"])'
      : 'genai.Client(vertexai=True, project=os.environ["GOOGLE_CLOUD_PROJECT"], location="global")';
  if (isInteraction(request))
    return `import os

from google import genai

client = ${client}
interaction = client.interactions.create(**${pythonLiteral(body)})
print(interaction.model_dump_json(indent=2, exclude_none=True))
`;
  const { contents, config, others } = configOf(body);
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
    model=${JSON.stringify(plainName(request))},
    contents=[types.Content.model_validate_json(json.dumps(one)) for one in contents],
    config=config,
)
print(response.model_dump_json(indent=2, exclude_none=True))
`;
}
