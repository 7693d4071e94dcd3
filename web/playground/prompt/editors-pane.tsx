// The left pane: what the prompt is made of. Both templates, their variables, and where the prompt comes from.
import { useMemo } from 'preact/hooks';
import { Editor } from '../../ui/editor/editor.js';
import { Button } from '../../ui/elements.js';
import { amount } from '../../ui/format.js';
import type { SectionDraft } from '../state/playground-document.js';
import { examplePrompt } from './example-prompt.js';
import type { PromptModel } from './prompt-model.js';
import { TemplatePanel } from './template-panel.js';
import { variablesEditor } from './variables-editor.js';

interface PaneProps {
  model: PromptModel;
}

/** The editors. */
export function EditorsPane({ model }: PaneProps) {
  return (
    <div>
      <Origin model={model} />
      <TemplatePanel model={model} layer="static" />
      <Sections model={model} />
      <TemplatePanel model={model} layer="dynamic" />
      <VariablesPanel model={model} />
    </div>
  );
}

// Says whose prompt this is while the user has none.
function Origin({ model }: PaneProps) {
  if (!model.isBlank.value) return null;
  if (model.isExample.value)
    return (
      <div class="origin">
        <p>
          <b>Example prompt.</b> It becomes yours when you change it. Until then, the chat uses the
          default prompt.
        </p>
        <Button label="Show the default prompt" action={() => (model.showsExample.value = false)} />
      </div>
    );
  const use = () => model.change(examplePrompt, 'The example became your prompt');
  return (
    <div class="origin">
      <p>
        <b>Default prompt</b>, with the variables of a demonstration. The chat uses it.
      </p>
      <Button label="Use the example" action={use} />
    </div>
  );
}

// Returns a template with its sections in front of it, as they are rendered.
const withSections = (sections: readonly SectionDraft[], template: string) =>
  [...sections.map(({ name, template: text }) => `## ${name}\n${text.trim()}\n`), template].join(
    '\n',
  );

// Sections can be made by code only; those of a saved document are used, and can be moved to where one edits them.
function Sections({ model }: PaneProps) {
  const { sections, static: template } = model.prompt.value;
  if (sections.length === 0) return null;
  const source = model.analysis.value?.templates.find(({ id }) => id === 'static')?.source;
  const move = () => {
    const text = withSections(sections, template === '' ? (source ?? '') : template);
    model.change({ sections: [], static: text }, 'Moved the sections into the static template');
  };
  const names = sections.map(({ name }) => name).join(', ');
  return (
    <section aria-label="Sections">
      <div class="panel-head">
        <p>
          {amount(sections.length, 'section')} in front of the static template: {names}
        </p>
        <Button label="Move into the template" action={move} isDisabled={source === undefined} />
      </div>
    </section>
  );
}

function VariablesPanel({ model }: PaneProps) {
  const { error } = model.readVariables.value;
  const text = model.variables.value;
  const create = useMemo(() => {
    const read = () => model.analysis.peek()?.templates.flatMap(({ variables }) => variables) ?? [];
    return variablesEditor(read);
  }, [model]);
  return (
    <section aria-label="Variables">
      <h2>Variables</h2>
      <p class="note">The values that the templates read, as one JSON object.</p>
      <Editor
        create={create}
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
