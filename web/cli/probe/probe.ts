// Sends the requests of a probe and reads what the API did with each.
import { loadChecker, type Checker } from '../../check/index.js';
import { GeminiClient, GeminiError, type Backend } from '../../index.js';
import { createEmulator } from '../../emulator/index.js';
import { messageOf } from '../../sdk/internal/messages.js';
import {
  usageAt,
  ruleVerdict,
  type Outcome,
  type UsageOf,
  type ProbeRequest,
  type Verdict,
} from './verdict.js';
import process from 'node:process';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import { UsageError } from '../arguments.js';
import type { ProbeTask } from '../commands.js';
import { colorsFor, variable, writeOutput } from '../terminal.js';
import { withoutSecrets } from '../../requests/remove-secrets.js';
import { planProbe, type Plan } from './plan.js';
import {
  announcement,
  recordOf,
  ruleLine,
  summary,
  widthsOf,
  wireAnnouncement,
  wireLine,
  wireRecordOf,
  wireSummary,
  wireVerdict,
  type ProbeRun,
} from './report.js';
import { WirePlan, type WireProbe } from './wires.js';

/** The API cannot be probed with this key, or not be reached. */
class ProbeStopped extends Error {}

const emulatorHeader = 'x-prompt-strata-emulator';

/** Where Vertex AI serves its models with an API key. */
const endpoints = {
  gemini: { baseUrl: 'https://generativelanguage.googleapis.com', apiVersion: 'v1beta' },
  vertex: { baseUrl: 'https://aiplatform.googleapis.com', apiVersion: 'v1' },
};

/** Returns the base URL of a service. */
const serviceOf = (backend: Backend) => endpoints[backend].baseUrl;

/** What `ProbeSender` needs. */
interface SenderOptions {
  backend: Backend;
  apiKey?: string;
  baseUrl: string;
  fetch?: typeof fetch;
  /** Called before a request is sent again, with the reason. */
  onWait: (reason: string, delayMs: number) => void;
}

const nameOnVertex = (model: string) =>
  model.includes('/') ? model : `publishers/google/models/${model}`;

// The API answers 400 to an invalid key too.
function isInvalidKey({ message, details }: GeminiError): boolean {
  const isNamed = details.some((detail) => Object(detail).reason === 'API_KEY_INVALID');
  return isNamed || /^API key (not valid|expired)/i.test(message);
}

function outcomeOf(error: GeminiError): Outcome {
  const { status, message, code } = error;
  if ([401, 403].includes(status) || code === 'network' || isInvalidKey(error)) {
    throw new ProbeStopped(message);
  }
  return { taken: status === 400 ? 'refused' : 'undecided', status, message };
}

/** Sends requests one after the other. Errors 429 and 5xx are retried as `GeminiClient` does. */
class ProbeSender {
  readonly #client: GeminiClient;
  readonly #options: SenderOptions;
  /** Whether the last response is of an emulator. */
  #isEmulated = false;

  /** @throws StrataError `key.invalid` */
  constructor(options: SenderOptions) {
    const { backend, apiKey, baseUrl, fetch = globalThis.fetch } = options;
    const { apiVersion } = endpoints[backend];
    const seeing: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      this.#isEmulated = response.headers.has(emulatorHeader);
      return response;
    };
    this.#client = new GeminiClient({ apiKey, baseUrl, apiVersion, fetch: seeing });
    this.#options = options;
  }

  /**
   * Notes what the API does with a request, and returns its answer, if any.
   *
   * @throws ProbeStopped if it refuses the key or cannot be reached
   */
  async send(request: ProbeRequest): Promise<unknown> {
    try {
      const answer = await this.#attempt(request).catch((error: unknown) => {
        // A connection that was closed while idle. Sending a probe twice does no harm.
        if (Object(error).code === 'network') return this.#attempt(request);
        throw error;
      });
      const emulated = this.#isEmulated;
      request.outcome = { taken: 'accepted', answer: Object(answer) as object, emulated };
      return answer;
    } catch (error) {
      if (error instanceof GeminiError) return void (request.outcome = outcomeOf(error));
      throw new ProbeStopped(this.#client.redact(messageOf(error)));
    }
  }

  async #attempt({ model, body, wire }: ProbeRequest): Promise<unknown> {
    const { backend, onWait } = this.#options;
    const name = backend === 'vertex' ? nameOnVertex(model) : model;
    const onRetry = ({ code }: GeminiError, delayMs: number) => onWait(code, delayMs);
    if (wire === 'interactions') return this.#client.interactions.create(body, { onRetry });
    return (await this.#client.generate(name, body, { onRetry })).json();
  }
}

const print = (text: string) => process.stdout.write(withoutSecrets(text));

