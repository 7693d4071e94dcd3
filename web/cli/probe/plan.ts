// Plans a probe: which requests it sends, and what the rules predict for each.
import type { Checker, ServiceOptions, Wire } from '../../check/index.js';
import { UsageError } from '../arguments.js';
import { notProbed, probes } from '#generated/probes';
import type { Prediction, ProbeBody, ProbeRequest, RuleProbe } from './verdict.js';

/** The requests of a probe. */
export interface Plan {
  rules: RuleProbe[];
  /** Each request once, in the order of the rules. */
  requests: ProbeRequest[];
  /** The rules that are not probed, and why. */
  notProbed: [code: string, reason: string][];
}

/** What to probe. Empty lists mean all rules, each for the model of its example. */
interface PlanOptions {
  models: string[];
  rules: string[];
  /** Whose rules predict, and when. */
  service: ServiceOptions;
}

function bytesOf(body: ProbeBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  return Uint8Array.from(atob(body.base64), (character) => character.charCodeAt(0));
}

/** Returns what the rules expect of a request. */
export function predict(
  checker: Checker,
  body: Uint8Array,
  model: string,
  service: ServiceOptions,
  wire: Wire = 'generateContent',
): Prediction {
  const { diagnostics } = checker.lint(body, { model, ...service, wire });
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (!error) return { taken: 'accepted' };
  const { code, upstream } = error;
  return { taken: 'refused', code, ...(upstream === undefined ? {} : { upstream }) };
}

function checkRules(rules: string[]): void {
  const known = (code: string) => code in notProbed || probes.some((probe) => probe.code === code);
  const unknown = rules.find((code) => !known(code));
  if (unknown !== undefined) {
    throw new UsageError(`--rule ${unknown} is not a rule. docs/diagnostics.md lists all codes.`);
  }
}

/**
 * Returns what a probe sends.
 *
 * @throws UsageError for a rule that does not exist
 */
export function planProbe(checker: Checker, { models, rules, service }: PlanOptions): Plan {
  checkRules(rules);
  const isWanted = (code: string) => rules.length === 0 || rules.includes(code);
  const requests = new Map<string, ProbeRequest>();
  const request = (model: string, source: ProbeBody): ProbeRequest => {
    const key = JSON.stringify([model, source]);
    const body = bytesOf(source);
    const known = requests.get(key);
    const made = known ?? {
      model,
      source,
      body,
      predicted: predict(checker, body, model, service),
    };
    requests.set(key, made);
    return made;
  };
  const planned = probes
    .filter(({ code }) => isWanted(code))
    .flatMap(({ code, model, failing, fixed }) =>
      (models.length === 0 ? [model] : models).map((name) => ({
        code,
        model: name,
        failing: request(name, failing),
        fixed: request(name, fixed),
      })),
    );
  return {
    rules: planned,
    requests: [...requests.values()],
    notProbed: Object.entries(notProbed).filter(([code]) => isWanted(code)),
  };
}
