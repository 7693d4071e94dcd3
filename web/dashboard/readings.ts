// Asks the gateway for its counts, its last requests, and the texts of rules.
import type { LoggedRequest } from '../gateway/log.js';
import { summaryOf, type Summary } from './summary.js';

/** What the page shows. */
export interface Counts {
  summary: Summary;
  recent: readonly LoggedRequest[];
  at: Date;
}

/** What came of asking for the counts. `refused`: the gateway answered, but not with counts. */
export type Reading =
  | { outcome: 'counts'; counts: Counts }
  | { outcome: 'wrongKey' }
  | { outcome: 'refused'; status: number }
  | { outcome: 'offline' };

// A key with other characters cannot be sent as a header, so no gateway has it.
const keyForm = /^[\x21-\x7e]+$/;

/** Reads `/metrics` beside this page. The key travels as a header, never in the URL. */
export async function readCounts(key: string, signal: AbortSignal): Promise<Reading> {
  if (!keyForm.test(key)) return { outcome: 'wrongKey' };
  const ask = (accept: string) =>
    fetch('./metrics', {
      headers: { authorization: `Bearer ${key}`, accept },
      ...{ cache: 'no-store', credentials: 'omit', redirect: 'error', signal },
    });
  try {
    const [text, list] = await Promise.all([ask('text/plain'), ask('application/json')]);
    if (text.status === 401) return { outcome: 'wrongKey' };
    if (!text.ok || !list.ok)
      return { outcome: 'refused', status: text.ok ? list.status : text.status };
    const [summary, { requests: recent }] = [summaryOf(await text.text()), await list.json()];
    return { outcome: 'counts', counts: { summary, recent, at: new Date() } };
  } catch {
    return { outcome: 'offline' };
  }
}

let rules: Promise<Record<string, string[]>> | undefined;

/** Returns what is said about a rule. */
export async function ruleTexts(code: string): Promise<string[]> {
  rules ??= fetch('./dashboard/rules.json').then((response) => response.json());
  rules.catch(() => (rules = undefined));
  return (await rules)[code] ?? ['This version knows nothing about this rule.'];
}

const storedAs = 'prompt-strata admin key';

/** Returns the key that is kept for this tab. A page in a sandbox has no storage. */
export function storedKey(): string {
  try {
    return sessionStorage.getItem(storedAs) ?? '';
  } catch {
    return '';
  }
}

/** Keeps a key for this tab; '' removes it. */
export function storeKey(key: string): void {
  try {
    if (key === '') sessionStorage.removeItem(storedAs);
    else sessionStorage.setItem(storedAs, key);
  } catch {
    // The key is in memory.
  }
}
