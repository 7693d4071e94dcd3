// Why this file exists: an option that is undefined was not given. A spread would put it in the default's
// place, and a loop that counts to undefined has no end.

/** What options say, and the defaults for what they leave out or undefined. */
export function withDefaults<Options extends object>(
  defaults: Required<Options>,
  options: Options,
): Required<Options> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}
