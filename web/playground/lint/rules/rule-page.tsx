// Opens a rule: its failing example for the view Lint, and the texts above it.
import { Folded, withCode } from '../../../ui/elements.js';
import { emptyDocument, type PlaygroundDocument } from '../../state/playground-document.js';
import { rules } from '#generated/rule-pages';
import type { Rule, RuleExample } from './rule.js';

/**
 * Returns the page of a rule: its failing example as a session of its own, which is without text if Lint cannot show the
 * finding, and what stands above it.
 *
 * @throws Error if the catalogue has no such rule
 */
export function rulePage(code: string) {
  const rule = rules.find((one) => one.code === code);
  if (!rule)
    throw new Error(`There is no rule ${code}. The link may be of another version, or cut off.`);
  return { document: documentOf(rule.example), content: <RuleTexts rule={rule} /> };
}

function documentOf(example: Rule['example']): PlaygroundDocument {
  const empty = emptyDocument();
  if ('without' in example || !example.isLive) return { ...empty, lint: { text: '' } };
  const { model, backend, failing } = example;
  return { ...empty, settings: { ...empty.settings, model, backend }, lint: { text: failing } };
}

const liveNote =
  'Below is an example that breaks this rule. Change or repair it: your own sessions stay as they are.';

function RuleTexts({ rule }: { rule: Rule }) {
  const { code, message, example } = rule;
  // Lint shows the texts of the rule beside its finding.
  const isLive = !('without' in example) && example.isLive;
  return (
    <>
      <h2>{withCode(message.replaceAll(/\{arg\d\}/g, '…'))}</h2>
      <p class="note">
        <code>{code}</code>
      </p>
      {isLive ? <p class="note">{liveNote}</p> : <Explanation rule={rule} />}
      {!('without' in example) && <FixedExample example={example} />}
    </>
  );
}

function Explanation({ rule: { why, google, fix, example } }: { rule: Rule }) {
  return (
    <>
      <p>{withCode(why)}</p>
      {google.length > 0 && <p>Google answers:</p>}
      {google.map((text) => (
        <blockquote>{text}</blockquote>
      ))}
      {fix !== undefined && <p>{withCode(`Repair: ${fix}.`)}</p>}
      {'without' in example && <p class="note">{withCode(example.without)}</p>}
    </>
  );
}

function FixedExample({ example }: { example: RuleExample }) {
  const { model, fixedModel = model, fixed } = example;
  return (
    <Folded title={`The same, fixed (${fixedModel})`}>
      <pre tabIndex={0} role="region" aria-label="The fixed example">
        {fixed}
      </pre>
    </Folded>
  );
}
