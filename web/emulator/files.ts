// Takes uploads, and answers the methods of the Files API.
import { toFileResource, type Context, type NewFile, type Upload } from './stores.js';
import { pageOf, objectField, parseObject, textField } from './wire.js';
import type { Route } from '../server/match-route.js';
import type { JsonObject, Fault } from './types.js';
import { joinBytes } from '../sdk/internal/bytes.js';
import { invalidArgument } from './errors.js';
import { replyUpload } from './http-response.js';

/**
 * Serves one request of the Files API. A file that is processed is in its final state from the second question on.
 *
 * @throws Failure
 */
export function files(
  { files: store, now }: Context,
  route: Route & { kind: 'files' },
  origin: string,
): JsonObject {
  const time = now();
  if (route.action === 'delete') {
    store.remove(route.id, time);
    return {};
  }
  if (route.action === 'list') {
    const { entries, next } = pageOf(store.list(time), route.query, { default: 10, max: 100 });
    const resources = entries.map((file) => toFileResource(file, origin));
    return { ...(resources.length > 0 && { files: resources }), ...next };
  }
  const file = store.get(route.id, time);
  const resource = toFileResource(file, origin);
  if (file.state === 'PROCESSING') file.state = file.next;
  return resource;
}

/** All chunks but the last have a multiple of this length. */
const granularity = 256 * 1024;

/** One request of an upload. */
interface UploadRequest {
  route: Route & { kind: 'upload' };
  request: Request;
  url: URL;
  bytes: Uint8Array;
  fault: Fault | undefined;
}

/**
 * Serves one request of an upload: `start`, `upload`, `query`, `cancel`, and `finalize`.
 *
 * @throws Failure; what `fetch` throws for the fault `cut-upload`
 */
export async function uploads(context: Context, call: UploadRequest): Promise<Response> {
  const command = call.request.headers.get('x-goog-upload-command') ?? '';
  const { uploadId } = call.route;
  if (uploadId === null) {
    if (command === 'start') return start(context, call);
    throw invalidArgument('The upload command must be start where no upload_id is given.');
  }
  const upload = context.files.upload(uploadId);
  if (command === 'query') return state(upload, call.url.origin);
  if (command === 'cancel' && !upload.stored) {
    context.files.cancel(uploadId);
    return replyUpload(undefined, { 'x-goog-upload-status': 'cancelled' });
  }
  if (!/^upload(?:, ?finalize)?$|^finalize$/.test(command))
    throw invalidArgument(`Invalid X-Goog-Upload-Command: ${command}`);
  if (command !== 'finalize') receive(upload, call, command !== 'upload');
  if (command === 'upload') return state(upload, call.url.origin);
  await finish(context, upload, call.fault);
  return state(upload, call.url.origin);
}

function start({ files }: Context, { request, url, bytes, route }: UploadRequest): Response {
  const length = Number(request.headers.get('x-goog-upload-header-content-length') ?? NaN);
  if (request.headers.get('x-goog-upload-protocol') !== 'resumable' || !Number.isInteger(length))
    throw invalidArgument('The emulator serves resumable uploads of a known length only.');
  const mimeType = request.headers.get('x-goog-upload-header-content-type') ?? '';
  const id = files.open(newFile(bytes, mimeType), length);
  const path = `/upload/${route.place.version}/files?upload_id=${id}&upload_protocol=resumable`;
  return replyUpload(undefined, {
    'x-goog-upload-status': 'active',
    'x-goog-upload-url': url.origin + path,
    'x-goog-upload-chunk-granularity': String(granularity),
  });
}

function newFile(bytes: Uint8Array, mimeType: string): NewFile {
  const body = bytes.length === 0 ? {} : parseObject(bytes);
  if (!body) throw invalidArgument('Invalid JSON payload received.');
  const file = objectField(body, 'file') ?? {};
  const [name, displayName] = [textField(file, 'name'), textField(file, 'displayName')];
  const id = name === undefined ? undefined : /^files\/(.*)$/s.exec(name)?.[1];
  if (name !== undefined && !/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(id ?? '')) {
    throw invalidArgument(
      '* CreateFileRequest.file.name: File name may only contain lowercase alphanumeric characters or dashes (-) and cannot begin or end with a dash.',
    );
  }
  if ([...(displayName ?? '')].length > 512)
    throw invalidArgument('* CreateFileRequest.file.display_name: display_name is too long.');
  if (!/^[\w.+-]+\/[\w.+-]+/.test(mimeType))
    throw invalidArgument('Unsupported MIME type: ' + mimeType);
  return { id, displayName, mimeType };
}

/**
 * Takes the bytes of one chunk. With the fault `cut-upload`, about half of it arrives and the
 * connection breaks.
 */
function receive(upload: Upload, { request, bytes, fault }: UploadRequest, isLast: boolean): void {
  const offset = Number(request.headers.get('x-goog-upload-offset') ?? NaN);
  if (upload.stored) throw invalidArgument('Upload has already been terminated.');
  if (offset !== upload.received)
    throw invalidArgument(
      `The upload offset ${offset} is not the ${upload.received} bytes received.`,
    );
  if (!isLast && bytes.length % granularity !== 0)
    throw invalidArgument(`The length of a chunk must be a multiple of ${granularity}.`);
  const isCut = fault?.kind === 'cut-upload';
  const half = granularity * Math.floor(bytes.length / 2 / granularity);
  const taken = isCut ? bytes.subarray(0, half) : bytes;
  if (offset + bytes.length > upload.sizeBytes)
    throw invalidArgument('The upload has more bytes than were announced.');
  upload.pieces.push(taken);
  upload.received += taken.length;
  if (isCut) throw new TypeError('fetch failed');
}

async function finish(context: Context, upload: Upload, fault: Fault | undefined): Promise<void> {
  if (upload.received !== upload.sizeBytes)
    throw invalidArgument('The upload has fewer bytes than were announced.');
  const { file } = upload;
  const next = fault?.kind === 'processing-failed' ? 'FAILED' : 'ACTIVE';
  // Videos are processed, other files are active at once.
  const isProcessed = file.mimeType.startsWith('video/') || next === 'FAILED';
  const sha256 = await hashOf(joinBytes(upload.pieces));
  const state = isProcessed ? 'PROCESSING' : next;
  const { received: sizeBytes } = upload;
  upload.stored = context.files.add({
    ...file,
    ...{ sizeBytes, sha256, created: context.now(), state, next },
  });
  upload.pieces = [];
}

// A page without a secure context has no SubtleCrypto; the field is left out there.
async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  const hash = await subtle?.digest('SHA-256', bytes);
  return hash && btoa(String.fromCharCode(...new Uint8Array(hash)));
}

function state({ stored, received }: Upload, origin: string): Response {
  const headers = { 'x-goog-upload-size-received': String(received) };
  return stored
    ? replyUpload(
        { file: toFileResource(stored, origin) },
        { ...headers, 'x-goog-upload-status': 'final' },
      )
    : replyUpload(undefined, { ...headers, 'x-goog-upload-status': 'active' });
}
