// Checks the tools that a caller declares with the rules of requests, because each send would fail at an invalid one.
import { GatewayError } from '../../gateway/gateway-error.js';
import type { CallerTool } from '../requests.js';
import { sharedCore } from './shared-core.js';

const placeInBody = '/tools/0/functionDeclarations';

/** @throws HttpError with the status 422 and diagnostics if Gemini would refuse a declaration */
export async function checkDeclarations(
  tools: readonly CallerTool[],
  model: string,
): Promise<void> {
  if (tools.length === 0) return;
  const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
  const body = { contents, tools: [{ functionDeclarations: tools }] };
  const now = new Date().toISOString();
  const found = (await sharedCore()).lint(JSON.stringify(body), { model, now });
  const diagnostics = found.diagnostics
    .filter(({ severity, path }) => severity === 'error' && path.startsWith(placeInBody))
    .map((each) => ({ ...each, path: `/tools${each.path.slice(placeInBody.length)}` }));
  const [first] = diagnostics;
  if (!first) return;
  throw new GatewayError(422, first.code, `${first.path}: ${first.message}`, { diagnostics });
}
