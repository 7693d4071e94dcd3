// Formats findings as JSON.
import type { Checked } from './check.js';

/** Returns all findings as one JSON object. */
export function jsonReport(checked: Checked[]): string {
  const ok = checked.every((one) => one.ok);
  const findings = checked.flatMap((one) => one.findings.map(({ diagnostic }) => diagnostic));
  return JSON.stringify({ ok, requests: checked.length, findings }, null, 2) + '\n';
}
