// Serves batches of requests: batchGenerateContent, and get, list, cancel and delete of batches.
import type { Batch, Context } from './stores.js';
import { Failure, invalidArgument } from './errors.js';
import { generate } from './generate.js';
import { pageOf, objectField, objectsField, textField } from './wire.js';
import { checkModel } from './requests.js';
import type { Place, Route } from '../server/match-route.js';
import type { JsonObject } from './types.js';

const type = 'type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch';
const pageSizes = { default: 100, max: 100 };

/** The numbers of google.rpc.Code. */
const rpcCodes: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  INTERNAL: 13,
  UNAVAILABLE: 14,
};

/**
 * Serves one request about batches. A batch is `RUNNING` in the answer to the first question about it, and `SUCCEEDED`
 * from the second on.
 *
 * @throws Failure
 */
export async function batches(
  context: Context,
  route: Route & { kind: 'batches' },
  body: JsonObject,
): Promise<JsonObject> {
  const { batches: store } = context;
  switch (route.action) {
    case 'create':
      return toOperation(create(context, route, body));
    case 'list': {
      const { entries, next } = pageOf(store.list(), route.query, pageSizes);
      return { ...(entries.length > 0 && { operations: entries.map(toOperation) }), ...next };
    }
    case 'get':
      await advance(context, store.get(route.id), route.place);
      return toOperation(store.get(route.id));
    case 'cancel':
      cancel(context, store.get(route.id));
      return {};
    case 'delete':
      store.remove(route.id);
      return {};
  }
}

function create(
  context: Context,
  { model, place }: Route & { kind: 'batches' },
  body: JsonObject,
): Batch {
  checkModel(context, model, place, 'batchGenerateContent');
  const batch = objectField(body, 'batch') ?? {};
  const input = objectField(batch, 'inputConfig');
  if (textField(input, 'fileName') !== undefined)
    throw invalidArgument('The emulator serves batches with requests in their body only.');
  const requests = objectsField(objectField(input, 'requests'), 'requests');
  if (requests.length === 0)
    throw invalidArgument('* BatchGenerateContentRequest.batch.input_config: is not specified');
  const created = context.now();
  const displayName = textField(batch, 'displayName') ?? '';
  const times = { created, updated: created };
  return context.batches.add({
    ...{ model, displayName, requests, state: 'PENDING', responses: [] },
    ...times,
  });
}

async function advance(context: Context, batch: Batch, place: Place): Promise<void> {
  if (batch.state !== 'PENDING' && batch.state !== 'RUNNING') return;
  if (batch.state === 'RUNNING') {
    const answers = batch.requests.map((entry, i) => answerOf(context, batch, place, entry, i));
    batch.responses = await Promise.all(answers);
  }
  batch.state = batch.state === 'PENDING' ? 'RUNNING' : 'SUCCEEDED';
  batch.updated = context.now();
}

async function answerOf(
  context: Context,
  { model }: Batch,
  place: Place,
  entry: JsonObject,
  position: number,
): Promise<JsonObject> {
  const metadata = objectField(entry, 'metadata');
  const { model: _, ...body } = objectField(entry, 'request') ?? {};
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const route = { kind: 'generate', place, model, stream: false, sse: false } as const;
  const call = { route, bytes, body, index: position + 1, fault: undefined };
  try {
    const [text = '{}'] = await generate(context, call);
    return { response: JSON.parse(text) as JsonObject, ...(metadata && { metadata }) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { status, message } = error;
    return { error: { code: rpcCodes[status] ?? 2, message }, ...(metadata && { metadata }) };
  }
}

function cancel(context: Context, batch: Batch): void {
  if (batch.state === 'SUCCEEDED') return;
  batch.state = 'CANCELLED';
  batch.updated = context.now();
}

/** Returns a batch as the API does: as a long-running operation. Numbers of 64 bits are strings. */
function toOperation(batch: Batch): JsonObject {
  const { id, model, displayName, state, created, updated, responses } = batch;
  const name = `batches/${id}`;
  const isDone = state === 'SUCCEEDED' || state === 'CANCELLED';
  const output = { inlinedResponses: { inlinedResponses: responses } };
  const metadata = {
    '@type': type,
    ...{ model: `models/${model}`, displayName },
    ...(state === 'SUCCEEDED' && { output }),
    createTime: new Date(created).toISOString(),
    ...(isDone && { endTime: new Date(updated).toISOString() }),
    updateTime: new Date(updated).toISOString(),
    batchStats: statsOf(batch),
    state: `BATCH_STATE_${state}`,
    name,
  };
  return {
    name,
    metadata,
    ...(isDone && { done: true }),
    ...(state === 'SUCCEEDED' && { response: { '@type': `${type}Output`, ...output } }),
    ...(state === 'CANCELLED' && { error: { code: 1, message: 'The operation was cancelled.' } }),
  };
}

function statsOf({ requests, responses, state }: Batch): JsonObject {
  const failed = responses.filter((response) => 'error' in response).length;
  const succeeded = responses.length - failed;
  return {
    requestCount: String(requests.length),
    ...(succeeded > 0 && { successfulRequestCount: String(succeeded) }),
    ...(failed > 0 && { failedRequestCount: String(failed) }),
    ...((state === 'PENDING' || state === 'RUNNING') && {
      pendingRequestCount: String(requests.length),
    }),
  };
}
