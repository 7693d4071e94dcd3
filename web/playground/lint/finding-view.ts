// Shows one finding: what, where, why, what Google answers, how that is known, and its repair.
import { button, count, element } from '../../ui/dom.js';
import type { LintFinding } from '../engine/lint-result.js';
import type { RuleSource } from '../engine/rule-text.js';
import { evidenceWords, fixWords, severityMark, withCode } from '../engine/words.js';

export interface FindingActions {
  /** Moves the cursor to the finding. */
  onPlace: (finding: LintFinding) => void;
  onRepair: (finding: LintFinding) => void;
  isReadOnly: () => boolean;
}

/** Names a finding in all analyses of a text that is being edited. */
export const keyOf = ({ code, path, request }: LintFinding) => `${request} ${code} ${path}`;

function sourceView({ text, url }: RuleSource): HTMLElement {
  if (url === undefined || !/^https:\/\//.test(url)) return element('span', {}, text);
  return element('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, text);
}

async function fillSources(list: HTMLElement, code: string): Promise<void> {
  try {
    const { ruleSources } = await import('#generated/rule-sources');
    const views = (ruleSources[code] ?? []).map(sourceView);
    list.append(...views.map((source) => element('li', {}, source)));
  } catch {
    list.append(element('li', {}, 'The sources failed to load.'));
  }
}

function evidenceView({ evidence, code }: LintFinding): HTMLElement[] {
  if (!evidence) return [];
  const sources = element('ul');
  void fillSources(sources, code);
  return [
    element('div', { className: 'evidence' }, element('p', {}, evidenceWords[evidence]), sources),
  ];
}

function googleView(google: readonly string[]): HTMLElement[] {
  if (google.length === 0) return [];
  const quotes = google.map((text) => element('blockquote', {}, text));
  const title = google.length > 1 ? 'Google answers one of these:' : 'Google answers:';
  return [element('div', { className: 'google' }, element('p', {}, title), ...quotes)];
}

function explanationOf(finding: LintFinding): HTMLElement[] {
  const why = finding.why === '' ? [] : [element('p', {}, ...withCode(finding.why))];
  const fix = finding.fix === undefined ? [] : [fixView(finding)];
  return [...why, ...googleView(finding.google), ...evidenceView(finding), ...fix];
}

function fixView({ fix = '', repair }: LintFinding): HTMLElement {
  const title = repair !== undefined ? 'Repair: ' : 'Needs your decision: ';
  return element('p', {}, title, ...fixWords(fix));
}

function summaryOf({ severity, code, message, places, more = 0 }: LintFinding): HTMLElement {
  const further = places.length + more;
  const others = further > 0 ? [` And ${count(further)} more.`] : [];
  const text = element('span', {}, element('code', {}, code), ' ', ...withCode(message), ...others);
  return element('summary', {}, ...severityMark(severity), text);
}

function actionsOf(finding: LintFinding, line: number, actions: FindingActions): HTMLElement {
  const where = finding.path === '' ? '' : `, ${finding.path.slice(1)}`;
  const place = button(`Line ${line}${where}`, () => actions.onPlace(finding));
  place.className = 'place-link';
  place.title = 'Move the cursor there';
  const row = element('div', { className: 'actions' }, place);
  if (finding.repair === undefined) return row;
  const fix = button('Repair', () => actions.onRepair(finding));
  fix.ariaLabel = `Repair ${finding.code} in line ${line}`;
  fix.disabled = actions.isReadOnly();
  row.append(fix);
  return row;
}

/** Creates the view of a finding. Its explanation is created when it is opened. */
export function findingView(
  finding: LintFinding,
  line: number,
  isOpen: boolean,
  actions: FindingActions,
): HTMLLIElement {
  const details = element('details', {}, summaryOf(finding));
  const fill = () => {
    if (details.open && details.children.length === 1) details.append(...explanationOf(finding));
  };
  details.open = isOpen;
  details.ontoggle = fill;
  fill();
  const item = element('li', { className: `finding ${finding.severity}` });
  item.dataset['key'] = keyOf(finding);
  item.append(details, actionsOf(finding, line, actions));
  return item;
}
