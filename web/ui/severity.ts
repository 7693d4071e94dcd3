// The severities of findings, in words and signs.

/** How bad a finding is. */
export type Severity = 'error' | 'warning' | 'info';

/** The word for one finding of each severity, and the sign before it. */
export const severityWords: Record<Severity, { one: string; many: string; sign: string }> = {
  error: { one: 'error', many: 'Errors', sign: '✖' },
  warning: { one: 'warning', many: 'Warnings', sign: '▲' },
  info: { one: 'note', many: 'Notes', sign: '●' },
};
