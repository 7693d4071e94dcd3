// Records the requests that a handler gets and how it answers them.
import { answerIn, stepsOfStream } from './steps.mjs';

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

/** The steps of the answer in a response of the Interactions API; none for one that is still in progress. */
async function stepsIn(response) {
  const text = await response.text();
  const { steps = stepsOfStream(text) } = Object(parse(text));
  return answerIn(steps);
}

/**
 * Wraps a handler. `requests` lists the requests with a JSON body: `path`, `body`, `status`, `headers` of the answer,
 * and `message`, if it is an error. `readAnswers` returns the steps of each answer of the Interactions API.
 */
export function recordRequests(handler) {
  const requests = [];
  const answers = [];
  const record = async (request) => {
    const body = parse(await request.clone().text());
    const response = await handler(request);
    const { status, headers, ok } = response;
    const { pathname } = new URL(request.url);
    const message = ok ? undefined : await messageOf(response);
    if (body) requests.push({ path: pathname, body, status, headers, message });
    if (ok && pathname.includes('/interactions')) answers.push(stepsIn(response.clone()));
    return response;
  };
  const readAnswers = async () => (await Promise.all(answers)).filter(({ length }) => length > 0);
  return { handler: record, requests, readAnswers };
}
