// Records the requests that a handler gets and how it answers them.

const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The text of an error, which Google wraps in an array where a JSON array would be streamed. */
async function messageOf(response) {
  const text = await response.clone().text();
  const value = [parse(text)].flat()[0];
  return value?.error?.message ?? text.slice(0, 200);
}

/**
 * Wraps a handler. `requests` lists the requests with a JSON body: `path`, `body`, `status`, `headers` of the answer,
 * and `message`, if it is an error.
 */
export function recordRequests(handler) {
  const requests = [];
  const record = async (request) => {
    const body = parse(await request.clone().text());
    const response = await handler(request);
    const { status, headers, ok } = response;
    const { pathname } = new URL(request.url);
    const message = ok ? undefined : await messageOf(response);
    if (body) requests.push({ path: pathname, body, status, headers, message });
    return response;
  };
  return { handler: record, requests };
}
