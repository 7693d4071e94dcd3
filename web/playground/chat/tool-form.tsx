// Declares the tools of the document as the functionDeclarations of a request, and says what lint finds about them.
import { useEffect, useState } from 'preact/hooks';
import type { Checker } from '../../check/index.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import { messageOf } from '../../sdk/internal/messages.js';
import { Button, SeverityMark } from '../../ui/elements.js';
import { count } from '../../ui/format.js';
import type { Severity } from '../../ui/severity.js';
import type { CoreHolder } from '../engine/core-holder.js';
import { declarationOf, declarationsText, draftsFrom } from '../engine/declaration.js';
import type { DocumentStore } from '../state/document-store.js';
import type { DocumentSettings, ToolDraft } from '../state/playground-document.js';

const checkDelayMs = 300;
// A link may declare thousands of tools, whose findings nobody would read.
const maxProblems = 20;

interface Report {
  problems: { severity: Severity; text: string }[];
  /** The tools as `repair` would write them; undefined if it changes nothing. */
  repaired?: ToolDraft[];
}

const nothing: Report = { problems: [] };

const path = /^\/tools\/0\/functionDeclarations\/(\d+)(?:\/parameters(?:JsonSchema)?)?(.*)$/;

function checkTools(checker: Checker, { tools, model, backend }: DocumentSettings): Report {
  const functionDeclarations = tools.map(declarationOf);
  const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
  const body = JSON.stringify({ contents, tools: [{ functionDeclarations }] });
  const options = { model, backend, now: new Date().toISOString() };
  const problems = checker.lint(body, options).diagnostics.flatMap((finding) => {
    const [, index, place = ''] = path.exec(finding.path) ?? [];
    const name = tools[Number(index)]?.name ?? 'The tools';
    if (finding.severity === 'info') return [];
    const { severity, code, message } = finding;
    return [{ severity, text: `${name}: ${code}${place && ` at ${place}`}: ${message}` }];
  });
  const repaired = decodeUtf8(checker.repair(body, options).body);
  return repaired === body ? { problems } : { problems, repaired: draftsFrom(repaired) };
}

// Checks the tools once the user rests.
function useReport(document: DocumentStore, core: CoreHolder): Report {
  const [report, setReport] = useState(nothing);
  const { settings } = document.value;
  useEffect(() => {
    let isNewest = true;
    const check = async () => {
      const checker = await core.checker();
      if (isNewest) setReport(checkTools(checker, settings));
    };
    // Parameters that are no JSON, or a core that does not load.
    const failed = (error: unknown) =>
      setReport({ problems: [{ severity: 'error', text: messageOf(error) }] });
    const timer = setTimeout(() => void check().catch(failed), checkDelayMs);
    if (settings.tools.length === 0) {
      clearTimeout(timer);
      setReport(nothing);
    }
    return () => {
      isNewest = false;
      clearTimeout(timer);
    };
  }, [settings]);
  return report;
}

const example: ToolDraft = {
  name: 'my_tool',
  description: 'Returns what it knows about a city.',
  parameters: '{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}',
};

const textOf = (tools: readonly ToolDraft[]) => (tools.length === 0 ? '' : declarationsText(tools));

interface ToolsProps {
  document: DocumentStore;
  core: CoreHolder;
}

// What was found, and what can be done.
function Findings({ report, problem }: { report: Report; problem: string }) {
  const shown: Report['problems'] =
    problem === '' ? report.problems.slice(0, maxProblems) : [{ severity: 'error', text: problem }];
  return (
    <div id="tools-problems" role="status">
      <ul>
        {shown.map(({ severity, text }) => (
          <li>
            <SeverityMark severity={severity} />
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Declarations({ document: store, core }: ToolsProps) {
  const { tools } = store.value.settings;
  // What is typed, and the tools that it means: other tools take its place.
  const [typed, setTyped] = useState({ text: '', problem: '', tools: [] as ToolDraft[] });
  const { text, problem } = typed.tools === tools ? typed : { text: textOf(tools), problem: '' };
  const report = useReport(store, core);
  const update = (changed: ToolDraft[], undo?: string) =>
    store.update(
      (value) => ({ ...value, settings: { ...value.settings, tools: changed } }),
      undo === undefined ? {} : { undo },
    );
  const type = (written: string) => {
    try {
      const read = draftsFrom(written);
      setTyped({ text: written, problem: '', tools: read });
      update(read);
    } catch (error) {
      setTyped({ text: written, problem: messageOf(error), tools });
    }
  };
  const { repaired } = report;
  return (
    <>
      <label for="tools-json">functionDeclarations, or a request that has some</label>
      <textarea
        id="tools-json"
        rows={12}
        spellcheck={false}
        aria-invalid={problem !== '' || report.problems.length > 0}
        aria-describedby="tools-problems"
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
      <Findings report={report} problem={problem} />
      <div class="actions">
        <Button label="Add a tool" action={() => update([...tools, example])} />
        {repaired && problem === '' && (
          <Button label="Repair the tools" action={() => update(repaired, 'Repaired the tools')} />
        )}
        {tools.length > 0 && (
          <Button label="Remove all" action={() => update([], 'Removed the tools')} />
        )}
      </div>
    </>
  );
}

/** The tools, inside a section that can be folded. Their text is made only when it is opened. */
export function ToolForm(props: ToolsProps) {
  const { tools, demonstration = true } = props.document.value.settings;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      id="tools"
      class="group"
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>{tools.length === 0 ? 'Tools' : `Tools: ${count(tools.length)}`}</summary>
      <p class="note">
        {demonstration && 'Without tools of your own, the chat declares two of a demonstration. '}
        Calls of your tools wait until you write their result.
      </p>
      {isOpen && <Declarations {...props} />}
    </details>
  );
}
