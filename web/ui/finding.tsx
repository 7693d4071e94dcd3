// Shows one finding, or several of one rule: what is wrong, one sentence of why, where, and what repairs it there.
import { useState } from 'preact/hooks';
import { Button, SeverityMark, withCode } from './elements.js';
import { count, type Severity } from './format.js';
import './finding.css';

/** Something that can be done: moving to a place, or repairing it. */
export interface FindingAction {
  label: string;
  /** The accessible name, if the label alone does not say it. */
  name?: string;
  run: () => void;
}

/** A source of a rule. Those with an address that starts with https become links. */
export interface FindingSource {
  text: string;
  url?: string;
}

export interface FindingProps {
  severity: Severity;
  code: string;
  message: string;
  /** How often the rule is broken. Default: once. */
  times?: number;
  why?: string;
  /** Google's error messages. */
  google?: readonly string[];
  /** How the severity is known, as a sentence. */
  evidence?: string;
  /** Loads the sources of the rule, when they are opened. */
  sources?: () => Promise<readonly FindingSource[]>;
  /** The value at the place, or what else belongs to it. */
  excerpt?: string;
  places?: readonly FindingAction[];
  /** Before several places: "turns". */
  placesLabel?: string;
  fixes?: readonly FindingAction[];
  /** What stands in place of fixes, such as that the user has to decide. */
  advice?: string;
}

const firstSentence = /^.*?[.!?](?=\s|$)/s;

function Source({ text, url }: FindingSource) {
  if (url === undefined || !url.startsWith('https://')) return <li>{text}</li>;
  return (
    <li>
      <a href={url} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
    </li>
  );
}

// What is read when one sentence is not enough.
function More(props: FindingProps & { rest: string }) {
  const { rest, google = [], evidence, sources: load } = props;
  const [sources, setSources] = useState<readonly FindingSource[]>();
  if (rest === '' && google.length === 0 && evidence === undefined && !load) return null;
  const opened = () => {
    if (sources === undefined)
      void load?.().then(setSources, () => setSources([{ text: 'The sources failed to load.' }]));
  };
  return (
    <details class="finding-more" onToggle={opened}>
      <summary>Why and sources</summary>
      {rest !== '' && <p>{withCode(rest)}</p>}
      {google.length > 0 && (
        <p>{google.length > 1 ? 'Google answers one of these:' : 'Google answers:'}</p>
      )}
      {google.map((text) => (
        <blockquote>{text}</blockquote>
      ))}
      {evidence !== undefined && <p>{evidence}</p>}
      {sources && <ul class="row sources">{sources.map(Source)}</ul>}
    </details>
  );
}

function Actions({ places = [], placesLabel, fixes = [], advice }: FindingProps) {
  if (places.length + fixes.length === 0 && advice === undefined) return null;
  const link = (kind: string) =>
    function ActionLink({ label, name, run }: FindingAction) {
      return <Button class={`text-link ${kind}`} label={label} aria-label={name} action={run} />;
    };
  return (
    <div class="row finding-actions">
      <span class="row places">
        {placesLabel} {places.map(link('place-link'))}
      </span>
      {fixes.map(link('fix-link'))}
      {advice !== undefined && <span class="note">{advice}</span>}
    </div>
  );
}

export function Finding(props: FindingProps) {
  const { severity, code, message, times = 1, why = '', excerpt } = props;
  const [sentence = why] = firstSentence.exec(why) ?? [];
  return (
    <li class={`card finding ${severity}`} data-code={code}>
      <h3>
        <SeverityMark severity={severity} />
        <span>{withCode(message)}</span>
      </h3>
      <p class="finding-code">
        <code>{code}</code>
        {times > 1 && ` ×${count(times)}`}
      </p>
      {sentence !== '' && <p>{withCode(sentence)}</p>}
      {excerpt !== undefined && <pre>{excerpt}</pre>}
      <Actions {...props} />
      <More {...props} rest={why.slice(sentence.length).trim()} />
    </li>
  );
}
