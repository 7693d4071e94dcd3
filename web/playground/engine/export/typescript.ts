// Writes a request as a TypeScript program with prompt-strata. The key is an environment variable.
import { indentedBody, type ExportedRequest } from './exported-request.js';

// A text keeps numbers that JavaScript cannot hold.
const quoted = (json: string) => `\`${json.replace(/[\\`]|\$\{/g, String.raw`\$&`)}\``;

/** Returns the program. */
export function typeScriptCode(request: ExportedRequest): string {
  const { model, backend } = request;
  const isGemini = backend === 'gemini';
  const imports = isGemini ? 'GeminiClient' : 'GeminiClient, type Backend';
  const client = isGemini
    ? `new GeminiClient({ apiKey: process.env.GEMINI_API_KEY ?? '' })`
    : `new GeminiClient({
    vertexai: {
      project: process.env.GOOGLE_CLOUD_PROJECT ?? '',
      location: 'global',
      token: process.env.GOOGLE_ACCESS_TOKEN ?? '',
    },
  })`;
  const target = isGemini ? '{ model }' : '{ model, backend }';
  return `import { ${imports} } from 'prompt-strata';
import { loadChecker } from 'prompt-strata/check';

const model = ${JSON.stringify(model.replace(/^models\//, ''))};
${isGemini ? '' : `const backend: Backend = 'vertex';\n`}const body = ${quoted(indentedBody(request))};

const checker = await loadChecker();
const { ok, diagnostics } = checker.lint(body, ${target});
for (const { severity, code, path, message } of diagnostics) {
  console.log(severity, code, path, message);
}

if (ok) {
  const client = ${client};
  const response = await client.generate(model, new TextEncoder().encode(body));
  console.log(await response.json());
}
`;
}
