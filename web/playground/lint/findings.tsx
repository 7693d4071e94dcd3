// The right pane of Lint: the verdict and what to do next, what was repaired, the findings by rule.
import { useEffect, useRef } from 'preact/hooks';
import { Button, CopyButton, useLoaded, withCode } from '../../ui/elements.js';
import type { Analysis } from '../engine/lint-result.js';
import type { LintModel } from './model.js';
import { Finding, type FindingAction } from '../../ui/finding.js';
import { amount } from '../../ui/format.js';
import {
  groupsOf,
  verdictOf,
  evidenceWords,
  placeOf,
  type FindingGroup,
} from '../engine/lint-verdict.js';

const loadFormats = async () => (await import('../engine/export/formats.js')).formats;

/** The buttons; none without a request. */
function TakeAway({ model, analysis }: { model: LintModel; analysis: Analysis }) {
  const { requests, chosen, body } = analysis;
  const request = requests[chosen];
  const isWhole = request !== undefined && body !== undefined && request.errors === 0;
  const { value: formats = [] } = useLoaded(isWhole ? loadFormats : undefined, [isWhole]);
  if (!isWhole) return null;
  const isSteps = analysis.timeline?.turns[0]?.form === 'steps';
  const wire = isSteps ? 'interactions' : 'generateContent';
  const exported = { model: request.model, backend: request.backend, wire, body } as const;
  const code = formats.filter(({ name }) => name !== 'JSON');
  return (
    <div class="actions">
      <CopyButton isMain label="Copy request" text={() => body} />
      {code.map(({ name, write }) => (
        <CopyButton label={name} text={() => write(exported)} />
      ))}
      {!isSteps && <Button label="Try it in Chat" action={() => void model.tryInChat()} />}
    </div>
  );
}

/** How many places of one rule are listed. */
const shownPlaces = 12;

const loadSources = (code: string) => async () =>
  (await import('#generated/rule-sources')).ruleSources[code] ?? [];

// The verdict counts the errors of one request, this button repairs those of all.
function repairLabel({ repairs, canRepairAll, findings, chosen }: Analysis): string {
  const { length } = repairs;
  if (!canRepairAll) return `Repair ${length} of ${amount(findings.length, 'finding')}`;
  const others = findings.filter(({ request }) => request !== chosen);
  const where = others.some(({ repair }) => repair !== undefined) ? ' in all requests' : '';
  if (length < 3) return (length === 1 ? 'Repair' : 'Repair both') + where;
  return `Repair all ${length}${where}`;
}

/** The verdict with its one main action. */
function VerdictBox({ model }: { model: LintModel }) {
  const title = useRef<HTMLHeadingElement>(null);
  const analysis = model.analysis.value;
  model.focusVerdict = () => title.current?.focus();
  const verdict = analysis && verdictOf(analysis);
  const { tone = 'none', quote, note = '' } = verdict ?? {};
  const canRepair = analysis !== undefined && analysis.repairs.length > 0;
  const hasError = tone === 'bad' && canRepair && analysis.canRepairAll;
  return (
    <section
      class={`card stack verdict ${tone}`}
      aria-label="Verdict"
      aria-busy={model.isBusy.value}
    >
      <h2 ref={title} tabIndex={-1}>
        <span role="status">{withCode(verdict?.title ?? 'Checking the request …')}</span>
      </h2>
      {quote !== undefined && <blockquote>{quote}</blockquote>}
      {note !== '' && <p class="note">{note}</p>}
      {analysis?.googleError?.codes.map((code) => (
        <p>
          <a href={`#rule/${code}`}>{withCode(`What breaks \`${code}\`, with an example`)}</a>
        </p>
      ))}
      {canRepair && (
        <div class="actions">
          <Button
            label={repairLabel(analysis)}
            isMain
            action={() => model.repair(({ repairs }) => repairs)}
          />
          {hasError && (
            <Button label="Repair and try in Chat" action={() => void model.repairAndTry()} />
          )}
        </div>
      )}
      {analysis && tone !== 'bad' && <TakeAway model={model} analysis={analysis} />}
    </section>
  );
}

function MadeRepairs({ model }: { model: LintModel }) {
  const made = model.made.value;
  if (made.length === 0) return null;
  const lines = model.linesOf(made.map(({ inverse }) => inverse[0]?.from ?? 0));
  return (
    <section class="stack made" aria-label="Repaired">
      <ul class="card">
        {made.map((repair, i) => (
          <li class="row between">
            <span>
              <span class="good" aria-hidden="true">
                ✔{' '}
              </span>
              {repair.words.done}. {repair.words.better}
              <small>
                {repair.codes.join(', ')} · line {lines[i]}
              </small>
            </span>
            <Button
              class="text-link"
              label="Undo"
              aria-label={`Undo: ${repair.words.done}`}
              action={() => model.undo([repair])}
            />
          </li>
        ))}
      </ul>
      {made.length > 1 && <Button label="Undo all" action={() => model.undo(made)} />}
    </section>
  );
}

