// Lists the parts of `npm run verify`. A part is read only when it runs.

/**
 * A module of each part exports a Part as its default (run-part.mjs says what that is), or a function that returns one
 * for the options of the command line.
 */
export const parts = {
  browsers: {
    about: 'all tests of the package and the playground in Firefox and WebKit, and the site',
    read: async () => (await import('./browsers.mjs')).default,
  },
  clients: {
    about: 'unmodified clients of the Gemini API against the emulator as a server',
    read: async () => (await import('./clients.mjs')).default,
  },
  container: {
    about: 'the image of docs/container: the emulator and the gateway in it',
    read: async () => (await import('./container.mjs')).default,
  },
  edits: {
    about: 'the edits of lint, applied to thousands of broken requests, against repair',
    read: async () => (await import('./edits.mjs')).default,
  },
  faults: {
    about: 'thousands of random conversations with faults at every wait',
    read: async () => (await import('./faults.mjs')).default,
  },
  fuzz: {
    about:
      'fuzz targets with sanitizers: no finding is left; the hours so far, of one for each target',
    read: async () => (await import('./fuzz.mjs')).default,
  },
  gateway: {
    about: 'unmodified clients with tools and signatures, without and with the gateway',
    read: async () => (await import('./gateway.mjs')).default,
  },
  kills: {
    about: 'workerd killed 300 times during conversations with tools',
    read: async () => (await import('./kills.mjs')).default,
  },
  load: {
    about: '200 streams of conversations with one workerd for a minute',
    read: async () => (await import('./load.mjs')).default,
  },
  memory: {
    about: 'a million turns in threads and conversations, and whether memory stays steady',
    read: async () => (await import('./memory.mjs')).default,
  },
  mutants: {
    about: 'one change of the core at a time, and whether a native test notices it',
    read: async (options) => (await import('./mutants.mjs')).mutantsPart(options),
  },
  providers: {
    about: 'a program of the AI SDK with its own provider and with that of this package',
    read: async () => (await import('./providers.mjs')).default,
  },
  reproducible: {
    about: 'two clean builds in different folders give the same package, byte for byte',
    read: async () => (await import('./reproducible.mjs')).default,
  },
  toolchains: {
    about: 'the packed package in bundlers, runtimes and test runners, from empty folders',
    read: async () => (await import('./toolchains.mjs')).default,
  },
  'wasm-tests': {
    about: 'the native suites of the core, compiled to WebAssembly',
    read: async () => (await import('./wasm-tests.mjs')).default,
  },
};
