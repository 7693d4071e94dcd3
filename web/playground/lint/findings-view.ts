// Lists the findings of one request by severity.
import { amount, button, element } from '../../ui/dom.js';
import { textPlaces } from '../../ui/editor/positions.js';
import type { Analysis, LintFinding } from '../engine/lint-result.js';
import { findingView, keyOf, type FindingActions } from './finding-view.js';
import { shownFindings } from '../engine/limits.js';
import { severities, severityWords } from '../engine/words.js';

/** The list of findings. */
export class FindingsView {
  readonly element = element('div', { className: 'findings-list' });
  readonly #actions: FindingActions;
  // Which explanations the user opened or closed.
  readonly #isOpen = new Map<string, boolean>();
  #limit = shownFindings;
  #show: () => void = () => {};

  constructor(actions: FindingActions) {
    this.#actions = actions;
  }

  /** Forgets which explanations are open, because the text is another one. */
  reset(): void {
    this.#isOpen.clear();
    this.#limit = shownFindings;
  }

  /** Shows the findings of a request. */
  show(analysis: Analysis, request: number): void {
    this.#show = () => this.#draw(analysis, request);
    this.#show();
  }

  /** Opens the first finding with this code, and shows it. Returns it, if there is one. */
  open(code: string, findings: readonly LintFinding[]): LintFinding | undefined {
    const found = findings.find((finding) => finding.code === code);
    if (!found) return undefined;
    this.#isOpen.set(keyOf(found), true);
    this.#show();
    this.#itemOf(found)?.scrollIntoView({ block: 'nearest' });
    return found;
  }

  #itemOf(finding: LintFinding): HTMLElement | undefined {
    const items = this.element.querySelectorAll<HTMLElement>('.finding');
    return [...items].find(({ dataset }) => dataset['key'] === keyOf(finding));
  }

  #remember(): void {
    for (const item of this.element.querySelectorAll<HTMLElement>('.finding')) {
      const isOpen = item.querySelector('details')?.open ?? false;
      this.#isOpen.set(item.dataset['key'] ?? '', isOpen);
    }
  }

  #draw(analysis: Analysis, request: number): void {
    this.#remember();
    const findings = analysis.findings.filter((finding) => finding.request === request);
    const places = textPlaces(
      analysis.text,
      findings.map(({ from }) => from),
    );
    const located = findings.map((finding, i) => ({ finding, line: places[i]?.line ?? 1 }));
    const groups = severities.map((severity) => ({
      severity,
      members: located.filter(({ finding }) => finding.severity === severity),
    }));
    const first = groups.flatMap(({ members }) => members)[0]?.finding;
    let left = this.#limit;
    const drawn = groups.flatMap(({ severity, members }) => {
      const shown = members.slice(0, left);
      left -= shown.length;
      if (shown.length === 0) return [];
      const items = shown.map(({ finding, line }) => {
        const isOpen = this.#isOpen.get(keyOf(finding)) ?? finding === first;
        return findingView(finding, line, isOpen, this.#actions);
      });
      const heading = `${severityWords[severity].many} (${members.length})`;
      return [element('h3', {}, heading), element('ul', {}, ...items)];
    });
    this.element.replaceChildren(...drawn, ...this.#more(findings, analysis));
  }

  #more(findings: readonly LintFinding[], { omittedFindings }: Analysis): HTMLElement[] {
    const hidden = findings.slice(this.#limit);
    const showMore = () => {
      this.#limit += shownFindings;
      this.#show();
    };
    const next = Math.min(hidden.length, shownFindings);
    const more =
      hidden.length > 0 ? [button(`Show ${amount(next, 'more finding')}`, showMore)] : [];
    if (omittedFindings === 0) return more;
    const note = `${amount(omittedFindings, 'further finding')} in this text not listed. Repair some of these first.`;
    return [...more, element('p', { className: 'note' }, note)];
  }
}
