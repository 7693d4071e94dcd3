// Collects what was found, repaired and restored in one request.
import { countDiagnostics } from '../sdk/internal/messages.js';
import type { Diagnostic } from '../sdk/types/diagnostic.js';
import type { Outcome } from './headers.js';

const placeholderRule = 'signature.missing';

/** What was done to one request. */
export class Findings {
  /** What was found, repaired or not. */
  readonly diagnostics: Diagnostic[] = [];
  restored = 0;
  removed = 0;

  add(diagnostics: readonly Diagnostic[]): void {
    this.diagnostics.push(...diagnostics);
  }

  /** The findings that are still in the body that is sent. */
  get remaining(): Diagnostic[] {
    return this.diagnostics.filter(({ repaired }) => !repaired);
  }

  /** The findings that can be the reason of a refusal with this HTTP status. */
  reasonsOf(status: number): Diagnostic[] {
    if (status === 404) return this.remaining.filter(({ code }) => code.startsWith('model.'));
    return status === 400 ? this.remaining : [];
  }

  /** The codes of errors and warnings, of what was repaired, and of what a conversion changed or left out. */
  get codes(): string[] {
    const isShown = ({ severity, repaired, code }: Diagnostic) =>
      repaired || severity !== 'info' || code.startsWith('import.');
    return codesOf(this.diagnostics.filter(isShown));
  }

  get repaired(): string[] {
    return codesOf(this.diagnostics.filter(({ repaired }) => repaired));
  }

  /** The number of placeholders that were added. */
  get placeholder(): number {
    const added = ({ repaired, code }: Diagnostic) => repaired && code === placeholderRule;
    return countDiagnostics(this.diagnostics.filter(added));
  }

  /** Whether the body that is sent differs from the one that came. */
  get isChanged(): boolean {
    return this.restored + this.removed > 0 || this.repaired.length > 0;
  }

  outcome(requestId: string): Outcome {
    const { codes: findings, repaired, restored, placeholder } = this;
    return { requestId, findings, repaired, restored, placeholder };
  }
}

const codesOf = (diagnostics: readonly Diagnostic[]): string[] => [
  ...new Set(diagnostics.map(({ code }) => code)),
];
