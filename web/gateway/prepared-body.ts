// Prepares the body of a request: restores signatures, repairs, refuses or only observes.
import { StrataError } from '../sdk/base/errors.js';
import { countDiagnostics } from '../sdk/base/first-diagnostics.js';
import type { GatewayCore } from '../sdk/core/gateway-core.js';
import type { Backend } from '../sdk/types/backend.js';
import type { Diagnostic } from '../sdk/types/diagnostic.js';
import type { LintOptions, Repaired, RepairOptions } from '../sdk/types/lint.js';
import type { CallMemory } from './call-memory.js';
import type { Findings } from './findings.js';
import { GatewayError } from './gateway-error.js';
import type { GatewayPolicy } from './options.js';

// As many values as a repair may read, so that it does not keep other callers waiting. It is enough for ten rounds of
// fixes in a history of 100,000 values.
const repairValues = 2_000_000;

/** What a body is prepared with. */
export interface Preparation {
  core: GatewayCore;
  model: string;
  backend: Backend;
  policy: GatewayPolicy;
  /** Whether placeholders may be added. */
  placeholder: boolean;
  /** The signatures of this caller; undefined without a memory. */
  memory: CallMemory | undefined;
  findings: Findings;
}

/**
 * Returns the body to send: the same bytes where nothing is repaired or restored.
 *
 * @throws GatewayError with the status 400 if the policy is `reject` and the body has an error, or if it nests too deep;
 *   with the status 413 if a repair would take too long
 */
export async function preparedBody(body: Uint8Array, call: Preparation): Promise<Uint8Array> {
  const { policy, memory, findings } = call;
  if (policy !== 'repair') return checked(body, call);
  const restored = await memory?.restore(body);
  if (!restored) return repaired(body, call);
  findings.restored = restored.restored;
  findings.removed = restored.removed;
  return repaired(restored.body, call);
}

const lintOptions = ({ model, backend }: Preparation): LintOptions => ({
  model,
  backend,
  now: new Date().toISOString(),
});

function checked(body: Uint8Array, call: Preparation): Uint8Array {
  const { ok, diagnostics } = call.core.lint(body, lintOptions(call));
  call.findings.add(diagnostics);
  refuseDepth(diagnostics);
  if (ok || call.policy === 'observe') return body;
  throw refusal(diagnostics);
}

// Warnings that a repair removes: a lone empty chunk behind functionCalls, and what is no JSON for most parsers.
const repairedWarnings = new Set(['call.split', 'json.lenient']);

// A repair copies the body out of the core, so it only runs where it may change something.
function repaired(body: Uint8Array, call: Preparation): Uint8Array {
  const options = lintOptions(call);
  const { ok, diagnostics } = call.core.lint(body, options);
  refuseDepth(diagnostics);
  if (ok && !diagnostics.some(({ code }) => repairedWarnings.has(code))) {
    call.findings.add(diagnostics);
    return body;
  }
  const dummySignatures = call.placeholder;
  const result = repair(body, call, { ...options, dummySignatures, maxValues: repairValues });
  call.findings.add(result.diagnostics);
  return result.diagnostics.some((each) => each.repaired) ? result.body : body;
}

function repair(body: Uint8Array, { core }: Preparation, options: RepairOptions): Repaired {
  try {
    return core.repair(body, options);
  } catch (error) {
    if (!(error instanceof StrataError) || error.code !== 'repair.too_much') throw error;
    const message =
      'The request has too many faults to repair them here. Send fewer Contents, or send x-strata-policy: observe.';
    throw new GatewayError(413, error.code, message);
  }
}

function refuseDepth(diagnostics: readonly Diagnostic[]): void {
  const deep = diagnostics.find(({ code }) => code === 'json.too_deep');
  if (deep) throw new GatewayError(400, deep.code, deep.message, { diagnostics: [deep] });
}

function refusal(diagnostics: readonly Diagnostic[]): GatewayError {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const count = countDiagnostics(errors);
  const message = `The request has ${count === 1 ? 'an error' : `${count} errors`}, and this gateway rejects such requests. ${first?.path || '/'}: ${first?.message}`;
  return new GatewayError(400, first?.code ?? 'json.invalid', message, { diagnostics });
}
