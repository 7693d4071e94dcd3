// Creates the keys by which the Worker recognizes a request that is sent again.
import { base64Url } from '../sdk/internal/bytes.js';

/** Returns a new key. A request with it counts once, however often it is sent. */
export const newKey = (): string => base64Url(crypto.getRandomValues(new Uint8Array(16)));