// Where a rule is broken: the line of one place, the turns of several.
function placesOf(group: FindingGroup, model: LintModel) {
  const { findings, times } = group;
  const shown = findings.slice(0, shownPlaces);
  const lines = model.linesOf(shown.map(({ from }) => from));
  const isOneLine = !model.analysis.peek()?.text.trim().includes('\n');
  const isInTurns = shown.every(({ path }) => /^\/(?:contents|input)?\/?\d/.test(path));
  const unit = isInTurns && (isOneLine || times > 1) ? 'turn' : 'line';
  const word = unit === 'turn' ? 'Turn' : 'Line';
  const isOne = shown.length === 1;
  const places = shown.map((finding, i): FindingAction => {
    const place = placeOf(finding, lines[i] ?? 1, unit);
    const name = `${word} ${place}${finding.path === '' ? '' : `, ${finding.path.slice(1)}`}`;
    const label = isOne ? `${word} ${place}` : place;
    return { label, name, run: () => model.text.reveal(finding) };
  });
  return { places, placesLabel: isOne ? '' : `${word}s${times > places.length ? '…' : ''}` };
}

function fixesOf({ findings }: FindingGroup, model: LintModel): FindingAction[] {
  const { repairs = [] } = model.analysis.peek() ?? {};
  const own = findings.filter(({ repair }) => repair !== undefined);
  const [first] = own;
  const offer = repairs[first?.repair ?? -1]?.words.offer;
  if (offer === undefined) return [];
  const distinct = new Set(own.map(({ repair }) => repair)).size;
  const label = distinct > 1 ? `Repair these ${distinct}` : offer;
  return [{ label, name: `${label} (${first?.code})`, run: () => model.repairFindings(own) }];
}

function Group({ group, model }: { group: FindingGroup; model: LintModel }) {
  const { first, times } = group;
  const isDecision = first.isOpen || (first.severity === 'error' && first.repair === undefined);
  const isJson = first.code === 'json.invalid';
  return (
    <Finding
      {...first}
      times={times}
      {...placesOf(group, model)}
      fixes={fixesOf(group, model)}
      {...(first.evidence ? { evidence: evidenceWords[first.evidence] } : {})}
      {...(isDecision && !isJson ? { advice: 'Needs your decision.' } : {})}
      sources={loadSources(first.code)}
    />
  );
}

function Findings({ model }: { model: LintModel }) {
  const list = useRef<HTMLUListElement>(null);
  const analysis = model.analysis.value;
  const wanted = model.wanted.value;
  useEffect(() => {
    const found = analysis?.findings.find(({ code }) => code === wanted);
    if (!found || wanted === undefined) return;
    model.showWanted(found);
    const item = list.current?.querySelector<HTMLElement>(`[data-code="${CSS.escape(wanted)}"]`);
    const pane = item?.closest<HTMLElement>('.lint-found');
    if (!item || !pane) return;
    // Only this pane scrolls, and no further than to show the finding: the verdict stays in sight if there is room.
    const top = item.offsetTop - pane.offsetTop;
    pane.scrollTop = Math.min(top, top + item.offsetHeight - pane.clientHeight);
  }, [analysis, wanted]);
  if (!analysis) return null;
  return (
    <ul ref={list} class="stack findings-list" aria-label="Findings">
      {groupsOf(analysis).map((group) => (
        <Group key={`${group.first.code} ${group.first.severity}`} group={group} model={model} />
      ))}
    </ul>
  );
}

function Notes({ model }: { model: LintModel }) {
  const { notes = [], converted, omittedFindings = 0 } = model.analysis.value ?? {};
  const failure = model.failure.value;
  return (
    <>
      {failure !== '' && (
        <p class="bad" role="alert">
          {failure}
        </p>
      )}
      {notes.map(({ message }) => (
        <p class="note">{message}</p>
      ))}
      {converted !== undefined && (
        <div class="stack converted">
          <p class="note">These messages were checked as the Gemini request that they become.</p>
          <Button
            label="Replace them with that request"
            action={() => model.replace(converted, 'Converted the messages')}
          />
        </div>
      )}
      {omittedFindings > 0 && (
        <p class="note">
          {amount(omittedFindings, 'further finding')} in this text not listed. Repair some of these
          first.
        </p>
      )}
    </>
  );
}

export function FoundPane({ model }: { model: LintModel }) {
  return (
    <section class="stack lint-found" aria-label="Findings">
      <VerdictBox model={model} />
      <MadeRepairs model={model} />
      <Notes model={model} />
      <Findings model={model} />
    </section>
  );
}
