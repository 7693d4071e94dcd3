// Loads the core. A file of its own, which is imported when the core is first needed.
export { load } from '../../index.js';