function senderOptions(task: ProbeTask, checker: Checker): Omit<SenderOptions, 'onWait'> {
  const { backend } = task;
  const baseUrl = task.baseUrl ?? serviceOf(backend);
  if (task.emulator) {
    const fetch = createEmulator({ checker, backend, now: () => task.now });
    return { backend, baseUrl, fetch };
  }
  return {
    backend,
    baseUrl,
    ...(task.keyEnv === undefined ? {} : { apiKey: variable(task.keyEnv, '--key-env') }),
  };
}

function senderOf(task: ProbeTask, checker: Checker): ProbeSender {
  const onWait = (reason: string, delayMs: number) => {
    process.stderr.write(withoutSecrets(`${reason}, next attempt in ${Math.ceil(delayMs)} ms\n`));
  };
  const options = senderOptions(task, checker);
  try {
    return new ProbeSender({ ...options, onWait });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new UsageError('probe asks before it sends requests. Pass --yes if nobody can answer.');
  }
  process.stderr.write(question);
  for await (const chunk of process.stdin) return /^\s*y(es)?\s*$/i.test(decodeUtf8(chunk));
  return false;
}

/** Sends the requests and prints a line for each rule as soon as both of its requests are answered. */
async function sendAll(plan: Plan, sender: ProbeSender): Promise<void> {
  const widths = widthsOf(plan);
  const colors = colorsFor(process.stdout);
  for (const [index, rule] of plan.rules.entries()) {
    for (const request of [rule.failing, rule.fixed]) {
      if (!request.outcome) await sender.send(request);
    }
    print(ruleLine(rule, index + 1, plan.rules.length, widths, colors));
  }
}

function statusOf(verdicts: readonly Verdict[]): number {
  if (verdicts.includes('differs')) return 1;
  return verdicts.includes('undecided') ? 2 : 0;
}

/** What is sent, and how it is reported. */
interface Probing {
  /** At most how many requests are sent. */
  count: number;
  announcement: (service: string, usageOf: UsageOf) => string;
  send: (sender: ProbeSender) => Promise<void>;
  summary: (usageOf: UsageOf) => string;
  record: (run: ProbeRun) => string;
  verdicts: () => Verdict[];
}

function probingRules({ backend, models, rules, now }: ProbeTask, checker: Checker): Probing {
  const plan = planProbe(checker, { models, rules, service: { backend, now } });
  return {
    count: plan.requests.length,
    announcement: (service, usageOf) => announcement(plan, service, usageOf),
    send: (sender) => sendAll(plan, sender),
    summary: (usageOf) => summary(plan, usageOf, colorsFor(process.stdout)),
    record: (run) => recordOf(plan, run),
    verdicts: () => plan.rules.map(ruleVerdict),
  };
}

function probingWire({ backend, models, now }: ProbeTask, checker: Checker): Probing {
  const plan = new WirePlan(checker, models, { backend, now });
  const colors = colorsFor(process.stdout);
  return {
    count: plan.count,
    announcement: (service, usageOf) => wireAnnouncement(plan, service, usageOf),
    async send(sender) {
      for (const model of plan.models) {
        const onAsked = (probe: WireProbe) => print(wireLine(plan, probe, colors));
        await plan.ask(model, (request) => sender.send(request), onAsked);
      }
    },
    summary: (usageOf) => wireSummary(plan, usageOf, colors),
    record: (run) => wireRecordOf(plan, run),
    verdicts: () => plan.probes.map(wireVerdict),
  };
}

/**
 * Probes the API and returns the exit status.
 *
 * @throws UsageError for invalid arguments, or if the API refuses the key or cannot be reached
 */
export async function probe(task: ProbeTask): Promise<number> {
  const checker = await loadChecker();
  const { backend, now } = task;
  const probing = (task.wire === 'interactions' ? probingWire : probingRules)(task, checker);
  const sender = senderOf(task, checker);
  const at = new Date().toISOString();
  const usageOf = usageAt({ backend, now });
  const service = task.emulator
    ? 'the emulator'
    : new URL(task.baseUrl ?? serviceOf(backend)).origin;
  const { count } = probing;
  if (count > 0) {
    print(probing.announcement(service, usageOf));
    if (!task.yes && !(await confirm(`Send ${count} requests? (y/N) `))) {
      print('Nothing was sent.\n');
      return 0;
    }
  }
  let stopped: ProbeStopped | undefined;
  try {
    await probing.send(sender);
  } catch (error) {
    if (!(error instanceof ProbeStopped)) throw error;
    stopped = error;
  }
  print(probing.summary(usageOf));
  if (task.output !== undefined)
    writeOutput(task.output, probing.record({ at, now, backend, service, usageOf }));
  if (stopped) throw new UsageError(`The probe stopped: ${stopped.message}`);
  return statusOf(probing.verdicts());
}
