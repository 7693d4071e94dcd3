// Asks the gateway for its counts.
import { byId } from '../ui/dom.js';
import { dateAndTime, timeOfDay, figures, panels } from './summary-view.js';
import { summaryOf, type Summary } from './summary.js';

/** What came of asking for the counts. */
export type Reading =
  | { outcome: 'counts'; text: string }
  | { outcome: 'wrongKey' }
  /** The gateway answered, but not with counts. */
  | { outcome: 'refused'; status: number }
  | { outcome: 'offline' };

// A key with other characters cannot be sent as a header, so no gateway has it.
const keyForm = /^[\x21-\x7e]+$/;

/** Reads `/metrics` beside this page. The key travels as a header, never in the URL. */
async function readCounts(key: string, signal: AbortSignal): Promise<Reading> {
  if (!keyForm.test(key)) return { outcome: 'wrongKey' };
  const headers = { authorization: `Bearer ${key}` };
  try {
    const init = { headers, cache: 'no-store', credentials: 'omit', redirect: 'error' } as const;
    const response = await fetch('./metrics', { ...init, signal });
    if (response.ok) return { outcome: 'counts', text: await response.text() };
    if (response.status === 401) return { outcome: 'wrongKey' };
    return { outcome: 'refused', status: response.status };
  } catch {
    return { outcome: 'offline' };
  }
}

const refreshMs = 10_000;
const timeoutMs = 15_000;
const storedAs = 'prompt-strata admin key';

const form = byId('access', HTMLFormElement);
const keyField = byId('key', HTMLInputElement);
const remember = byId('remember', HTMLInputElement);
const auto = byId('auto', HTMLInputElement);
const controls = byId('controls', HTMLElement);
const counts = byId('counts', HTMLElement);
const about = byId('about', HTMLElement);
const problem = byId('problem', HTMLElement);
const updated = byId('updated', HTMLElement);

let key = '';
/** The time of the counts that are shown. */
let shownAt: Date | undefined;
let reading = new AbortController();
let timer: ReturnType<typeof setTimeout> | undefined;

// A page in a sandbox has no storage.
function stored(): string {
  try {
    return sessionStorage.getItem(storedAs) ?? '';
  } catch {
    return '';
  }
}

function store(text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(storedAs);
    else sessionStorage.setItem(storedAs, text);
  } catch {
    // The key is in memory.
  }
}

/** Replaces the children, unless they are equal. The link that has the focus keeps it. */
function replace(parent: HTMLElement, children: HTMLElement[]): void {
  const isSame = children.every((child, index) => parent.children[index]?.isEqualNode(child));
  if (isSame && children.length === parent.children.length) return;
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const selector = focused && selectorOf(focused);
  parent.replaceChildren(...children);
  if (selector) parent.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
}

function selectorOf(focused: Element): string | undefined {
  const name = ['href', 'aria-label'].find((each) => focused.hasAttribute(each));
  return name && `[${name}="${CSS.escape(focused.getAttribute(name) ?? '')}"][${name}]`;
}

function show(summary: Summary): void {
  const { since, requests, threads } = summary;
  byId('empty', HTMLElement).hidden = requests > 0 || Boolean(threads?.sends.length);
  replace(byId('figures', HTMLElement), figures(summary));
  replace(byId('panels', HTMLElement), panels(summary));
  byId('since', HTMLElement).textContent = since ? `Counted since ${dateAndTime(since)}.` : '';
  shownAt = new Date();
  updated.textContent = `Updated ${timeOfDay(shownAt)}`;
}

function setProblem(text: string): void {
  if (problem.textContent !== text) problem.textContent = text;
  counts.classList.toggle('old', text !== '' && shownAt !== undefined);
}

const retrying = () => {
  const shown = shownAt ? ` The counts are those of ${timeOfDay(shownAt)}.` : '';
  return auto.checked ? `${shown} Trying again every 10 s.` : shown;
};

function problemOf(result: Exclude<Reading, { outcome: 'counts' }>): string {
  switch (result.outcome) {
    case 'wrongKey':
      return 'This is not the admin key of this deployment.';
    case 'refused':
      return `The counts cannot be read: the deployment answered ${result.status}.${retrying()}`;
    case 'offline':
      return `The deployment cannot be reached.${retrying()}`;
  }
}

/** Goes back to the form. */
function askForKey(): void {
  reading.abort();
  clearTimeout(timer);
  key = '';
  store('');
  shownAt = undefined;
  form.hidden = false;
  controls.hidden = true;
  counts.hidden = true;
  about.hidden = true;
  byId('figures', HTMLElement).replaceChildren();
  byId('panels', HTMLElement).replaceChildren();
  byId('since', HTMLElement).textContent = '';
  updated.textContent = '';
  keyField.value = '';
  keyField.focus();
}

function take(result: Reading): void {
  if (result.outcome === 'wrongKey') {
    askForKey();
    keyField.setAttribute('aria-invalid', 'true');
    setProblem(problemOf(result));
    return;
  }
  // A hidden element loses the focus to the end of the page.
  if (form.contains(document.activeElement)) byId('title', HTMLElement).focus();
  form.hidden = true;
  controls.hidden = false;
  if (result.outcome === 'counts') {
    show(summaryOf(result.text));
    counts.hidden = false;
    about.hidden = false;
  }
  setProblem(result.outcome === 'counts' ? '' : problemOf(result));
}

async function refresh(): Promise<void> {
  reading.abort();
  clearTimeout(timer);
  const current = new AbortController();
  reading = current;
  const timeout = setTimeout(() => current.abort('timeout'), timeoutMs);
  const result = await readCounts(key, current.signal);
  clearTimeout(timeout);
  // Another reading has begun, or the key was forgotten.
  if (reading !== current || key === '') return;
  take(result);
  scheduleRefresh();
}

function scheduleRefresh(): void {
  clearTimeout(timer);
  if (key !== '' && auto.checked) timer = setTimeout(() => void refresh(), refreshMs);
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  keyField.removeAttribute('aria-invalid');
  setProblem('');
  key = keyField.value.trim();
  store(remember.checked ? key : '');
  void refresh();
});
byId('refresh', HTMLButtonElement).addEventListener('click', () => void refresh());
byId('forget', HTMLButtonElement).addEventListener('click', () => {
  askForKey();
  setProblem('');
});
auto.addEventListener('change', scheduleRefresh);

key = stored();
if (key !== '') void refresh();
