// Opens a rule: its failing example for the view Lint, and the texts above it.
import { element, folded } from '../../../ui/dom.js';
import { emptyDocument, type PlaygroundDocument } from '../../state/playground-document.js';
import { withCode } from '../../engine/words.js';
import { rules } from '#generated/rule-pages';
import type { Rule, RuleExample } from './rule.js';

/** A rule that the catalogue does not have. */
export class UnknownRuleError extends Error {
  override name = 'UnknownRuleError';

  constructor(code: string) {
    super(`There is no rule ${code}. The link may be of another version, or cut off.`);
  }
}

/** What the page of a rule shows. */
export interface RulePage {
  /** The failing example as a session of its own; without text if Lint cannot show the finding. */
  document: PlaygroundDocument;
  /** The texts above it. The last one is a row of actions. */
  content: HTMLElement[];
}

/**
 * Returns the page of a rule.
 *
 * @throws UnknownRuleError
 */
export function rulePage(code: string): RulePage {
  const rule = rules.find((one) => one.code === code);
  if (!rule) throw new UnknownRuleError(code);
  return { document: documentOf(rule.example), content: contentOf(rule) };
}

function documentOf(example: Rule['example']): PlaygroundDocument {
  const empty = emptyDocument();
  if ('without' in example || !example.isLive) return { ...empty, lint: { text: '' } };
  const { model, backend, failing } = example;
  return { ...empty, settings: { ...empty.settings, model, backend }, lint: { text: failing } };
}

function contentOf(rule: Rule): HTMLElement[] {
  const { code, message, example } = rule;
  const title = element('h2', {}, element('code', {}, code), ' ', ...withCode(message));
  const isLive = !('without' in example) && example.isLive;
  // Lint shows the texts of the rule beside its finding.
  const content = isLive ? [note(liveNote)] : textsOf(rule);
  const fixed = 'without' in example ? [] : [fixedExample(example)];
  const actions = element('div', { className: 'actions' }, ...fixed, ruleList(code));
  return [title, ...content, actions];
}

const note = (text: string) => element('p', { className: 'note' }, ...withCode(text));

const liveNote =
  'Below is an example that breaks this rule. Change or repair it: your own sessions stay as they are.';

function textsOf({ why, google, fix, example }: Rule): HTMLElement[] {
  const quotes = google.map((text) => element('blockquote', {}, text));
  const answers = quotes.length > 0 ? [element('p', {}, 'Google answers:'), ...quotes] : [];
  const repair = fix === undefined ? [] : [element('p', {}, ...withCode(`Repair: ${fix}.`))];
  const shown = 'without' in example ? [note(example.without)] : stillExample(example);
  return [element('p', {}, ...withCode(why)), ...answers, ...repair, ...shown];
}

// An example whose finding Lint cannot show.
function stillExample(example: RuleExample): HTMLElement[] {
  const { reads, kind, failing } = example;
  const text = `Lint does not report it for this example, but \`${reads}\` does. ${kind} that yields it:`;
  return [note(text), codeBlock(failing, 'The failing example')];
}

function codeBlock(text: string, label: string): HTMLElement {
  const block = element('pre', { tabIndex: 0, role: 'region' }, text);
  block.ariaLabel = label;
  return block;
}

function fixedExample({ model, fixedModel = model, fixed }: RuleExample): HTMLElement {
  return folded(`The same, fixed (${fixedModel})`, codeBlock(fixed, 'The fixed example'));
}

function ruleList(current: string): HTMLElement {
  const list = element('ul', { className: 'rule-list' });
  const section = folded(`All ${rules.length} rules`, list);
  section.ontoggle = () => {
    if (section.open && list.children.length === 0)
      list.append(...rules.map((rule) => item(rule, current)));
  };
  return section;
}

function item({ code, message }: Rule, current: string): HTMLElement {
  const link = element('a', { href: `#rule/${code}` }, element('code', {}, code), ` ${message}`);
  if (code === current) link.ariaCurrent = 'page';
  return element('li', {}, link);
}
