// Says what the refusal of a Standard key means.

const url = 'https://aistudio.google.com/apikey';

/** What a person whose Standard key is refused should know. */
export const standardKeyHint =
  'This is a Standard key (AIza…), which Google stopped in September 2026. Create a new key at ' +
  `${url} and use it instead.`;

/** The same as a detail of Google's error. */
export const keyHelp = {
  '@type': 'type.googleapis.com/google.rpc.Help',
  links: [{ description: standardKeyHint, url }],
};

// The texts since June 2026: Kilo-Org/kilocode#11763 and #12162, NousResearch/hermes-agent#68285 and #114315.
const refusals =
  /Expected OAuth ?2 access token|ACCESS_TOKEN_TYPE_UNSUPPORTED|API_KEY_INVALID|API key (?:not (?:valid|found)|expired)/i;

/** Returns whether an error of the Gemini API refuses the key, by its HTTP status and its message with all details. */
export const isKeyRefusal = (status: number, text: string): boolean =>
  [400, 401, 403].includes(status) && refusals.test(text);
