// Options of a gateway whose values may be undefined, such as a variable of the environment, mean unset.
import { createGateway } from 'prompt-strata/gateway';

export const gatewayOf = (given: string | undefined, count: number | undefined) =>
  createGateway({
    apiKey: given,
    secret: given,
    adminKey: given,
    callers: undefined,
    timeoutMs: count,
  });
