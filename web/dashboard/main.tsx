// Draws the dashboard: it asks for the admin key, then shows the counts and refreshes them.
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, Dialog } from '../ui/elements.js';
import { dateAndTime, timeOfDay } from './numbers.js';
import {
  readCounts,
  ruleTexts,
  storedKey,
  storeKey,
  type Counts,
  type Reading,
} from './readings.js';
import { Figures, Panels } from './summary-view.js';

const refreshMs = 10_000;
const timeoutMs = 15_000;

/** What the page knows: the key while it is used, the newest counts, and what went wrong. */
interface State {
  key: string;
  counts?: Counts | undefined;
  problem: string;
  isWrongKey?: boolean;
  /** Whether the form replaces the counts, so that its field takes the focus. */
  isAskedAgain?: boolean;
}

function problemOf(result: Reading, counts: Counts | undefined, isRepeated: boolean): string {
  const shown = counts ? ` The counts are those of ${timeOfDay(counts.at)}.` : '';
  const retrying = isRepeated ? `${shown} Trying again every 10 s.` : shown;
  switch (result.outcome) {
    case 'counts':
      return '';
    case 'wrongKey':
      return 'This is not the admin key of this deployment.';
    case 'refused':
      return `The counts cannot be read: the deployment answered ${result.status}.${retrying}`;
    case 'offline':
      return `The deployment cannot be reached.${retrying}`;
  }
}

// Reads the counts at once and then every 10 seconds, until the key is forgotten.
function useCounts() {
  const [state, setState] = useState<State>({ key: storedKey(), problem: '' });
  const [isRepeated, setRepeated] = useState(true);
  const [asked, ask] = useState(0);
  const [ended, end] = useState(0);
  const repeated = useRef(isRepeated);
  repeated.current = isRepeated;
  const { key } = state;
  useEffect(() => {
    if (key === '') return undefined;
    const current = new AbortController();
    const timeout = setTimeout(() => current.abort('timeout'), timeoutMs);
    let isLeft = false;
    const take = (result: Reading) => {
      clearTimeout(timeout);
      if (isLeft) return;
      setState((before) => {
        const problem = problemOf(result, before.counts, repeated.current);
        if (result.outcome === 'wrongKey')
          return { key: '', problem, isWrongKey: true, isAskedAgain: true };
        return {
          key,
          problem,
          counts: result.outcome === 'counts' ? result.counts : before.counts,
        };
      });
      if (result.outcome === 'wrongKey') storeKey('');
      end((times) => times + 1);
    };
    void readCounts(key, current.signal).then(take);
    return () => {
      isLeft = true;
      current.abort();
      clearTimeout(timeout);
    };
  }, [key, asked]);
  useEffect(() => {
    if (ended === 0 || !isRepeated) return undefined;
    const timer = setTimeout(() => ask((times) => times + 1), refreshMs);
    return () => clearTimeout(timer);
  }, [ended, isRepeated]);
  const forget = () => {
    storeKey('');
    setState({ key: '', problem: '', isAskedAgain: true });
  };
  const enter = (entered: string) => setState({ key: entered, problem: '' });
  const refresh = () => ask((times) => times + 1);
  return { ...state, isRepeated, setRepeated, forget, enter, refresh };
}

type Page = ReturnType<typeof useCounts>;

function Access({ isWrongKey, isAskedAgain, enter }: Page) {
  const field = useRef<HTMLInputElement>(null);
  const remember = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isAskedAgain) field.current?.focus();
  }, [isAskedAgain]);
  const submit = (event: Event) => {
    event.preventDefault();
    const key = field.current?.value.trim() ?? '';
    storeKey(remember.current?.checked ? key : '');
    enter(key);
  };
  return (
    <form id="access" class="access" onSubmit={submit}>
      <label for="key">Admin key</label>
      <input
        ref={field}
        id="key"
        type="password"
        autocomplete="off"
        spellcheck={false}
        required
        aria-invalid={isWrongKey}
        aria-describedby="key-note problem"
      />
      <label class="choice">
        <input ref={remember} id="remember" type="checkbox" /> Remember it until this tab is closed
      </label>
      <button type="submit" class="main">
        Show the counts
      </button>
      <p id="key-note" class="note">
        The key is the one that opens <code>/metrics</code>: <code>GATEWAY_ADMIN_KEY</code> of a
        Worker, <code>--admin-key-env</code> of <code>prompt-strata serve</code>. It is sent only to
        this address.
      </p>
    </form>
  );
}

function Controls({ counts, isRepeated, setRepeated, refresh, forget }: Page) {
  return (
    <div id="controls" class="controls">
      <p id="updated" class="note">
        {counts && `Updated ${timeOfDay(counts.at)}`}
      </p>
      <label>
        <input
          id="auto"
          type="checkbox"
          checked={isRepeated}
          onChange={(event) => setRepeated(event.currentTarget.checked)}
        />{' '}
        Refresh every 10 s
      </label>
      <Button id="refresh" label="Refresh now" action={refresh} />
      <Button id="forget" label="Forget the key" action={forget} />
    </div>
  );
}

/** The text of a rule in a dialog, so that the page and its key stay. */
function RuleDialog({ code, close }: { code: string; close: () => void }) {
  const [texts, setTexts] = useState<readonly string[]>([]);
  useEffect(() => {
    ruleTexts(code).then(setTexts, () => setTexts(['The text of this rule cannot be read.']));
  }, [code]);
  return (
    <Dialog title={code} isOpen close={close}>
      <div class="rule">
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    </Dialog>
  );
}

function CountsView({ counts, problem }: { counts: Counts; problem: string }) {
  const [rule, openRule] = useState<string>();
  const { summary, recent } = counts;
  const isEmpty = summary.requests === 0 && !summary.threads?.sends.length;
  return (
    <div id="counts" class={problem === '' ? 'counts' : 'counts old'}>
      {isEmpty && (
        <p class="empty">
          Nothing has been counted yet. Send a request through this deployment; it appears here
          within seconds.
        </p>
      )}
      <Figures summary={summary} />
      <Panels summary={summary} recent={recent} openRule={openRule} />
      {rule !== undefined && <RuleDialog code={rule} close={() => openRule(undefined)} />}
    </div>
  );
}

function Dashboard() {
  const page = useCounts();
  const { key, counts, problem } = page;
  const since = counts?.summary.since;
  const title = useRef<HTMLHeadingElement>(null);
  const isRead = key !== '' && (counts !== undefined || problem !== '');
  // The form, which has the focus, is replaced.
  useEffect(() => {
    if (isRead) title.current?.focus();
  }, [isRead]);
  return (
    <>
      <header>
        <img src="./dashboard/icon.svg" alt="" width="28" height="28" />
        <h1 ref={title} id="title" tabIndex={-1}>
          Dashboard
        </h1>
        <p>What this deployment has done</p>
        {isRead && <Controls {...page} />}
      </header>
      <main>
        <p id="problem" class="problem" role="alert">
          {problem}
        </p>
        {!isRead && <Access {...page} />}
        {isRead && counts && <CountsView counts={counts} problem={problem} />}
      </main>
      {isRead && counts && (
        <footer>
          <p id="since">{since && `Counted since ${dateAndTime(since)}.`}</p>
          <p>
            Costs are estimates: list prices of tokens, without the storage of caches, grounding and
            other fees.
          </p>
        </footer>
      )}
    </>
  );
}

render(<Dashboard />, document.body);
