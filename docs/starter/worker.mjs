// A Worker with threads: conversations that go on after a crash. https://developers.cloudflare.com/workers/
import { handleThreads } from 'prompt-strata/worker';

export { CallerObject, ThreadObject } from 'prompt-strata/worker';

export default {
  fetch: (request, env, context) => handleThreads(request, env, context) ?? new Response('My page'),
};
