// Exports what the client loads when a method needs it: files, caches, models, interactions, token counts, and any other request.
export { CacheCalls, countTokensBody } from './caches.js';
export { FileCalls } from './files.js';
export { InteractionCalls } from './interactions.js';
export { modelHint, ModelCalls } from './models.js';
export { requestOf } from './requests.js';
