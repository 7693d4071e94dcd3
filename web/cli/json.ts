// Why this file exists: findings for programs.
import type { Checked } from './check.js';

/** All findings as one JSON object. */
export function jsonReport(checked: Checked[]): string {
  const ok = checked.every((one) => one.ok);
  const findings = checked.flatMap((one) => one.findings.map(({ told }) => told));
  return JSON.stringify({ ok, requests: checked.length, findings }, null, 2) + '\n';
}
