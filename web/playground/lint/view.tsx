// The view Lint: a pasted request on the left; on the right what Google answers to it, why, and what repairs it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, isTextField } from '../../ui/elements.js';
import type { ViewProps } from '../app.js';
import { takingFiles } from '../engine/files.js';
import { countsOf } from '../engine/lint-verdict.js';
import { EditorPane } from './editor-pane.js';
import { FoundPane } from './findings.js';
import { LintModel } from './model.js';
import './lint.css';

// On a phone, the findings are below the text: this bar stays in sight.
function Bar({ model }: { model: LintModel }) {
  const analysis = model.analysis.value;
  const request = analysis?.requests[analysis.chosen];
  if (!request) return null;
  return (
    <div class="row between view-bar lint-bar">
      <b class={request.errors > 0 ? 'bad' : 'good'}>{countsOf(request)}</b>
      <Button class="text-link" label="Show" action={() => model.focusVerdict()} />
    </div>
  );
}

// What belongs to a request, in contrast to a word that is pasted into one.
const requestLike =
  /contents|messages|["']input["']|"error"|generate_?[cC]ontent|\bcurl\b|fetch\(|Invoke-/;

// A paste anywhere on the page is a new text, and so is one into the example, or before the editor is there.
function takePastes(model: LintModel, element: HTMLElement): void {
  document.addEventListener(
    'paste',
    (event) => {
      const isShown = element.isConnected && element.offsetParent !== null;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      const isInText = event.target instanceof Node && model.text.element.contains(event.target);
      const isNewText = isInText
        ? !model.text.isEditable || (model.isExample && requestLike.test(text))
        : !isTextField(event.target);
      if (!isShown || text === '' || !isNewText) return;
      event.preventDefault();
      event.stopPropagation();
      model.replace(text, 'Pasted the request');
    },
    { capture: true },
  );
}

// After a repair, the focus is not in the editor, where Ctrl+Z takes it back.
function takeUndoKey(model: LintModel, event: KeyboardEvent): void {
  const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
  const last = model.made.peek().at(-1);
  if (!isUndo || isTextField(event.target) || !last) return;
  event.preventDefault();
  model.undo([last]);
}

/** The view. `focus` is the rule whose finding is shown. */
export function LintView({ context, opened }: ViewProps) {
  const [model] = useState(() => new LintModel(context));
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current) takePastes(model, place.current);
  }, []);
  useEffect(() => {
    if (!opened) model.settleAnalysis();
    else if (opened.focus !== undefined) model.wanted.value = opened.focus;
  }, [opened]);
  return (
    <div
      class="lint column with-bar"
      ref={place}
      onKeyDown={(event) => takeUndoKey(model, event)}
      {...takingFiles(model.openFile)}
    >
      <Bar model={model} />
      <div class="panes">
        <EditorPane model={model} />
        <FoundPane model={model} />
      </div>
    </div>
  );
}
