// The view Prompt: what the prompt is made of on the left, and on the right the requests that it makes and their cost.
import { render } from 'preact';
import type { View, ViewContext } from '../app.js';
import { EditorsPane } from './editors-pane.js';
import { PromptModel } from './prompt-model.js';
import { RequestPane } from './request-pane.js';
import './prompt.css';

/** Creates the view. */
export function createPromptView({ document: store }: ViewContext): View {
  const model = new PromptModel(store);
  const element = document.createElement('div');
  element.className = 'prompt';
  render(
    <>
      <EditorsPane model={model} />
      <RequestPane model={model} />
    </>,
    element,
  );
  return {
    element,
    // Opened for a template, a blank prompt shows what the chat uses.
    shown: (focus) => {
      model.isShown.value = true;
      if (focus !== 'static' && focus !== 'dynamic') return;
      model.showDefault();
      model.focus(focus);
    },
    hidden: () => (model.isShown.value = false),
  };
}
