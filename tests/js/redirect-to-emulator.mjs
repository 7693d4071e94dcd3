// Sends every request of a program to the server that EMULATOR_URL names. Programs preload it (node --import), so that
// examples can be written as users write them.
const { fetch } = globalThis;

globalThis.fetch = (input, init) => {
  const request = new Request(input, init);
  const { pathname, search } = new URL(request.url);
  return fetch(new Request(new URL(pathname + search, process.env.EMULATOR_URL), request));
};
