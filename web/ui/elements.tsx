// Components that every page shares: buttons, fields, folded sections, dialogs, marks of severities; and a hook that loads.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { count, severityWords, type Severity } from './format.js';

type ButtonProps = Omit<ButtonHTMLAttributes, 'label' | 'action'> & {
  /** The text, and the accessible name. */
  label: string;
  action: () => void;
  /** The one action of a pane that has the accent. */
  isMain?: boolean;
  /** Shown as unavailable; it keeps the focus. */
  isDisabled?: boolean;
};

const holders = 'section, dialog, main, footer, [role=log]';

// When something goes away with the focus, what held it gets the focus: the browser would begin at the top of the page.
function handFocus(element: HTMLElement | null): void {
  if (!element?.contains(document.activeElement)) return;
  const around: HTMLElement[] = [];
  for (let one = element.parentElement; one; one = one.parentElement) around.push(one);
  requestAnimationFrame(() => {
    const next = around.find((one) => one.isConnected && one.matches(holders));
    if (!next || document.activeElement !== document.body) return;
    if (next.tabIndex < 0) next.tabIndex = -1;
    next.focus({ preventScroll: true });
  });
}

/** Returns a reference for an element that takes the focus with it when it goes away. */
export function useHandedFocus<Type extends HTMLElement>() {
  const element = useRef<Type>(null);
  useLayoutEffect(() => () => handFocus(element.current), []);
  return element;
}

/** A button. One that is disabled can be reached with the keyboard and does nothing. */
export function Button({ label, action, isMain, isDisabled, ...rest }: ButtonProps) {
  const element = useHandedFocus<HTMLButtonElement>();
  const run = () => {
    if (!isDisabled) action();
  };
  return (
    <button
      ref={element}
      type="button"
      class={isMain ? 'main' : undefined}
      aria-disabled={isDisabled ? 'true' : undefined}
      onClick={run}
      {...rest}
    >
      {label}
    </button>
  );
}

/** How long a button says that it copied. */
const copiedMs = 2000;

interface CopyButtonProps {
  label?: string;
  /** The accessible name, if the label alone does not say what is copied. */
  name?: string;
  text: () => string;
  isMain?: boolean;
}

/** A button that copies a text, and says in its own place whether that worked. */
export function CopyButton({ label = 'Copy', name, text, isMain = false }: CopyButtonProps) {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (said === undefined) return undefined;
    const timer = setTimeout(() => setSaid(undefined), copiedMs);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    void navigator.clipboard.writeText(text()).then(
      () => setSaid('Copied'),
      () => setSaid('The browser refused to copy'),
    );
  return (
    <span class="copy" role="status">
      <Button label={said ?? label} aria-label={said ?? name} isMain={isMain} action={copy} />
    </span>
  );
}

interface SwitchProps {
  label: string;
  isOn: boolean;
  change: (isOn: boolean) => void;
}

export function Switch({ label, isOn, change }: SwitchProps) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />{' '}
      {label}
    </label>
  );
}

interface SelectProps<Value extends string> {
  id: string;
  label: string;
  value: Value;
  options: { readonly [value: string]: string };
  change: (value: Value) => void;
}

/** A label, and a list to select from. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { id, label, value, options, change } = props;
  return (
    <>
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => change(event.currentTarget.value as Value)}
      >
        {Object.entries(options).map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </>
  );
}

interface CodeFieldProps {
  id: string;
  label: string;
  rows: number;
  placeholder: string;
  text: string;
  /** What is wrong with the text; '' for nothing. */
  problem: string;
  type: (text: string) => void;
}

/** A field for code, with its label before it, and behind it what is wrong with its text. */
export function CodeField({ id, label, rows, placeholder, text, problem, type }: CodeFieldProps) {
  return (
    <>
      <label for={id}>{label}</label>
      <textarea
        {...{ id, rows, placeholder, class: 'code', spellcheck: false }}
        aria-invalid={problem !== ''}
        aria-describedby={`${id}-problem`}
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
      <p id={`${id}-problem`} class="problem bad" role="status">
        {problem}
      </p>
    </>
  );
}

/** A section that opens with a click on its title. */
export function Folded({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <details>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

/** Code in a section that opens. It may scroll, so it can be reached with the keyboard. */
export function FoldedCode({ title, code }: { title: string; code: string }) {
  return (
    <Folded title={title}>
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </Folded>
  );
}

/** Whether an event is one of a field, which inserts a paste and undoes what was typed itself. */
export const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA)$/.test(target.tagName));

interface DialogProps {
  title: string;
  isOpen: boolean;
  /** Called by Escape, the button Close and, in browsers that know `closedby`, a click beside the dialog. */
  close: () => void;
  children: ComponentChildren;
}

/** A modal dialog with a heading and a Close button. The browser returns the focus when it closes. */
export function Dialog({ title, isOpen, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} class="modal" aria-label={title} closedby="any" onClose={close}>
      <div class="row between">
        <h2>{title}</h2>
        <Button label="Close" action={close} />
      </div>
      {isOpen && <div class="stack modal-content">{children}</div>}
    </dialog>
  );
}

/**
 * Returns what `load` returned, or the error with which it failed; neither while it loads, or without `load`. It loads
 * again when one of the keys is another one, and with `again`.
 */
export function useLoaded<Value>(
  load: (() => Promise<Value>) | undefined,
  keys: readonly unknown[],
): { value?: Value; failure?: unknown; again: () => void } {
  const [loaded, setLoaded] = useState<{ value?: Value; failure?: unknown }>({});
  const [tries, setTries] = useState(0);
  useLayoutEffect(() => {
    let isNewest = true;
    const show = (now: typeof loaded) => isNewest && setLoaded(now);
    setLoaded({});
    load?.().then(
      (value) => show({ value }),
      (failure: unknown) => show({ failure }),
    );
    return () => {
      isNewest = false;
    };
  }, [...keys, tries]);
  return { ...loaded, again: () => setTries(tries + 1) };
}

/** Facts, each with its name before it. */
export function Facts({ rows, label }: { rows: [string, ComponentChildren][]; label?: string }) {
  return (
    <dl class="facts" aria-label={label}>
      {rows.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

/** What stands before a finding: its sign, and the word for it that screen readers say. */
export function SeverityMark({ severity }: { severity: Severity }) {
  const { sign, one } = severityWords[severity];
  return (
    <>
      <span class={`sign ${severity}`} aria-hidden="true">
        {sign}
      </span>
      <span class="hidden">{`${one}: `}</span>
    </>
  );
}

/** Returns a text in which backquotes mark code. */
export const withCode = (text: string): ComponentChildren =>
  text.split('`').map((piece, index) => (index % 2 === 1 ? <code>{piece}</code> : piece));

/** What is drawn of a long text at once: more is slow to lay out. */
const maxShown = 16_000;

interface LongTextProps {
  text: string;
  /** The accessible name. */
  label: string;
  /** Draws what is shown of the text. Default: as it is. */
  draw?: (shown: string) => ComponentChildren;
}

/** A text that scrolls. Of a long one, only the beginning is drawn at first. */
export function LongText({ text, label, draw = (shown) => shown }: LongTextProps) {
  const [limit, setLimit] = useState(maxShown);
  return (
    <>
      <pre tabIndex={0} aria-label={label}>
        {draw(text.slice(0, limit))}
      </pre>
      {text.length > limit && (
        <Button
          label={`Show all ${count(text.length)} characters`}
          aria-label={`Show all of ${label}`}
          action={() => setLimit(Infinity)}
        />
      )}
    </>
  );
}
