// The view Prompt: what the prompt is made of on the left, and on the right the requests that it makes and their cost.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ViewProps } from '../app.js';
import { EditorsPane } from './editors-pane.js';
import { PromptModel } from './prompt-model.js';
import { RequestPane } from './request-pane.js';
import { savedWith } from './savings.js';
import './prompt.css';

/** The view. On a narrow screen, a line on top says what is below, and leads there. */
export function PromptView({ context, opened }: ViewProps) {
  const [model] = useState(() => new PromptModel(context.document));
  const request = useRef<HTMLDivElement>(null);
  useEffect(() => {
    model.isShown.value = opened !== undefined;
  }, [opened]);
  const verdict =
    model.failures.value.length > 0
      ? 'A template fails'
      : `A cache saves: ${savedWith(model)?.saved ?? '…'}`;
  return (
    <div class="prompt column with-bar">
      <button
        type="button"
        class="view-bar"
        onClick={() => request.current?.scrollIntoView({ block: 'start' })}
      >
        {verdict} <span aria-hidden="true">↓</span>
      </button>
      <div class="panes">
        <EditorsPane model={model} />
        <div class="stack" ref={request}>
          <RequestPane model={model} />
        </div>
      </div>
    </div>
  );
}
