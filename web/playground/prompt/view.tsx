// The view Prompt: what the prompt is made of on the left, and on the right the requests that it makes and their cost.
import { render } from 'preact';
import { useRef } from 'preact/hooks';
import type { View, ViewContext } from '../app.js';
import { EditorsPane } from './editors-pane.js';
import { PromptModel } from './prompt-model.js';
import { RequestPane } from './request-pane.js';
import { savedWith } from './savings.js';
import './prompt.css';

// On a narrow screen, one pane is below the other: a line on top says what is below, and leads there.
function Panes({ model }: { model: PromptModel }) {
  const request = useRef<HTMLDivElement>(null);
  const verdict =
    model.failures.value.length > 0
      ? 'A template fails'
      : `A cache saves: ${savedWith(model)?.saved ?? '…'}`;
  return (
    <>
      <button
        type="button"
        class="prompt-summary"
        onClick={() => request.current?.scrollIntoView({ block: 'start' })}
      >
        {verdict} <span aria-hidden="true">↓</span>
      </button>
      <EditorsPane model={model} />
      <div class="stack" ref={request}>
        <RequestPane model={model} />
      </div>
    </>
  );
}

/** Creates the view. */
export function createPromptView({ document: store }: ViewContext): View {
  const model = new PromptModel(store);
  const element = document.createElement('div');
  element.className = 'prompt';
  render(<Panes model={model} />, element);
  return {
    element,
    // Opened for a template, a blank prompt shows what the chat uses.
    shown: (focus) => {
      model.isShown.value = true;
      if (focus !== 'static' && focus !== 'dynamic') return;
      model.showsExample.value = false;
      model.focus(focus);
    },
    hidden: () => (model.isShown.value = false),
  };
}
