// The left pane of Lint: what the text is, for what it is checked, and the text itself.
import { useCallback, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/elements.js';
import { amount } from '../../ui/format.js';
import { chooseFile } from '../engine/files.js';
import { laidOut } from '../engine/export/json-layout.js';
import type { Analysis } from '../engine/lint-result.js';
import { answerWords, backendNames, countsOf, textWords } from '../engine/words.js';
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
  const choose = (index: number) => model.choose((choice) => (choice.request = index));
  return (
    <ul class="request-list" aria-label="Requests">
      {requests.slice(first, around + shown).map((request, i) => (
        <li key={first + i}>
          <button
            type="button"
            aria-current={first + i === chosen ? 'true' : undefined}
            title={request.answer?.error?.message}
            onClick={() => choose(first + i)}
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
          <button type="button" onClick={() => setShown(requests.length)}>
            Show {amount(hidden, 'more request')}
          </button>
        </li>
      )}
    </ul>
  );
}

// The model and the service, as one chip that opens the fields.
function Target({ model, analysis }: { model: LintModel; analysis: Analysis | undefined }) {
  const name = useRef<HTMLInputElement>(null);
  const service = useRef<HTMLSelectElement>(null);
  const request = analysis?.requests[analysis.chosen];
  const { override } = model.choice;
  const given = override?.model ?? override?.backend;
  const origin = given !== undefined ? 'chosen' : request?.names.model ? 'detected' : 'default';
  const change = () =>
    model.choose((choice) => {
      const named = name.current?.value.trim() ?? '';
      const backend = service.current?.value;
      choice.override = {
        ...(named === '' ? {} : { model: named }),
        ...(backend === 'gemini' || backend === 'vertex' ? { backend } : {}),
      };
      if (Object.keys(choice.override).length === 0) choice.override = undefined;
    });
  return (
    <details class="target">
      <summary>
        {request ? `${request.model} · ${backendNames[request.backend]}` : 'Model and service'}
        {request && <small>{origin}</small>}
      </summary>
      <div class="target-fields">
        <label>
          Model
          <input
            ref={name}
            autocomplete="off"
            spellcheck={false}
            value={override?.model ?? ''}
            placeholder={request?.model ?? ''}
            onChange={change}
          />
        </label>
        <label>
          Service
          <select ref={service} value={override?.backend ?? ''} onChange={change}>
            <option value="">as detected</option>
            {Object.entries(backendNames).map(([value, text]) => (
              <option value={value}>{text}</option>
            ))}
          </select>
        </label>
      </div>
    </details>
  );
}

function Tools({ model, analysis }: { model: LintModel; analysis: Analysis | undefined }) {
  const format = () => analysis && model.replace(formatted(analysis.text), 'Formatted the request');
  const isEmpty = analysis?.form === 'empty';
  return (
    <div class="actions">
      <Button
        class="quiet"
        label="Open"
        title="Open a file"
        action={() => chooseFile(model.opened)}
      />
      {analysis && canFormat(analysis) && (
        <Button class="quiet" label="Format" action={() => void format()} />
      )}
      {!isEmpty && <Button class="quiet" label="Download" action={() => model.download()} />}
      {!isEmpty && (
        <Button
          class="quiet"
          label="Clear"
          action={() => model.replace('', 'Removed the request')}
        />
      )}
      {isEmpty && (
        <Button
          label="Show an example"
          action={() => model.replace(brokenExample, 'Opened the example')}
        />
      )}
    </div>
  );
}

function Replaced({ model }: { model: LintModel }) {
  const replaced = model.replaced.value;
  if (!replaced) return null;
  return (
    <p class="lint-notice" role="status">
      {replaced.what}.{' '}
      <button type="button" class="text-link" onClick={() => model.undoReplaced()}>
        Undo
      </button>
    </p>
  );
}

/** The pane. */
export function EditorPane({ model }: { model: LintModel }) {
  const analysis = model.analysis.value;
  const notice = model.notices.text;
  const mount = useCallback((place: HTMLElement | null) => place?.append(model.text.element), []);
  return (
    <section class="lint-input" aria-label="Request">
      <div class="lint-head">
        <h2>{model.isExample ? 'Example request' : 'Request'}</h2>
        {analysis && <span class="chip">{textWords(analysis)}</span>}
        <Target model={model} analysis={analysis} />
        <Tools model={model} analysis={analysis} />
      </div>
      {analysis && <Requests key={analysis.requests.length} model={model} analysis={analysis} />}
      <Replaced model={model} />
      <p class="lint-notice" role="status" hidden={notice === ''}>
        {notice}
      </p>
      <div class="text-and-outline">
        <div class="text-place" ref={mount} />
        <Outline model={model} />
      </div>
    </section>
  );
}
