// Why this file exists: package.json has the same version; scripts/generate.mjs writes it here and
// into src/json/version.h.
export const version = '0.1.0';
