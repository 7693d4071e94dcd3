// Runs `prompt-strata probe`: asks, sends the requests, reports, and writes the record.
import process from 'node:process';
import { createEmulator, load, type Strata } from '../../index.js';
import { messageOf } from '../../sdk/internal/messages.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import { UsageError, type ProbeTask } from '../arguments.js';
import { colorsFor } from '../colors.js';
import { variable } from '../environment.js';
import { writeOutput } from '../input.js';
import { withoutSecrets } from '../../requests/remove-secrets.js';
import { planProbe, type Plan } from './plan.js';
import { pricesOf } from './prices.js';
import { recordOf } from './record.js';
import { announcement, ruleLine, summary, widthsOf } from './report.js';
import { ProbeSender, ProbeStopped, serviceOf, type SenderOptions } from './send.js';
import { ruleVerdict } from './verdict.js';

const print = (text: string) => process.stdout.write(withoutSecrets(text));

function senderOptions(task: ProbeTask, strata: Strata): Omit<SenderOptions, 'onWait'> {
  const { backend } = task;
  const baseUrl = task.baseUrl ?? serviceOf(backend);
  if (task.emulator) {
    const fetch = createEmulator({ strata, backend, now: () => task.now });
    return { backend, baseUrl, fetch };
  }
  return {
    backend,
    baseUrl,
    ...(task.keyEnv === undefined ? {} : { apiKey: variable(task.keyEnv, '--key-env') }),
  };
}

function senderOf(task: ProbeTask, strata: Strata): ProbeSender {
  const onWait = (reason: string, delayMs: number) => {
    process.stderr.write(withoutSecrets(`${reason}, next attempt in ${Math.ceil(delayMs)} ms\n`));
  };
  const options = senderOptions(task, strata);
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
      request.outcome ??= await sender.send(request);
    }
    print(ruleLine(rule, index + 1, plan.rules.length, widths, colors));
  }
}

function statusOf({ rules }: Plan): number {
  const verdicts = rules.map(ruleVerdict);
  if (verdicts.includes('differs')) return 1;
  return verdicts.includes('undecided') ? 2 : 0;
}

/**
 * Probes the API and returns the exit status.
 *
 * @throws UsageError for invalid arguments, or if the API refuses the key or cannot be reached
 */
export async function probe(task: ProbeTask): Promise<number> {
  const strata = await load();
  const { backend, models, rules, now } = task;
  const plan = planProbe(strata, { models, rules, service: { backend, now } });
  const sender = senderOf(task, strata);
  const at = new Date().toISOString();
  const priceOf = pricesOf(strata, { backend, now });
  const service = task.emulator
    ? 'the emulator'
    : new URL(task.baseUrl ?? serviceOf(backend)).origin;
  const count = plan.requests.length;
  if (count > 0) {
    print(announcement(plan, service, priceOf));
    if (!task.yes && !(await confirm(`Send ${count} requests? (y/N) `))) {
      print('Nothing was sent.\n');
      return 0;
    }
  }
  let stopped: ProbeStopped | undefined;
  try {
    await sendAll(plan, sender);
  } catch (error) {
    if (!(error instanceof ProbeStopped)) throw error;
    stopped = error;
  }
  print(summary(plan, priceOf, colorsFor(process.stdout)));
  if (task.output !== undefined)
    writeOutput(task.output, recordOf(plan, { at, now, backend, service, priceOf }));
  if (stopped) throw new UsageError(`The probe stopped: ${stopped.message}`);
  return statusOf(plan);
}
