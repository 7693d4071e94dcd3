// Says which other method a command calls, whose body has another form than that of generateContent.

// generateContent of a tuned model or an endpoint, which names no model of the catalogue.
const checked = /:(?:generateContent|streamGenerateContent|countTokens)$/;

// Methods that other hosts serve under the same paths: gateways, proxies and other providers.
const elsewhere =
  /:\w+$|\/(?:chat\/completions|completions|responses|embeddings|messages|interactions|moderations|images\/\w+|audio\/\w+)$/;

const reasons: [RegExp, string][] = [
  [/\/interactions(?:\/|$)/, 'which is the Interactions API'],
  [/\/openai\/|\/(?:chat\/completions|completions|responses)$/, 'which is an OpenAI API'],
  [/^\/upload\//, 'which uploads a file'],
];

/**
 * Returns why the body of a request to this address is not checked; undefined if it may be one of generateContent.
 * An address with variables may be any.
 */
export function otherCall(url: string): string | undefined {
  const [, host = '', written = ''] =
    /^(?:https?:\/\/)?([\w.-]+(?::\d+)?)(\/[^?#]*)?/i.exec(url) ?? [];
  const path = written.replace(/\/+$/, '');
  if (/[${}<>%`]/.test(host + path) || checked.test(path)) return undefined;
  const isGoogle = /(?:^|[.-])(?:generativelanguage|aiplatform)\.googleapis\.com$/i.test(host);
  if (!(isGoogle ? /\/[^/]+\/[^/]+/ : elsewhere).test(path)) return undefined;
  const [, reason = 'which takes another body than generateContent'] =
    reasons.find(([form]) => form.test(path)) ?? [];
  return `The command calls ${path}, ${reason}, so it is not checked.`;
}
