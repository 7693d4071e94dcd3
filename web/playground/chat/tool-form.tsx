// Declares the tools of the document: one form for each, or all of them as JSON.
import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../sdk/internal/messages.js';
import { Button, SeverityMark } from '../../ui/elements.js';
import { count } from '../../ui/format.js';
import type { CoreHolder } from '../engine/core-holder.js';
import { declarationsText, draftsFrom } from '../engine/declaration.js';
import type { DocumentStore } from '../state/document-store.js';
import type { ToolDraft } from '../state/playground-document.js';
import { checkTools, type ToolReport } from './check-tools.js';
import './tool-form.css';

const checkDelayMs = 300;
// Each form has some twenty elements. A shared link may declare thousands of tools.
const maxForms = 100;
const newTool: ToolDraft = {
  name: '',
  description: '',
  parameters: JSON.stringify(
    { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    null,
    2,
  ),
};

interface ToolFieldsProps {
  tool: ToolDraft;
  index: number;
  report: ToolReport | undefined;
  change: (changes: Partial<ToolDraft>) => void;
  remove: () => void;
}

const fields = [
  { name: 'name', label: 'Name', rows: 1 },
  { name: 'description', label: 'Description', rows: 2 },
  { name: 'parameters', label: 'Parameters, as JSON Schema', rows: 6 },
] as const;

function ToolFields({ tool, index, report, change, remove }: ToolFieldsProps) {
  // A tool without a name is a mistake only once its field was used.
  const [wasNamed, setWasNamed] = useState(tool.name !== '');
  const { problems = [], repaired } = report ?? {};
  const shown = problems.filter(({ isMissing }) => wasNamed || !isMissing);
  return (
    <details class="one">
      <summary>{tool.name || 'New tool'}</summary>
      {fields.map(({ name, label, rows }) => (
        <label>
          {label}
          <textarea
            id={`tool-${index + 1}-${name}`}
            rows={rows}
            spellcheck={name === 'description'}
            aria-invalid={shown.some(({ field }) => field === name)}
            value={tool[name]}
            onInput={({ currentTarget }) => change({ [name]: currentTarget.value })}
            onBlur={() => setWasNamed(wasNamed || name === 'name')}
          />
        </label>
      ))}
      <ul class="problems" role="status">
        {shown.map(({ severity, text }) => (
          <li class={`problem ${severity}`}>
            <SeverityMark severity={severity} />
            {text}
          </li>
        ))}
      </ul>
      <div class="actions">
        {repaired !== undefined && (
          <Button label="Repair the parameters" action={() => change({ parameters: repaired })} />
        )}
        <Button
          label="Remove"
          aria-label={`Remove the tool ${tool.name || 'without a name'}`}
          action={remove}
        />
      </div>
    </details>
  );
}

interface DeclarationsProps {
  tools: readonly ToolDraft[];
  /** Called with the tools; undefined if the user cancels. */
  end: (tools: ToolDraft[] | undefined) => void;
}

// All tools as the functionDeclarations of a request.
function Declarations({ tools, end }: DeclarationsProps) {
  const [text, setText] = useState(() => declarationsText(tools));
  const [problem, setProblem] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const apply = () => {
    try {
      end(draftsFrom(text));
    } catch (error) {
      setProblem(messageOf(error));
      field.current?.focus();
    }
  };
  return (
    <div class="fields">
      <label for="tools-json">Declarations</label>
      <textarea
        ref={field}
        id="tools-json"
        rows={14}
        spellcheck={false}
        aria-invalid={problem !== ''}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <p class="note">An array of functionDeclarations. A request with tools works, too.</p>
      <p class="problem" role="status">
        {problem}
      </p>
      <div class="actions">
        <Button label="Apply" action={apply} />
        <Button label="Cancel" action={() => end(undefined)} />
      </div>
    </div>
  );
}

// Checks the tools once the user rests. The core is loaded only while they are shown.
function useReports(document: DocumentStore, core: CoreHolder, isOpen: boolean): ToolReport[] {
  const [reports, setReports] = useState<ToolReport[]>([]);
  const { settings } = document.value;
  useEffect(() => {
    if (!isOpen || settings.tools.length === 0) return undefined;
    let isNewest = true;
    const check = async () => {
      const checker = await core.checker().catch(() => undefined);
      if (checker && isNewest) setReports(checkTools(checker, settings));
    };
    const timer = setTimeout(() => void check(), checkDelayMs);
    return () => {
      isNewest = false;
      clearTimeout(timer);
    };
  }, [settings, isOpen]);
  return reports;
}

interface ToolFormProps {
  document: DocumentStore;
  core: CoreHolder;
}

// The forms of the tools, and buttons for more of them. `update` takes the label of what can be undone.
function ToolList({
  tools,
  reports,
  update,
  editAsJson,
}: {
  tools: readonly ToolDraft[];
  reports: readonly ToolReport[];
  update: (tools: ToolDraft[], undo?: string) => void;
  editAsJson: () => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const open = (index: number) =>
    requestAnimationFrame(() => {
      const form = list.current?.querySelectorAll('details')[index];
      if (form) form.open = true;
      list.current
        ?.querySelector<HTMLElement>(form ? `#tool-${index + 1}-name` : 'button')
        ?.focus();
    });
  const add = () => {
    update([...tools, newTool]);
    open(tools.length);
  };
  const remove = (index: number) => {
    update(tools.toSpliced(index, 1), `Removed the tool ${tools[index]?.name ?? ''}`.trim());
    open(Math.min(index, tools.length - 2));
  };
  return (
    <div ref={list}>
      {tools.slice(0, maxForms).map((tool, index) => (
        <ToolFields
          {...{ tool, index, report: reports[index] }}
          change={(changes) => update(tools.with(index, { ...tool, ...changes }))}
          remove={() => remove(index)}
        />
      ))}
      {tools.length >= maxForms && (
        <p class="note">
          {`The first ${maxForms} of ${count(tools.length)} tools have a form. Edit the others, and add more, as JSON.`}
        </p>
      )}
      <div class="actions">
        {tools.length < maxForms && <Button label="Add a tool" action={add} />}
        <Button label="Edit as JSON" action={editAsJson} />
      </div>
    </div>
  );
}

/** The tools, inside a section that can be folded. */
export function ToolForm({ document: store, core }: ToolFormProps) {
  const { tools, demonstration = true } = store.value.settings;
  const [isOpen, setIsOpen] = useState(false);
  const [isJson, setIsJson] = useState(false);
  const reports = useReports(store, core, isOpen);
  const update = (changed: ToolDraft[], undo?: string) =>
    store.update(
      (value) => ({ ...value, settings: { ...value.settings, tools: changed } }),
      undo === undefined ? {} : { undo },
    );
  const end = (changed: ToolDraft[] | undefined) => {
    if (changed) update(changed, 'Replaced the tools');
    setIsJson(false);
  };
  return (
    <details
      id="tools"
      class="group tool-form"
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>{tools.length === 0 ? 'Tools' : `Tools: ${count(tools.length)}`}</summary>
      <p class="note">
        {demonstration && 'Without tools of your own, the chat declares two of a demonstration. '}
        Calls of your tools wait until you write their result.
      </p>
      {isJson ? (
        <Declarations tools={tools} end={end} />
      ) : (
        <ToolList {...{ tools, reports, update }} editAsJson={() => setIsJson(true)} />
      )}
    </details>
  );
}
