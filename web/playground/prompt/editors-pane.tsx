// The left pane: what the prompt is made of. Both templates with their problems, and their variables.
import { useMemo } from 'preact/hooks';
import { Editor } from '../../ui/editor/editor.js';
import { linesOf } from '../../ui/editor/text.js';
import { Button, SeverityMark, withCode } from '../../ui/elements.js';
import type { TemplateId as LayerId, TemplateProblem } from '../engine/prompt-result.js';
import { jinjaEditor } from './jinja-editor.js';
import type { PromptModel } from './prompt-model.js';
import { createJsonEditor } from '../../ui/editor/json-editor.js';

const titles = { static: 'Static template', dynamic: 'Dynamic template' };
const explanations = {
  static: 'What is the same in every request: role, rules, documents.',
  dynamic:
    'What changes with each request, as JSON: the time, the state of a task. `current_datetime` is always known.',
};
const placeholder = 'Empty: the default template is used.';

/** The template of a layer. An empty one stands for the default. */
function TemplatePanel({ model, layer }: { model: PromptModel; layer: LayerId }) {
  const text = model.prompt.value[layer];
  // Nothing is shown until the text has been judged.
  const problems = model.problemsOf(layer, text);
  const create = useMemo(() => jinjaEditor(() => model.readVariables.peek().values), [model]);
  const title = titles[layer];
  return (
    <section class="stack" aria-label={title}>
      <div class="row between">
        <h2 class={layer}>
          <i />
          {title}
        </h2>
        <DefaultButton model={model} layer={layer} />
      </div>
      <p class="note">{withCode(explanations[layer])}</p>
      <Editor
        create={create}
        options={{ label: title, placeholder }}
        text={text}
        onText={(changed) => {
          if (changed !== model.prompt.peek()[layer]) model.change({ [layer]: changed });
        }}
        opened={(editor) => model.opened(layer, editor)}
        marks={problems}
      />
      {problems && <Problems model={model} layer={layer} problems={problems} />}
    </section>
  );
}

function DefaultButton({ model, layer }: { model: PromptModel; layer: LayerId }) {
  const isDefault = model.prompt.value[layer] === '';
  const source = model.analysis.value?.templates.find(({ id }) => id === layer)?.source ?? '';
  const change = () => {
    const undo = isDefault ? undefined : `Removed the ${layer} template`;
    model.change({ [layer]: isDefault ? source : '' }, undo);
    if (isDefault) model.focus(layer);
  };
  const label = isDefault ? 'Edit the default' : 'Use the default';
  return (
    <Button
      label={label}
      aria-label={`${label} ${layer} template`}
      action={change}
      isDisabled={isDefault && source === ''}
    />
  );
}

interface ProblemsProps {
  model: PromptModel;
  layer: LayerId;
  problems: readonly TemplateProblem[];
}

function Problems({ model, layer, problems }: ProblemsProps) {
  if (problems.length === 0) return null;
  const sorted = problems.toSorted((one, other) => one.from - other.from);
  const offsets = sorted.map(({ from }) => from);
  const lines = linesOf(model.prompt.value[layer], offsets);
  return (
    <ul class="stack problems" aria-label={`Problems of the ${layer} template`}>
      {sorted.map(({ severity, message, missing, ...range }, index) => (
        <li class={`row ${severity}`}>
          <SeverityMark severity={severity} />
          <span>{message}</span>
          <Button label={`Line ${lines[index]}`} action={() => model.reveal(layer, range)} />
          {missing !== undefined && (
            <Button
              label="Add it"
              aria-label={`Add ${missing} to the variables`}
              action={() => model.addVariable(missing)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

export function EditorsPane({ model }: { model: PromptModel }) {
  return (
    <div class="stack">
      {model.isExample.value && (
        <p>
          <b>Example prompt.</b> It becomes yours when you change it. Until then, the chat uses the
          default prompt.
        </p>
      )}
      <TemplatePanel model={model} layer="static" />
      <TemplatePanel model={model} layer="dynamic" />
      <VariablesPanel model={model} />
    </div>
  );
}

function VariablesPanel({ model }: { model: PromptModel }) {
  const { error } = model.readVariables.value;
  const text = model.variables.value;
  return (
    <section class="stack" aria-label="Variables">
      <h2>Variables</h2>
      <p class="note">The values that the templates read, as one JSON object.</p>
      <Editor
        create={createJsonEditor}
        options={{ label: 'Variables as JSON' }}
        text={text}
        onText={(changed) => {
          if (changed !== model.variables.peek()) model.change({ variables: changed });
        }}
        opened={(editor) => model.opened('variables', editor)}
      />
      <p class="bad" role="status">
        {error === undefined ? '' : `Not used, because it is not valid: ${error}`}
      </p>
    </section>
  );
}
