// Prepares the body of a request: restores signatures, repairs, refuses or only observes.
import { StrataError } from '../sdk/internal/errors.js';
import { countDiagnostics } from '../sdk/internal/messages.js';
import type { GatewayRequest, Prepared, PrepareOptions } from '../sdk/core/gateway-core.js';
import type { Backend } from '../sdk/types/model.js';
import type { Diagnostic } from '../sdk/types/diagnostic.js';
import { tooManyValues } from './body.js';
import type { CallMemory } from './call-memory.js';
import type { Findings } from './findings.js';
import { GatewayError } from './gateway-error.js';
import type { GatewayPolicy } from './options.js';

// As many values as a repair may read, so that it does not keep other callers waiting. It is enough for ten rounds of
// fixes in a history of 100,000 values.
const repairValues = 2_000_000;

/** What a body is prepared with. */
export interface Preparation {
  model: string;
  backend: Backend;
  policy: GatewayPolicy;
  /** Whether placeholders may be added. */
  placeholder: boolean;
  /** The most values of the body. */
  maxValues: number;
  /** The signatures of this caller; undefined without a memory. */
  memory: CallMemory | undefined;
  findings: Findings;
}

/**
 * Returns the body to send if it differs from the one that came, because something was repaired or restored.
 *
 * @throws GatewayError with the status 400 if the policy is `reject` and the body has an error, or if it nests too deep;
 *   with the status 413 if a repair would take too long; HttpError with the status 413 for too many values
 */
export async function preparedBody(
  request: GatewayRequest,
  { model, backend, policy, placeholder, maxValues, memory, findings }: Preparation,
): Promise<Uint8Array | undefined> {
  const repair = policy === 'repair';
  const known = repair ? await memory?.restore(request) : undefined;
  findings.restored = known?.restored ?? 0;
  findings.removed = known?.removed ?? 0;
  const options = {
    ...{ model, backend, now: new Date().toISOString(), edits: known?.edits ?? [] },
    ...{ repair, dummySignatures: placeholder, maxValues: repairValues },
  };
  const { ok, diagnostics, body } = prepared(request, options, maxValues);
  findings.add(diagnostics);
  refuseDepth(diagnostics);
  if (!ok && policy === 'reject') throw refusal(diagnostics);
  return body;
}

function prepared(request: GatewayRequest, options: PrepareOptions, maxValues: number): Prepared {
  try {
    return request.prepare(options);
  } catch (error) {
    const code = error instanceof StrataError ? error.code : undefined;
    if (code === 'size.too_many_values') throw tooManyValues(maxValues);
    if (code !== 'repair.too_much') throw error;
    const message =
      'The request has too many faults to repair them here. Send fewer Contents, or send x-strata-policy: observe.';
    throw new GatewayError(413, code, message);
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
