// Shows findings about a request or a history, as the other views do.
import type { Diagnostic } from '../../index.js';
import { Finding } from '../../ui/finding.js';
import { inline } from '../../ui/format.js';
import { valueAt } from '../engine/layers.js';

const maxExcerpt = 400;

export const isProblem = ({ severity }: Diagnostic): boolean => severity !== 'info';

/** Returns the findings that are not in `known`. */
export function newFindings(
  findings: readonly Diagnostic[],
  known: readonly Diagnostic[],
): Diagnostic[] {
  const key = ({ code, path }: Diagnostic) => `${code} ${path}`;
  const keys = new Set(known.map(key));
  return findings.filter((finding) => !keys.has(key(finding)));
}

// Returns the value at the path; undefined for the whole body and for long values.
function excerptOf(json: string, path: string): string | undefined {
  const value = path === '' ? undefined : valueAt(json, path);
  const text = value === undefined ? undefined : inline(value);
  return text !== undefined && text.length <= maxExcerpt ? `${path}\n${text}` : path || undefined;
}

interface FindingListProps {
  findings: readonly Diagnostic[];
  /** The body that the paths of the findings lead into. */
  json?: string;
}

export function FindingList({ findings, json = '' }: FindingListProps) {
  return (
    <ul class="stack findings">
      {findings.map(({ code, severity, path, message, upstream }) => (
        <Finding
          {...{ code, severity, message }}
          {...(upstream ? { google: [upstream] } : {})}
          {...(json === '' ? {} : { excerpt: excerptOf(json, path) ?? '' })}
        />
      ))}
    </ul>
  );
}
