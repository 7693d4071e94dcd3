// Loads what judges and repairs requests. A file of its own, which is imported when that is first needed.
export { loadChecker } from '../../check/index.js';
