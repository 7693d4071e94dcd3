// The left pane of Lint: what the text is, for what it is checked, the text itself, and beside it an outline of its
// turns: who wrote each, which calls and results belong together, where it breaks.
import { useCallback, useState } from 'preact/hooks';
import { Button } from '../../ui/elements.js';
import { amount } from '../../ui/format.js';
import { chooseFile } from '../engine/files.js';
import { laidOut } from '../engine/export/json-layout.js';
import { shownContents, type Analysis, type TimelineContent } from '../engine/lint-result.js';
import { answerWords, backendNames, countsOf, textWords } from '../engine/lint-verdict.js';
import { brokenExample } from '../state/playground-document.js';
import type { LintModel } from './model.js';

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
  const more = `Show ${amount(hidden, 'more request')}`;
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
            <span class={request.errors > 0 ? 'push bad' : 'push good'}>{countsOf(request)}</span>
          </button>
        </li>
      ))}
      {hidden > 0 && (
        <li>
          <Button label={more} action={() => setShown(requests.length)} />
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
  const isEmpty = analysis?.form === 'empty';
  return (
    <div class="actions push">
      {quiet('Open', () => chooseFile(model.openFile), 'Open a file')}
      {analysis &&
        canFormat(analysis) &&
        quiet('Format', () => model.replace(formatted(analysis.text), 'Formatted the request'))}
      {!isEmpty && quiet('Clear', () => model.replace('', 'Removed the request'))}
      {isEmpty &&
        quiet('Show an example', () => model.replace(brokenExample, 'Opened the example'))}
    </div>
  );
}

const width = 24;
/** The height of a turn in units of the drawing. */
const row = 10;
const at = (position: number) => (position + 0.5) * row;

const kindWords = { user: 'user', model: 'model', tool: 'tool results' };

function titleOf({ index, kind, calls, responses, excerpt }: TimelineContent): string {
  const facts = [
    calls.length > 0 ? amount(calls.length, 'call') : '',
    responses.length > 0 ? amount(responses.length, 'result') : '',
    excerpt,
  ].filter(Boolean);
  return `Turn ${index + 1}, ${kindWords[kind]}${facts.length > 0 ? `: ${facts.join(', ')}` : ''}`;
}

// A line from the calls of a turn to their results in another; a short one if there are none.
function Arc({ from, to }: { from: number; to: number | undefined }) {
  if (to === undefined) return <path class="arc arc-open" d={`M 14 ${at(from)} H 22`} />;
  return <path class="arc" d={`M 14 ${at(from)} C 24 ${at(from)} 24 ${at(to)} 14 ${at(to)}`} />;
}

/** The outline. A click on a turn shows it in the editor; the findings do the same for the keyboard. */
function Outline({ model }: { model: LintModel }) {
  const { turns = [] } = model.analysis.value?.timeline ?? {};
  const drawn = turns.slice(0, shownContents);
  if (drawn.length < 2) return null;
  const height = drawn.length * row;
  return (
    <svg
      class="outline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      style={{ maxHeight: `${drawn.length * 28}px` }}
      aria-hidden="true"
    >
      {drawn.map((content, i) => (
        <rect
          key={content.index}
          class={`outlined outlined-${content.kind}${content.verdict === 'refused' ? ' outlined-refused' : ''}`}
          x={2}
          y={i * row + 0.5}
          width={12}
          height={row - 1}
          onClick={() => model.text.reveal({ from: content.from, to: content.from })}
        >
          <title>{titleOf(content)}</title>
        </rect>
      ))}
      {drawn.flatMap(({ index, calls }, i) =>
        [...new Set(calls.map(({ response }) => response?.index))].map((target) => (
          <Arc from={i} to={target === undefined ? undefined : target - index + i} />
        )),
      )}
    </svg>
  );
}

const exampleHint =
  'Gemini would refuse this example. Paste your own request: JSON, a cURL command, code, a HAR file or an error message.';

export function EditorPane({ model }: { model: LintModel }) {
  const analysis = model.analysis.value;
  const hint = model.isExample ? exampleHint : '';
  const notice = Object.values(model.notices.value).join(' ') || hint;
  const mount = useCallback((place: HTMLElement | null) => place?.append(model.text.element), []);
  return (
    <section class="column lint-input" aria-label="Request">
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
