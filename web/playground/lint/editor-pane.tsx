// The left pane of Lint: what the text is, for what it is checked, and the text itself.
import { useCallback, useState } from 'preact/hooks';
import { Button } from '../../ui/elements.js';
import { amount } from '../../ui/format.js';
import { chooseFile } from '../engine/files.js';
import { laidOut } from '../engine/export/json-layout.js';
import type { Analysis } from '../engine/lint-result.js';
import { answerWords, backendNames, countsOf, textWords } from '../engine/lint-verdict.js';
import { brokenExample } from '../state/example.js';
import type { LintModel } from './model.js';
import { Outline } from './outline.js';

const formatted = (text: string) => `${laidOut(text, { step: '  ' })}\n`;

function canFormat({ form, findings }: Analysis): boolean {
  const isJson = form === 'body' || form === 'contents' || form === 'openai';
  return isJson && !findings.some(({ code }) => code.startsWith('json.'));
}

/** How many requests before and after the chosen one are listed at first. */
const shownRequests = 100;

function Requests({ model, analysis }: { model: LintModel; analysis: Analysis }) {
  const { requests, chosen } = analysis;
  const [around] = useState(chosen);
  const [shown, setShown] = useState(shownRequests);
  if (requests.length < 2) return null;
  const first = Math.max(0, around - shown);
  const hidden = requests.length - requests.slice(first, around + shown).length;
  return (
    <ul class="request-list" aria-label="Requests">
      {requests.slice(first, around + shown).map((request, i) => (
        <li key={first + i}>
          <button
            type="button"
            class="row"
            aria-current={first + i === chosen ? 'true' : undefined}
            title={request.answer?.error?.message}
            onClick={() => model.choose(first + i)}
          >
            <span>{request.label}</span>
            <span>{request.model}</span>
            <span class={(request.answer?.status ?? 0) >= 400 ? 'bad' : ''}>
              {answerWords(request)}
            </span>
            <span class={request.errors > 0 ? 'bad' : 'good'}>{countsOf(request)}</span>
          </button>
        </li>
      ))}
      {hidden > 0 && (
        <li>
          <Button
            label={`Show ${amount(hidden, 'more request')}`}
            action={() => setShown(requests.length)}
          />
        </li>
      )}
    </ul>
  );
}

// The model and the service, as one chip that leads to the settings of requests that name none.
function Target({ model, analysis }: { model: LintModel; analysis: Analysis | undefined }) {
  const request = analysis?.requests[analysis.chosen];
  if (!request) return null;
  return (
    <button
      type="button"
      class="chip"
      title="Open the settings"
      onClick={() => model.context.page.openSettings('model')}
    >
      {`${request.model} · ${backendNames[request.backend]}`}
      <small>{request.names.model ? 'detected' : 'default'}</small>
    </button>
  );
}

function Tools({ model, analysis }: { model: LintModel; analysis: Analysis | undefined }) {
  const quiet = (label: string, action: () => void, title?: string) => (
    <Button {...{ class: 'quiet', label, action, title }} />
  );
  const clear = () => model.replace('', 'Removed the request');
  if (analysis?.form === 'empty')
    return (
      <div class="actions">
        {quiet('Open', () => chooseFile(model.openFile), 'Open a file')}
        <Button
          label="Show an example"
          action={() => model.replace(brokenExample, 'Opened the example')}
        />
      </div>
    );
  return (
    <div class="actions">
      {quiet('Open', () => chooseFile(model.openFile), 'Open a file')}
      {analysis &&
        canFormat(analysis) &&
        quiet('Format', () => model.replace(formatted(analysis.text), 'Formatted the request'))}
      {quiet('Download', () => model.download())}
      {quiet('Clear', clear)}
    </div>
  );
}

/** The pane. */
export function EditorPane({ model }: { model: LintModel }) {
  const analysis = model.analysis.value;
  const notice = Object.values(model.notices.value).join(' ');
  const mount = useCallback((place: HTMLElement | null) => place?.append(model.text.element), []);
  return (
    <section class="lint-input" aria-label="Request">
      <div class="row lint-head">
        <h2>{model.isExample ? 'Example request' : 'Request'}</h2>
        {analysis && <span class="chip">{textWords(analysis)}</span>}
        <Target model={model} analysis={analysis} />
        <Tools model={model} analysis={analysis} />
      </div>
      {analysis && <Requests key={analysis.requests.length} model={model} analysis={analysis} />}
      <p class="lint-notice" role="status" hidden={notice === ''}>
        {notice}
      </p>
      <div class="card text-and-outline">
        <div class="text-place" ref={mount} />
        <Outline model={model} />
      </div>
    </section>
  );
}
